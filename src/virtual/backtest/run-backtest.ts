// Runs one portfolio through the production engine against a recorded market, as fast as possible. The same form
// and rows always produce the same run; its trace hash is part of the outcome.

import {
  DEFAULT_SUBMIT_LIMITS,
  SCHEDULE_BOUNDS,
  type SubmitLimits,
} from '../../core/portfolio/admission/submit-limits.ts';
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { Rejection } from '../../core/rejection.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../core/terms/settings.ts';
import { RecordedMarket } from '../../exchange/market/recorded-market.ts';
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import type { QueueModel } from '../../exchange/model/queue-model.ts';
import type { CostReads } from '../../ports/costs/cost-record.ts';
import type { StoredPortfolio } from '../../ports/ledger.ts';
import { type Money, money } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { type Currency, deploymentId, type PortfolioId, type VenueName } from '../../values/ids.ts';
import { type Instant, instant, later, latest, MINUTE_MS } from '../../values/instant.ts';
import type { RecordedEvent } from '../../values/recorded-event.ts';
import { hash32 } from '../../values/rng.ts';
import { MemoryCostRecord } from '../memory/memory-cost-record.ts';
import type { Settle } from '../virtual-clock.ts';
import { WORLD_VENUE, World } from '../world.ts';
import { Benchmarks } from './backtest-benchmarks.ts';
import { BacktestFeed } from './backtest-feed.ts';
import { type BacktestLatency, drawnLatency } from './backtest-latency.ts';
import { type BacktestReport, backtestReport } from './backtest-report.ts';

export interface BacktestOptions {
  /** Its instruments are recorded symbols. */
  readonly form: PortfolioForm;
  readonly instruments: readonly RecordedInstrument[];
  /** In time order. */
  readonly rows: AsyncIterator<readonly RecordedEvent[]>;
  /** When the portfolio is submitted and starts. */
  readonly startAt: Instant;
  /** The end of the recording. A portfolio without an end of its own is cancelled there. */
  readonly dataTo: Instant;
  /** Rows after this instant are left out. */
  readonly rowsUntil: Instant;
  /** A book without updates for this long is not trusted, and nothing is placed. */
  readonly holeMs: number;
  /** The time from a request to the exchange's answer. */
  readonly latency: BacktestLatency;
  /** Default `arrival`. */
  readonly queue?: QueueModel | undefined;
  readonly settle: Settle;
  /** Also record the market as a daemon does, for a report on costs. The run is the same with or without. */
  readonly recordsCosts?: boolean | undefined;
  /** Called after each step; must be cheap. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  readonly now: Instant;
  readonly startAt: Instant;
  readonly endAt: Instant;
  readonly rows: number;
}

/** What a report on costs is made from, half an hour after the end. */
export interface RecordedCosts {
  readonly stored: StoredPortfolio;
  readonly costs: CostReads;
  readonly venue: VenueName;
  readonly now: Instant;
}

export type BacktestOutcome =
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] }
  | {
      readonly kind: 'done';
      readonly report: BacktestReport;
      readonly events: readonly PortfolioEvent[];
      /** True if it was still active at the end of the recording. */
      readonly isCutShort: boolean;
      /** The number of recorded rows processed. */
      readonly rows: number;
      /** Identical for the same form, settings and rows on every machine. */
      readonly traceHash: string;
      /** Set if the market was recorded. */
      readonly recorded: RecordedCosts | undefined;
    };

/** More than enough: a backtest does not test what an account can afford. */
const BALANCE = money('1000000000000');
const BY = { uid: 'backtest', nickname: 'backtest' };
/** How long after its scheduled end a portfolio may take to end. */
const END_MARGIN_MS = 30 * MINUTE_MS;
/** Until the last markout of the last fill is known. */
const MARKOUT_MS = 31 * MINUTE_MS;

/** As wide as a recording can use; otherwise the admission rules apply. */
export const BACKTEST_LIMITS: SubmitLimits = {
  ...DEFAULT_SUBMIT_LIMITS,
  durationSecMin: SCHEDULE_BOUNDS.durationSec.min,
  durationSecMax: SCHEDULE_BOUNDS.durationSec.max,
  frequencySecMin: SCHEDULE_BOUNDS.frequencySec.min,
  frequencySecMax: SCHEDULE_BOUNDS.frequencySec.max,
  slicesMax: 100_000,
  dummyAccounts: new Set(),
};

export async function backtest(options: BacktestOptions): Promise<BacktestOutcome> {
  const { form, instruments, startAt, holeMs } = options;
  const market = new RecordedMarket({ instruments, holeMs, queue: options.queue });
  const endAt = latestEnd(options);
  const isOpen = form.balanceTrade !== undefined;
  const interval = { from: startAt, to: endAt };
  const benchmarks = new Benchmarks({ instruments, interval, holeMs, isOpen });
  const feed = new BacktestFeed({
    rows: options.rows,
    market,
    until: options.rowsUntil,
    onRow: (row) => benchmarks.note(row),
  });
  try {
    await feed.reach(startAt);
    const costs = options.recordsCosts ? new MemoryCostRecord() : undefined;
    const world = openWorld(options, { market, feed, endAt, benchmarks, costs });
    try {
      return await course(world, { options, feed, endAt, benchmarks, costs });
    } finally {
      await world.close();
    }
  } finally {
    await feed.close();
  }
}

