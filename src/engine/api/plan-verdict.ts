// Computes the verdict on a plan: collects recent books, volumes and free funds from the venue and has the core
// check the plan against them. What the venue does not report is unknown and not checked.
import { type Verdict, type VerdictQuestion, verdictOf } from '../../core/plan/verdict.ts';
import { tradesUntil } from '../../core/portfolio/admission/judge-terms.ts';
import { arrivalPrice } from '../../core/pricing/price-guards.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { PortfolioSpec } from '../../core/terms/spec.ts';
import type { OrderNeeds } from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Money } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import type { Currency } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { type Instrument, isCombo, passiveTick } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import { quoteOf } from '../order-entry/look-up-quote.ts';
import type { MarketSnapshot, MarketSnapshots } from './market-snapshots.ts';
import type { WrittenPlan } from './written-plan.ts';

/** What a verdict needs of the venue besides the snapshots. */
export type VerdictVenue = Pick<Venue, 'features' | 'margins' | 'quote'>;

export interface VerdictOptions {
  readonly spec: PortfolioSpec;
  /** The instruments of the legs, in order. */
  readonly instruments: readonly Instrument[];
  readonly plan: WrittenPlan;
  readonly venue: VerdictVenue;
  readonly looks: Pick<MarketSnapshots, 'market' | 'free'>;
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
    needs: readonly (OrderNeeds | undefined)[] = [],
  ): Verdict => verdictOf(questionOf(parts, { shown, needs }, availableOf(currencies, money)));
  if (areAllThere(markets) && areAllThere(free) && !instruments.some(isCombo)) {
    return judged(markets, free);
  }
  return Promise.all([Promise.all(markets), Promise.all(free)]).then(async ([shown, money]) => {
    const needs = shown.map((look, index) => comboNeeds(parts, look, index));
    return judged(shown, money, await Promise.all(needs));
  });
}

/** What a combo needs depends on its legs and on the venue's rules for them; `undefined` if the venue does not say it. */
async function comboNeeds(
  parts: VerdictOptions,
  look: MarketSnapshot,
  index: number,
): Promise<OrderNeeds | undefined> {
  const { spec, instruments, venue } = parts;
  const instrument = must(instruments[index], `leg ${index} has an instrument`);
  if (!isCombo(instrument) || venue.margins === undefined) return undefined;
  const { side, quantity } = must(spec.legs[index], `leg ${index} exists`);
  const quote = quoteFor(parts, look, instrument);
  const near = quote && arrivalPrice(quote);
  if (near === undefined) return undefined;
  const reply = await venue.margins.needs({
    account: spec.accountId,
    instrument: instrument.name,
    quantity,
    price: passiveTick(instrument, side, near),
  });
  return reply.kind === 'done' ? reply.value : undefined;
}

const quoteFor = (
  { venue }: VerdictOptions,
  { ticker }: MarketSnapshot,
  { name }: Instrument,
): Quote | undefined => venue.quote(name) ?? (ticker && quoteOf(ticker));

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

/** In the order of the legs. */
interface Seen {
  readonly shown: readonly MarketSnapshot[];
  readonly needs: readonly (OrderNeeds | undefined)[];
}

function questionOf(
  parts: VerdictOptions,
  { shown, needs }: Seen,
  available: ReadonlyMap<Currency, Money>,
): VerdictQuestion {
  const { spec, plan, venue, settings } = parts;
  return {
    spec,
    startAt: spec.startAt,
    endAt: tradesUntil(spec),
    legs: shown.map((look, index) => ({
      ...legQuestion(parts, look, index),
      needs: needs[index]?.[must(spec.legs[index], `leg ${index} exists`).side],
    })),
    dueAts: plan.dueAts,
    available,
    orderRate: venue.features.orderRate,
    blockUsdMax: settings.blockUsdMax,
  };
}

function legQuestion(
  parts: VerdictOptions,
  look: MarketSnapshot,
  index: number,
): VerdictQuestion['legs'][number] {
  const { spec, instruments, plan, settings, now } = parts;
  const { book, ticker } = look;
  const leg = must(spec.legs[index], `leg ${index} exists`);
  const instrument = must(instruments[index], `leg ${index} has an instrument`);
  const quote = quoteFor(parts, look, instrument);
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
