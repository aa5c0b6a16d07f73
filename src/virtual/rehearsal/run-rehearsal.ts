// Runs one portfolio through the production engine on the seeded paper market, in virtual time. The market is a function of
// its seed, its regime and the time at which it begins, so the same options always take the same course.
import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type { Rejection } from '../../core/rejection.ts';
import { withNames } from '../../core/terms/chosen-names.ts';
import type { PortfolioForm } from '../../core/terms/form.ts';
import type { Market } from '../../core/terms/instrument-choice.ts';
import { seededMarket } from '../../exchange/market/market.ts';
import type { MarketSource } from '../../exchange/market/market-source.ts';
import type { Regime } from '../../exchange/market/regimes.ts';
import { type InstrumentName, instrumentName } from '../../values/ids.ts';
import { DAY_MS, type Instant, later } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { type BacktestLatency, drawnLatency } from '../backtest/backtest-latency.ts';
import { type BacktestReport, backtestReport } from '../backtest/backtest-report.ts';
import {
  ampleBalances,
  COURSE_BY,
  type CourseLimits,
  courseSettings,
  endedCourse,
  latestEnd,
  traceHash,
  WIDEST_LIMITS,
} from '../backtest/virtual-course.ts';
import type { Settle } from '../virtual-clock.ts';
import { World } from '../world.ts';
import { MarketWatch } from './market-watch.ts';

export interface RehearsalOptions {
  /** Its legs may choose their instruments, from those that are listed at the start. */
  readonly form: PortfolioForm;
  /** Seed of the market, as in the configuration of a paper venue. */
  readonly seed: string;
  readonly regime: Regime;
  /** When the market begins, at its starting prices. */
  readonly bornAt: Instant;
  /** When the portfolio is submitted and starts; not before `bornAt`. Parts without a time limit end a day later. */
  readonly startAt: Instant;
  readonly latency: BacktestLatency;
  /** Default: the widest, and no controls. */
  readonly limits?: CourseLimits | undefined;
  readonly settle: Settle;
}

export type RehearsalOutcome =
  | { readonly kind: 'refused'; readonly rejections: readonly Rejection[] }
  | {
      readonly kind: 'done';
      readonly report: BacktestReport;
      readonly events: readonly PortfolioEvent[];
      /** True if it was cancelled because it has no end of its own. */
      readonly isCutShort: boolean;
      /** Identical for the same options on every machine. */
      readonly traceHash: string;
    };

export async function rehearse(options: RehearsalOptions): Promise<RehearsalOutcome> {
  const { seed, regime, bornAt, startAt, latency, settle, limits = WIDEST_LIMITS } = options;
  const market = seededMarket({ seed, startAt: bornAt, regime });
  const named = withNames(options.form, listedAt(market, startAt));
  if (named.kind === 'refused') return named;
  const form = named.value;
  const names = [...new Set(form.legs.map((leg) => leg.instrument))].map(instrumentName);
  const listed = names.flatMap((name) => market.instrument(name, startAt) ?? []);
  const world = new World({
    startAt,
    market,
    settle,
    accounts: [{ account: form.accountId, balances: ampleBalances(listed) }],
    settings: courseSettings(limits),
    limits: limits.submit,
    controls: limits.controls,
    latencyMs: drawnLatency(latency),
  });
  try {
    return await course(world, listed, { ...options, form });
  } finally {
    await world.close();
  }
}

/** What a daemon chooses from: everything that is listed, with indexes. */
function listedAt(market: MarketSource, now: Instant): Market {
  const instruments = market.instruments(now);
  return {
    instruments,
    now,
    index: (name) => {
      const witness = instruments.find((each) => each.indexName === name && !each.expiresAt);
      return witness && market.reference(witness.name, now)?.index;
    },
  };
}

async function course(
  world: World,
  listed: readonly Instrument[],
  { form, startAt }: RehearsalOptions,
): Promise<RehearsalOutcome> {
  await world.start();
  const submitted = await world.submit({ ...form, startAt, dummyAccounts: [] }, COURSE_BY);
  if (submitted.kind === 'refused') return submitted;
  const { portfolio } = submitted.value;
  const endAt = latestEnd({ form, startAt, dataTo: later(startAt, DAY_MS) });
  const interval = { from: startAt, to: endAt };
  const watches = new Map<InstrumentName, MarketWatch>(
    listed.map((each) => [each.name, new MarketWatch(world.venue, each, interval)]),
  );
  try {
    const ended = await endedCourse(world, { portfolio, form, endAt });
    const { stored, state, isCutShort, countsTo } = ended;
    const { events } = stored;
    if (world.clock.now() < countsTo) await world.runOn(countsTo);
    const own = ownTrades(events);
    const figures = new Map(
      [...watches].map(([name, watch]) => [name, watch.figures(countsTo, own)]),
    );
    const report = backtestReport({ state, events, figures });
    return { kind: 'done', report, events, isCutShort, traceHash: traceHash(events) };
  } finally {
    for (const watch of watches.values()) watch.close();
  }
}

const ownTrades = (events: readonly PortfolioEvent[]): ReadonlySet<string> =>
  new Set(events.flatMap((event) => (event.kind === 'fill_booked' ? [event.tradeId] : [])));
