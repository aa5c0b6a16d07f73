// What people are notified of: a fixed set of kinds, and what is said about each.
import type { AccountId, PortfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

export const HAPPENING_KINDS = [
  'filled',
  'residual',
  'paused',
  'contradiction',
  'hedge_open',
  'unknown_outcome',
  'foreign_order',
  'switch_set',
  'breach',
  'mmp_tripped',
  'liquidated',
  'venue_away',
  'venue_back',
  'strategy_failed',
  'backup_old',
  'disk_low',
  'disk_full',
  'unread',
] as const;

export type HappeningKind = (typeof HAPPENING_KINDS)[number];

/** Those that somebody has to look at now, whatever the hour. */
export const URGENT_KINDS = [
  'paused',
  'contradiction',
  'hedge_open',
  'unknown_outcome',
  'foreign_order',
  'switch_set',
  'breach',
  'liquidated',
  'venue_away',
  'disk_full',
] as const satisfies readonly HappeningKind[];

/** All but what is as it should be. */
export const NOTABLE_KINDS = HAPPENING_KINDS.filter((kind) => kind !== 'filled');

export interface Happening {
  readonly kind: HappeningKind;
  /** The same for one happening, whichever daemon reports it and however often. */
  readonly key: string;
  readonly at: Instant;
  /** A line of text. */
  readonly title: string;
  /** Further text, of one line; empty if the title says all. */
  readonly detail: string;
  /** Address of what to do about it; added when it is sent. */
  readonly runbook?: string | undefined;
  readonly account?: AccountId | undefined;
  readonly portfolio?: PortfolioId | undefined;
  /** The same may happen again after this time; absent: it happens once. */
  readonly againAfterMs?: number | undefined;
}
