// The sections of docs/operations.md that say what to do about a happening.
import type { HappeningKind } from './happening.ts';

/** Anchors of headings; absent for what needs nobody, or is explained by its own text. */
const RUNBOOK_SECTIONS: Readonly<Partial<Record<HappeningKind, string>>> = {
  paused: 'overriding-a-control-for-one-order',
  hedge_open: 'a-hedge-that-was-left-open',
  contradiction: 'twapdassumptionbroken',
  unknown_outcome: 'twapdundecidedchildold',
  foreign_order: 'twapdforeignorder',
  switch_set: 'switching-trading-off',
  breach: 'twapdauditbreach',
  mmp_tripped: 'twapdmmpwaiting',
  liquidated: 'a-position-that-the-venue-liquidated',
  venue_away: 'twapdvenuedown',
  strategy_failed: 'twapdstrategyfailed',
  backup_old: 'twapdbackupold',
  disk_low: 'twapddisklow',
  disk_full: 'twapddiskfull',
};

/** The link to what to do about a happening. @param base address of docs/operations.md, without a fragment */
export function runbookLink(kind: HappeningKind, base: string | undefined): string | undefined {
  const section = RUNBOOK_SECTIONS[kind];
  return base === undefined || section === undefined ? undefined : `${base}#${section}`;
}
