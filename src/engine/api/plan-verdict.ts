// Computes the verdict on a plan: collects recent books, volumes and free funds from the venue and has the core
// check the plan against them. What the venue does not report is unknown and not checked.
import { type Verdict, type VerdictQuestion, verdictOf } from '../../core/plan/verdict.ts';
import { endAt } from '../../core/portfolio/aggregate/positions.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { PortfolioSpec } from '../../core/terms/spec.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Money } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { Currency } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import { quoteOf } from '../order-entry/look-up-quote.ts';
import type { MarketSnapshot, MarketSnapshots } from './market-snapshots.ts';
import type { WrittenPlan } from './written-plan.ts';

export interface VerdictOptions {
  readonly spec: PortfolioSpec;
  /** The instruments of the legs, in order. */
  readonly instruments: readonly Instrument[];
  readonly plan: WrittenPlan;
  readonly venue: Venue;
  readonly looks: MarketSnapshots;
  readonly settings: Settings;
  readonly now: Instant;
}

/** Synchronous if all snapshots are cached. Rejects if the venue does. */
export function planVerdict(parts: VerdictOptions): Verdict | Promise<Verdict> {
  const { spec, instruments, looks } = parts;
  const currencies = currenciesOf(instruments);
  const markets = instruments.map(({ name }) => looks.market(name));
  const free = currencies.map((currency) => looks.free(spec.accountId, currency));
  const judged = (
    shown: readonly MarketSnapshot[],
    money: readonly (Money | undefined)[],
  ): Verdict => verdictOf(questionOf(parts, shown, availableOf(currencies, money)));
  return areAllThere(markets) && areAllThere(free)
    ? judged(markets, free)
    : Promise.all([Promise.all(markets), Promise.all(free)]).then(([shown, money]) =>
        judged(shown, money),
      );
}

const areAllThere = <T>(values: readonly (T | Promise<T>)[]): values is readonly T[] =>
  !values.some((value) => value instanceof Promise);

function currenciesOf(instruments: readonly Instrument[]): readonly Currency[] {
  const currencies = new Set<Currency>();
  for (const { kind, base, quote, settlement } of instruments) {
    if (kind === 'spot') currencies.add(quote).add(base);
    else currencies.add(settlement);
  }
  return [...currencies];
}

function availableOf(
  currencies: readonly Currency[],
  money: readonly (Money | undefined)[],
): ReadonlyMap<Currency, Money> {
  const available = new Map<Currency, Money>();
  currencies.forEach((currency, index) => {
    const free = money[index];
    if (free !== undefined) available.set(currency, free);
  });
  return available;
}

function questionOf(
  parts: VerdictOptions,
  shown: readonly MarketSnapshot[],
  available: ReadonlyMap<Currency, Money>,
): VerdictQuestion {
  const { spec, plan, venue, settings } = parts;
  const { extendMs = 0, rfq } = spec.execution;
  return {
    spec,
    startAt: spec.startAt,
    endAt: later(endAt(spec), extendMs + (rfq?.waitMs ?? 0)),
    legs: shown.map((look, index) => legQuestion(parts, look, index)),
    dueAts: plan.dueAts,
    available,
    orderRate: venue.features.orderRate,
    blockUsdMax: settings.blockUsdMax,
  };
}

function legQuestion(
  { spec, instruments, plan, venue, settings, now }: VerdictOptions,
  { book, ticker }: MarketSnapshot,
  index: number,
): VerdictQuestion['legs'][number] {
  const leg = must(spec.legs[index], `leg ${index} exists`);
  const instrument = must(instruments[index], `leg ${index} has an instrument`);
  const quote = venue.quote(instrument.name) ?? (ticker && quoteOf(ticker));
  const side = leg.side === 'buy' ? 'ask' : 'bid';
  const best = quote?.[side];
  return {
    spec: leg,
    instrument,
    sizes: leg.hedge ? [leg.quantity] : (plan.sizes[index] ?? []),
    quote,
    levels: book?.[`${side}s`] ?? (best === undefined ? [] : [best]),
    dayVolume: ticker?.stats.volume,
    now,
    quoteAgeMaxMs: settings.quoteAgeMaxMs,
  };
}
