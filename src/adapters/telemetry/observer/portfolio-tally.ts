// Sums over the active portfolios, for gauges. Yields to the event loop between batches, so that a scrape
// with a thousand portfolios does not delay a slice.
import { setImmediate } from 'node:timers/promises';
import { type ChildOrder, isUnsettled, isWorking } from '../../../core/order/child-order.ts';
import type { PortfolioState } from '../../../core/portfolio/aggregate/portfolio-state.ts';
import {
  allowanceOf,
  endAt,
  legSpec,
  legState,
  planOf,
} from '../../../core/portfolio/aggregate/positions.ts';
import { fraction } from '../../../values/amounts.ts';
import type { AccountId, InstrumentName, PortfolioId } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { UNSETTLED_STATES } from '../metric-values.ts';

type UnsettledState = (typeof UNSETTLED_STATES)[number];

export interface PortfolioTally {
  readonly portfolios: Record<'pending' | 'active' | 'cancelling', number>;
  readonly children: Record<UnsettledState, number>;
  /** When the oldest child of unknown outcome was intended. */
  undecidedSince: Instant | undefined;
  legs: number;
  /** Sums over legs of filled ÷ target and of scheduled ÷ target. */
  filled: number;
  scheduled: number;
  shortfallMax: number;
  /** Largest difference between two legs of a portfolio, of filled ÷ target. */
  imbalanceMax: number;
  /** How long the longest overdue portfolio is past its end or its cancel. */
  overdueMaxMs: number;
  /** The first of the active portfolios, mirrors excluded. */
  readonly progress: Progress[];
  /** The instruments that active legs trade, by account. */
  readonly traded: Map<AccountId, Set<InstrumentName>>;
}

/** Means over the legs of one portfolio. */
interface Progress {
  readonly state: PortfolioState;
  readonly filled: number;
  readonly scheduled: number;
}

export interface TallyOptions {
  readonly now: Instant;
  /** Number of portfolios with gauges of their own. */
  readonly progressMax: number;
  readonly cancellingSince: (portfolio: PortfolioId, now: Instant) => Instant;
}

/** Portfolios per batch: well under a millisecond's work. */
const BATCH = 20;

export async function tallyPortfolios(
  states: Iterable<PortfolioState>,
  options: TallyOptions,
): Promise<PortfolioTally> {
  const tally: PortfolioTally = {
    portfolios: { pending: 0, active: 0, cancelling: 0 },
    children: { sending: 0, live: 0, unknown: 0, fills_missing: 0 },
    undecidedSince: undefined,
    legs: 0,
    filled: 0,
    scheduled: 0,
    shortfallMax: 0,
    imbalanceMax: 0,
    overdueMaxMs: 0,
    progress: [],
    traded: new Map(),
  };
  let seen = 0;
  for (const state of [...states]) {
    addPortfolio(tally, state, options);
    seen += 1;
    if (seen % BATCH === 0) await setImmediate();
  }
  return tally;
}

function addPortfolio(tally: PortfolioTally, state: PortfolioState, options: TallyOptions): void {
  const { status } = state;
  if (status === 'filled' || status === 'cancelled') return;
  tally.portfolios[status] += 1;
  for (const child of state.children.values()) addChild(tally, child);
  if (state.spec.mirrorOf !== undefined) return;
  addOverdue(tally, state, options);
  addLegs(tally, state, options);
}

function addOverdue(tally: PortfolioTally, state: PortfolioState, options: TallyOptions): void {
  const { now, cancellingSince } = options;
  const until = state.status === 'cancelling' ? cancellingSince(state.id, now) : endOf(state);
  if (until !== undefined) tally.overdueMaxMs = Math.max(tally.overdueMaxMs, now - until);
}

/** A portfolio without a schedule has an end only if it has a time limit. */
const endOf = ({ spec }: PortfolioState): Instant | undefined =>
  spec.durationMs > 0 ? endAt(spec) : undefined;

function addLegs(tally: PortfolioTally, state: PortfolioState, options: TallyOptions): void {
  const { now, progressMax } = options;
  const before = { filled: tally.filled, scheduled: tally.scheduled };
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let leg = 0; leg < state.legs.length; leg += 1) {
    const filled = addLeg(tally, state, { leg, now });
    addTraded(tally, state, leg);
    if (legSpec(state, leg).hedge) continue;
    least = Math.min(least, filled);
    most = Math.max(most, filled);
  }
  tally.imbalanceMax = Math.max(tally.imbalanceMax, most - Math.min(most, least));
  if (tally.progress.length >= progressMax) return;
  const filled = (tally.filled - before.filled) / state.legs.length;
  const scheduled = (tally.scheduled - before.scheduled) / state.legs.length;
  tally.progress.push({ state, filled, scheduled });
}

function addTraded(tally: PortfolioTally, state: PortfolioState, leg: number): void {
  const { accountId } = state.spec;
  const known = tally.traded.get(accountId) ?? new Set();
  tally.traded.set(accountId, known.add(legSpec(state, leg).instrument));
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

/**
 * A hedge leg is scheduled by the fills of the other legs, a TWAP's other legs by the clock. Filled ÷
 * target.
 */
function addLeg(tally: PortfolioTally, state: PortfolioState, { leg, now }: LegAt): number {
  const spec = legSpec(state, leg);
  const filled = fraction(legState(state, leg).filled, spec.quantity);
  tally.legs += 1;
  tally.filled += filled;
  if (spec.hedge) {
    tally.scheduled += fraction(allowanceOf(state, leg), spec.quantity);
    return filled;
  }
  if (state.spec.portfolioType !== 'TWAP') {
    tally.scheduled += filled;
    return filled;
  }
  const plan = planOf(state, leg);
  const due = plan.lastDue(now);
  tally.scheduled += fraction(plan.targetAfter(due), spec.quantity);
  const calledFor = fraction(plan.targetAfter(due - 1), spec.quantity);
  tally.shortfallMax = Math.max(tally.shortfallMax, calledFor - filled);
  return filled;
}
