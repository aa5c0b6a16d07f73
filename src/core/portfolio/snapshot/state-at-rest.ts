// Whether the state of a portfolio may leave memory, and what it takes there.
import type { Instant } from '../../../values/instant.ts';
import type { Settings } from '../../terms/settings.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { openRfq } from '../aggregate/residual-rfq-state.ts';
import { nextDueAt, nextWakeAt } from '../next-wake.ts';

/**
 * When something has to be done for it next, if nothing of it is open or unanswered: until then nothing happens to it
 * unless it is requested. `undefined` if its state has to stay.
 */
export function restsUntil(
  state: PortfolioState,
  now: Instant,
  settings: Settings,
): Instant | undefined {
  if (!isAtRest(state)) return undefined;
  const due = nextDueAt(state, settings);
  return due === undefined ? undefined : nextWakeAt(state, { now, due, settings });
}

function isAtRest({ status, spec, children, part, timeOverAt, rfq }: PortfolioState): boolean {
  if (status !== 'pending' && status !== 'active') return false;
  // A shadow is written to with every fill of its original; a part of a BALANCE is watched all the time.
  if (spec.mirrorOf !== undefined || part !== undefined) return false;
  if (spec.balance !== undefined && status !== 'pending') return false;
  return children.size === 0 && timeOverAt === undefined && openRfq({ rfq }) === undefined;
}

const PORTFOLIO_BYTES = 3_000;
const LEG_BYTES = 1_000;
const CHILD_BYTES = 800;
const TRADE_BYTES = 60;

/** An estimate, to about a third. */
export function stateBytes({ legs, children, ended, mirrored }: PortfolioState): number {
  let bytes = PORTFOLIO_BYTES + legs.length * LEG_BYTES;
  for (const some of [children, ended.recent, ended.earlier, ended.blocks]) {
    for (const { trades } of some.values()) bytes += CHILD_BYTES + trades.length * TRADE_BYTES;
  }
  return bytes + (mirrored.trades?.size ?? 0) * TRADE_BYTES;
}
