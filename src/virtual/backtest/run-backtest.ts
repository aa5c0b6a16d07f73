// Runs one portfolio through the production engine against a recorded market, as fast as possible. The same form
// and rows always produce the same run; its trace hash is part of the outcome.

import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { Rejection } from '../../core/rejection.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import { ImpliedBook } from '../../exchange/market/implied-book.ts';
import type { ImpactModel } from '../../exchange/market/own-impact.ts';
import { RecordedMarket } from '../../exchange/market/recorded-market.ts';
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import type { QueueModel } from '../../exchange/model/queue-model.ts';
import type { CostReads } from '../../ports/costs/cost-record.ts';
import type { StoredPortfolio } from '../../ports/ledger.ts';
import type { VenueName } from '../../values/ids.ts';
import { type Instant, later, latest, MINUTE_MS } from '../../values/instant.ts';
import { MemoryCostRecord } from '../memory/memory-cost-record.ts';
import type { Settle } from '../virtual-clock.ts';
import { WORLD_VENUE, World } from '../world.ts';
import { Benchmarks } from './backtest-benchmarks.ts';
import { BacktestFeed, type RecordedBatch } from './backtest-feed.ts';
import { type BacktestLatency, drawnLatency } from './backtest-latency.ts';
import { type BacktestReport, backtestReport } from './backtest-report.ts';
import { withImpliedRows } from './implied-rows.ts';
import {
  ampleBalances,
  COURSE_BY,
  type CourseLimits,
  courseSettings,
  endedCourse,
  latestEnd,
  traceHash,
  WIDEST_LIMITS,
} from './virtual-course.ts';

export interface BacktestOptions {
  /** Its instruments are recorded symbols. */
  readonly form: PortfolioForm;
  /** The legs of a combo before it, whether the portfolio trades them or not. */
  readonly instruments: readonly RecordedInstrument[];
  /** In time order. */
  readonly rows: AsyncIterator<RecordedBatch>;
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
  /** Default: the widest, and no controls. */
  readonly limits?: CourseLimits | undefined;
  /** Default `arrival`. */
  readonly queue?: QueueModel | undefined;
  /** What our own orders do to the prices of following rows. Default: nothing. */
  readonly impact?: ImpactModel | undefined;
  readonly settle: Settle;
  /** Show the exchange each row in its time, even those that concern no order. The run is the same, and slower. */
  readonly showsEachRow?: boolean | undefined;
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
      /** The number of recorded rows up to the end. */
      readonly rows: number;
      /** Identical for the same form, settings and rows on every machine. */
      readonly traceHash: string;
      /** Set if the market was recorded. */
      readonly recorded: RecordedCosts | undefined;
    };

/** Until the last markout of the last fill is known. */
const MARKOUT_MS = 31 * MINUTE_MS;

export async function backtest(options: BacktestOptions): Promise<BacktestOutcome> {
  const { form, instruments, startAt, holeMs } = options;
  const market = new RecordedMarket({
    instruments,
    holeMs,
    queue: options.queue,
    impact: options.impact,
    mayPass: options.showsEachRow !== true,
  });
  const endAt = latestEnd(options);
  const isOpen = form.balanceTrade !== undefined;
  const interval = { from: startAt, to: endAt };
  const benchmarks = new Benchmarks({ instruments, interval, holeMs, isOpen });
  const feed = new BacktestFeed({
    rows: rowsFor(options),
    market,
    until: options.rowsUntil,
    onRows: (rows) => benchmarks.note(rows),
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

/** With those of the combos whose books are implied by their legs. */
function rowsFor({ rows, instruments, holeMs }: BacktestOptions): AsyncIterator<RecordedBatch> {
  const implied = instruments.filter(({ isImplied }) => isImplied === true);
  if (implied.length === 0) return rows;
  return withImpliedRows(
    rows,
    implied.map((combo) => new ImpliedBook(combo, instruments, holeMs)),
  );
}

interface Course {
  readonly options: BacktestOptions;
  readonly feed: BacktestFeed;
  readonly endAt: Instant;
  readonly benchmarks: Benchmarks;
  readonly costs: MemoryCostRecord | undefined;
}

async function course(
  world: World,
  { options, feed, endAt, benchmarks, costs }: Course,
): Promise<BacktestOutcome> {
  const { form, startAt } = options;
  await world.start();
  const submitted = await world.submit({ ...form, startAt, dummyAccounts: [] }, COURSE_BY);
  if (submitted.kind === 'refused') return submitted;
  const { portfolio } = submitted.value;
  const ended = await endedCourse(world, { portfolio, form, endAt });
  const { stored, state, isCutShort, overAt, countsTo } = ended;
  const { events } = stored;
  await feed.reach(countsTo);
  const rows = feed.rowsTo(latest(countsTo, world.clock.now()));
  return {
    kind: 'done',
    report: backtestReport({ state, events, figures: benchmarks.figures(countsTo) }),
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
  const { form, startAt, onProgress, limits = WIDEST_LIMITS } = options;
  const listed = options.instruments.map(({ instrument }) => instrument);
  const world: World = new World({
    startAt,
    market,
    accounts: [{ account: form.accountId, balances: ampleBalances(listed) }],
    settings: { ...courseSettings(limits), quoteAgeMaxMs: options.holeMs },
    limits: limits.submit,
    controls: limits.controls,
    latencyMs: drawnLatency(options.latency),
    costRecord: costs,
    settle: options.settle,
    beforeEach: () => {
      const now = world.clock.now();
      benchmarks.passTo(now);
      feed.passTo(now);
      onProgress?.({ now, startAt, endAt, rows: feed.rows });
      return feed.refill();
    },
  });
  return world;
}
