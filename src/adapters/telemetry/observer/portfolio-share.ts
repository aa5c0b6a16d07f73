// What one portfolio adds to the gauges about progress, and how long that stays the same while no turn changes it.
import { type ChildOrder, isUnsettled } from '../../../core/order/child-order.ts';
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import {
  allowanceOf,
  endAt,
  legSpec,
  legState,
  planOf,
} from '../../../core/portfolio/aggregate/positions.ts';
import { openExposures } from '../../../core/portfolio/slices/open-exposure.ts';
import { fraction, toNumber } from '../../../values/amounts.ts';
import type { InstrumentName, PortfolioId } from '../../../values/ids.ts';
import { INSTANT_MAX, type Instant } from '../../../values/instant.ts';

export interface PortfolioShare {
  /** Sums over its legs of filled ÷ target and of scheduled ÷ target. */
  filled: number;
  scheduled: number;
  /** Of the leg that is furthest behind: called for ÷ target − filled ÷ target. */
  shortfall: number;
  /** Largest difference between two legs, of filled ÷ target. */
  imbalance: number;
  /** After this instant it should have ended; absent if it has no end. */
  readonly overdueFrom: Instant | undefined;
  /** When the oldest child of unknown outcome was intended. */
  readonly undecidedSince: Instant | undefined;
  /** What hedge legs lack of what the fills of the other legs require, by instrument. */
  readonly unhedged: ReadonlyMap<InstrumentName, number>;
  /** From then on the schedule calls for more. */
  validUntil: Instant;
}

export interface ShareOptions {
  readonly now: Instant;
  readonly cancellingSince: (portfolio: PortfolioId, now: Instant) => Instant;
}

/** Not for a mirror, which has no schedule of its own. */
export function shareOf(state: PortfolioState, options: ShareOptions): PortfolioShare {
  const share: PortfolioShare = {
    filled: 0,
    scheduled: 0,
    shortfall: 0,
    imbalance: 0,
    overdueFrom: overdueFrom(state, options),
    undecidedSince: undecidedSince(state.children.values()),
    unhedged: unhedgedOf(state),
    validUntil: INSTANT_MAX,
  };
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let leg = 0; leg < state.legs.length; leg += 1) {
    const filled = addLeg(share, state, { leg, now: options.now });
    if (legSpec(state, leg).hedge) continue;
    least = Math.min(least, filled);
    most = Math.max(most, filled);
  }
  share.imbalance = most - Math.min(most, least);
  return share;
}

/** A portfolio without a schedule has an end only if it has a time limit. */
function overdueFrom(
  { id, status, spec }: PortfolioState,
  { now, cancellingSince }: ShareOptions,
): Instant | undefined {
  if (status === 'cancelling') return cancellingSince(id, now);
  return spec.durationMs > 0 ? endAt(spec) : undefined;
}

function undecidedSince(children: Iterable<ChildOrder>): Instant | undefined {
  let since: Instant | undefined;
  for (const child of children) {
    if (!isUnsettled(child) || child.state === 'live') continue;
    if (since === undefined || child.intendedAt < since) since = child.intendedAt;
  }
  return since;
}

const ALL_HEDGED: ReadonlyMap<InstrumentName, number> = new Map();

function unhedgedOf(state: PortfolioState): ReadonlyMap<InstrumentName, number> {
  const open = openExposures(state);
  if (open.length === 0) return ALL_HEDGED;
  const sums = new Map<InstrumentName, number>();
  for (const { leg, quantity } of open)
    addTo(sums, legSpec(state, leg).instrument, toNumber(quantity));
  return sums;
}

/** Adds to the sum of an instrument. */
export const addTo = (
  sums: Map<InstrumentName, number>,
  instrument: InstrumentName,
  quantity: number,
): unknown => sums.set(instrument, (sums.get(instrument) ?? 0) + quantity);

interface LegAt {
  readonly leg: number;
  readonly now: Instant;
}

/**
 * A hedge leg is scheduled by the fills of the other legs, a TWAP's other legs by the clock. Filled ÷
 * target.
 */
function addLeg(share: PortfolioShare, state: PortfolioState, { leg, now }: LegAt): number {
  const spec = legSpec(state, leg);
  const filled = fraction(legState(state, leg).filled, spec.quantity);
  share.filled += filled;
  if (spec.hedge) {
    share.scheduled += fraction(allowanceOf(state, leg), spec.quantity);
    return filled;
  }
  if (state.spec.portfolioType !== 'TWAP') {
    share.scheduled += filled;
    return filled;
  }
  const plan = planOf(state, leg);
  const due = plan.lastDue(now);
  share.scheduled += fraction(plan.targetAfter(due), spec.quantity);
  const calledFor = fraction(plan.targetAfter(due - 1), spec.quantity);
  share.shortfall = Math.max(share.shortfall, calledFor - filled);
  if (due + 1 < plan.slices) {
    const next = plan.dueAt(due + 1);
    if (next < share.validUntil) share.validUntil = next;
  }
  return filled;
}
