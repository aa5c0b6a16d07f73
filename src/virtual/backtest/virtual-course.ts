// What every run of one portfolio in virtual time has in common, whatever its market: limits, settings, balances, its end, and
// the hash of its trace.
import {
  DEFAULT_SUBMIT_LIMITS,
  SCHEDULE_BOUNDS,
  type SubmitLimits,
} from '../../core/portfolio/admission/submit-limits.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../core/terms/settings.ts';
import type { StoredPortfolio } from '../../ports/ledger.ts';
import { type Money, money } from '../../values/amounts.ts';
import { assert, must } from '../../values/assert.ts';
import { type Currency, deploymentId, type PortfolioId } from '../../values/ids.ts';
import { type Instant, instant, later, latest, MINUTE_MS } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { hash32Twice } from '../../values/rng.ts';
import type { World } from '../world.ts';

/** More than enough: a backtest does not test what an account can afford. */
const BALANCE = money('1000000000000');
/** Who submits and cancels. */
export const COURSE_BY = { uid: 'backtest', nickname: 'backtest' };
/** How long after its scheduled end a portfolio may take to end. */
const END_MARGIN_MS = 30 * MINUTE_MS;

/** As wide as a recording can use; otherwise the admission rules apply. */
export const COURSE_LIMITS: SubmitLimits = {
  ...DEFAULT_SUBMIT_LIMITS,
  durationSecMin: SCHEDULE_BOUNDS.durationSec.min,
  durationSecMax: SCHEDULE_BOUNDS.durationSec.max,
  frequencySecMin: SCHEDULE_BOUNDS.frequencySec.min,
  frequencySecMax: SCHEDULE_BOUNDS.frequencySec.max,
  slicesMax: 100_000,
  dummyAccounts: new Set(),
};

/** What the portfolio is judged by, when it is submitted and at each of its orders. */
export interface CourseLimits extends Pick<Settings, 'orderUsdMax' | 'blockUsdMax'> {
  readonly submit: SubmitLimits;
  /** Default: the gate limits nothing. */
  readonly controls?: ControlLimits | undefined;
}

/** Those of no deployment. */
export const WIDEST_LIMITS: CourseLimits = { submit: COURSE_LIMITS };

export const courseSettings = ({ orderUsdMax, blockUsdMax }: CourseLimits): Settings => ({
  ...COURSE_SETTINGS,
  orderUsdMax,
  blockUsdMax,
});

const COURSE_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  deployment: deploymentId('back'),
  // One process, one clock: the venue lists accepted orders at once.
  skewMs: 0,
  readLagMs: 0,
};

export function ampleBalances(instruments: readonly Instrument[]): ReadonlyMap<Currency, Money> {
  const currencies = instruments.flatMap(({ base, quote, settlement }) => [
    base,
    quote,
    settlement,
  ]);
  return new Map(currencies.map((currency) => [currency, BALANCE]));
}

export interface CourseTimes {
  readonly form: PortfolioForm;
  /** When the portfolio is submitted and starts. */
  readonly startAt: Instant;
  /** The end of the market. A portfolio without an end of its own is cancelled there. */
  readonly dataTo: Instant;
}

/** The latest possible end of the portfolio; for parts without a time limit, the end of the market. */
export function latestEnd({ form, startAt, dataTo }: CourseTimes): Instant {
  if (form.twapTrade !== undefined) {
    // Longer durations are refused when it is submitted.
    const seconds = Math.min(form.twapTrade.durationSec, COURSE_LIMITS.durationSecMax);
    return later(startAt, seconds * 1_000);
  }
  const limitMs = form.balanceTrade?.totalLimitMs ?? 0;
  return limitMs > 0 ? later(startAt, limitMs) : latest(startAt, dataTo);
}

export interface CourseEnding {
  readonly portfolio: PortfolioId;
  readonly form: PortfolioForm;
  readonly endAt: Instant;
}

export interface EndedCourse {
  readonly stored: StoredPortfolio;
  /** Its state after its last event. */
  readonly state: PortfolioState;
  /** True if it had to be cancelled because it has no end of its own and the market ends. */
  readonly isCutShort: boolean;
  readonly overAt: Instant;
  /** Until when the market counts: the end of the schedule, even if the portfolio ended earlier. */
  readonly countsTo: Instant;
}

/** Runs a submitted portfolio to its end. */
export async function endedCourse(world: World, ending: CourseEnding): Promise<EndedCourse> {
  const isCutShort = await toItsEnd(world, ending);
  const stored = must(await world.ledger.load(ending.portfolio), 'a submitted portfolio is stored');
  const state = must(
    world.engine.turns.peek(ending.portfolio),
    'an ended portfolio is kept in memory',
  );
  assert(state.version === stored.version, 'nothing is stored that was not decided here');
  const overAt = instant(must(stored.events.at(-1), 'it has events').at);
  const countsTo = ending.form.balanceTrade === undefined ? ending.endAt : overAt;
  return { stored, state, isCutShort, overAt, countsTo };
}

async function toItsEnd(world: World, { portfolio, form, endAt }: CourseEnding): Promise<boolean> {
  const isEndless = form.balanceTrade?.totalLimitMs === 0;
  await world.run(isEndless ? endAt : later(endAt, END_MARGIN_MS));
  const isCutShort = isEndless && world.isAtWork;
  if (isCutShort) {
    await world.operations.cancel(portfolio, COURSE_BY);
    await world.run(later(endAt, END_MARGIN_MS));
  }
  if (world.isAtWork) throw new Error(`portfolio ${portfolio} is not over after its end`);
  return isCutShort;
}

/** 16 hex digits over the JSON of everything that happened: runs with the same hash took the same course. */
export function traceHash(values: Iterable<unknown>): string {
  let halves: readonly [number, number] = [1, 2];
  for (const value of values) halves = hash32Twice(JSON.stringify(value), halves);
  return halves.map((half) => half.toString(16).padStart(8, '0')).join('');
}
