// Sums over the portfolios at work, for gauges. Yields to the event loop in between, so that a scrape with
// a thousand portfolios does not delay a slice.
import { setImmediate } from 'node:timers/promises';
import { type ChildOrder, isUnsettled, isWorking } from '../../core/order/child-order.ts';
import { allowanceOf, legSpec, legState, planOf } from '../../core/portfolio/positions.ts';
import type { PortfolioState } from '../../core/portfolio/state.ts';
import { fraction } from '../../values/amounts.ts';
import type { Instant } from '../../values/instant.ts';
import type { UNSETTLED_STATES } from './metric-values.ts';

type UnsettledState = (typeof UNSETTLED_STATES)[number];

export interface PortfolioTally {
  readonly portfolios: Record<'pending' | 'active' | 'cancelling', number>;
  readonly children: Record<UnsettledState, number>;
  /** When the oldest child without a known fate was intended. */
  undecidedSince: Instant | undefined;
  legs: number;
  /** Sums over legs of filled ÷ target and of scheduled ÷ target. */
  filled: number;
  scheduled: number;
  shortfallMax: number;
}

/** Portfolios looked at in one go: well under a millisecond's work. */
const BATCH = 20;

export async function tallyPortfolios(
  states: Iterable<PortfolioState>,
  now: Instant,
): Promise<PortfolioTally> {
  const tally: PortfolioTally = {
    portfolios: { pending: 0, active: 0, cancelling: 0 },
    children: { sending: 0, live: 0, unknown: 0, fills_missing: 0 },
    undecidedSince: undefined,
    legs: 0,
    filled: 0,
    scheduled: 0,
    shortfallMax: 0,
  };
  let seen = 0;
  for (const state of [...states]) {
    addPortfolio(tally, state, now);
    seen += 1;
    if (seen % BATCH === 0) await setImmediate();
  }
  return tally;
}

function addPortfolio(tally: PortfolioTally, state: PortfolioState, now: Instant): void {
  const { status } = state;
  if (status === 'filled' || status === 'cancelled') return;
  tally.portfolios[status] += 1;
  for (const child of state.children.values()) addChild(tally, child);
  if (state.spec.mirrorOf !== undefined) return;
  for (let leg = 0; leg < state.legs.length; leg += 1) addLeg(tally, state, { leg, now });
}

function addChild(tally: PortfolioTally, child: ChildOrder): void {
  if (!isUnsettled(child)) return;
  const { state, intendedAt } = child;
  if (isWorking(child)) tally.children[state as 'sending' | 'live' | 'unknown'] += 1;
  else tally.children.fills_missing += 1;
  if (state === 'live') return;
  const since = tally.undecidedSince;
  if (since === undefined || intendedAt < since) tally.undecidedSince = intendedAt;
}

interface LegAt {
  readonly leg: number;
  readonly now: Instant;
}

/** A hedge leg is scheduled by the fills of the others, every other leg by the clock. */
function addLeg(tally: PortfolioTally, state: PortfolioState, { leg, now }: LegAt): void {
  const spec = legSpec(state, leg);
  const filled = fraction(legState(state, leg).filled, spec.quantity);
  tally.legs += 1;
  tally.filled += filled;
  if (spec.hedge) {
    tally.scheduled += fraction(allowanceOf(state, leg), spec.quantity);
    return;
  }
  const plan = planOf(state, leg);
  const due = plan.lastDue(now);
  tally.scheduled += fraction(plan.targetAfter(due), spec.quantity);
  const calledFor = fraction(plan.targetAfter(due - 1), spec.quantity);
  tally.shortfallMax = Math.max(tally.shortfallMax, calledFor - filled);
}