interface Course {
  readonly options: BacktestOptions;
  readonly feed: BacktestFeed;
  readonly endAt: Instant;
  readonly benchmarks: Benchmarks;
  readonly costs: MemoryCostRecord | undefined;
}

/** The latest possible end of the portfolio; for parts without a time limit, the end of the recording. */
function latestEnd({ form, startAt, dataTo }: BacktestOptions): Instant {
  if (form.twapTrade !== undefined) {
    // Longer durations are refused by the submit below.
    const seconds = Math.min(form.twapTrade.durationSec, BACKTEST_LIMITS.durationSecMax);
    return later(startAt, seconds * 1_000);
  }
  const limitMs = form.balanceTrade?.totalLimitMs ?? 0;
  return limitMs > 0 ? later(startAt, limitMs) : latest(startAt, dataTo);
}

async function course(
  world: World,
  { options, feed, endAt, benchmarks, costs }: Course,
): Promise<BacktestOutcome> {
  const { form, startAt } = options;
  await world.start();
  const submitted = await world.operations.submit({ ...form, startAt, dummyAccounts: [] }, BY);
  if (submitted.kind === 'refused') return submitted;
  const { portfolio } = submitted.value;
  const isCutShort = await toItsEnd(world, { portfolio, form, endAt });
  const stored = must(await world.ledger.load(portfolio), 'a submitted portfolio is stored');
  const { events } = stored;
  const overAt = instant(must(events.at(-1), 'it has events').at);
  // The market counts until the end of the schedule, even if the portfolio ended earlier.
  const countsTo = form.balanceTrade === undefined ? endAt : overAt;
  await feed.reach(countsTo);
  const { rows } = feed;
  return {
    kind: 'done',
    report: backtestReport({ portfolio, events, figures: benchmarks.figures(countsTo) }),
    events,
    isCutShort,
    rows,
    traceHash: traceHash(events),
    recorded: costs && (await withMarkouts(world, { stored, costs, overAt })),
  };
}

interface EndedRun extends Pick<RecordedCosts, 'stored' | 'costs'> {
  readonly overAt: Instant;
}

/** Lets the half hour pass that the last markouts need. */
async function withMarkouts(
  world: World,
  { stored, costs, overAt }: EndedRun,
): Promise<RecordedCosts> {
  await world.runOn(later(latest(overAt, world.clock.now()), MARKOUT_MS));
  return { stored, costs, venue: WORLD_VENUE, now: world.clock.now() };
}

interface Ending extends Pick<Course, 'endAt'> {
  readonly portfolio: PortfolioId;
  readonly form: PortfolioForm;
}

/** Returns true if it had to be cancelled because it has no end of its own and the recording ends. */
async function toItsEnd(world: World, { portfolio, form, endAt }: Ending): Promise<boolean> {
  const isEndless = form.balanceTrade?.totalLimitMs === 0;
  await world.run(isEndless ? endAt : later(endAt, END_MARGIN_MS));
  const isCutShort = isEndless && world.isAtWork;
  if (isCutShort) {
    await world.operations.cancel(portfolio, BY);
    await world.run(later(endAt, END_MARGIN_MS));
  }
  if (world.isAtWork) throw new Error(`portfolio ${portfolio} is not over after its end`);
  return isCutShort;
}

function openWorld(
  options: BacktestOptions,
  {
    market,
    feed,
    endAt,
    benchmarks,
    costs,
  }: Omit<Course, 'options'> & { readonly market: RecordedMarket },
): World {
  const { form, startAt, onProgress } = options;
  const world: World = new World({
    startAt,
    market,
    accounts: [{ account: form.accountId, balances: balancesFor(options) }],
    settings: settingsFor(options),
    limits: BACKTEST_LIMITS,
    latencyMs: drawnLatency(options.latency),
    costRecord: costs,
    settle: options.settle,
    beforeEach: () => {
      const now = world.clock.now();
      benchmarks.passTo(now);
      onProgress?.({ now, startAt, endAt, rows: feed.rows });
      return feed.refill();
    },
  });
  return world;
}

const settingsFor = ({ holeMs }: BacktestOptions): Settings => ({
  ...DEFAULT_SETTINGS,
  deployment: deploymentId('back'),
  // One process, one clock: the venue lists accepted orders at once.
  skewMs: 0,
  readLagMs: 0,
  quoteAgeMaxMs: holeMs,
});

function balancesFor({ instruments }: BacktestOptions): ReadonlyMap<Currency, Money> {
  const currencies = instruments.flatMap(({ instrument: { base, quote, settlement } }) => [
    base,
    quote,
    settlement,
  ]);
  return new Map(currencies.map((currency) => [currency, BALANCE]));
}

/** 16 hex digits over the JSON of everything that happened: runs with the same hash took the same course. */
function traceHash(values: Iterable<unknown>): string {
  let [a, b] = [1, 2];
  for (const value of values) {
    const written = JSON.stringify(value);
    a = hash32(written, a);
    b = hash32(written, b);
  }
  return [a, b].map((half) => half.toString(16).padStart(8, '0')).join('');
}
