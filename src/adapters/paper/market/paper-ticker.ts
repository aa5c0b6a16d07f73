// Maps the exchange's view of one market to the ticker and the book of the order API.
import { optionTerms, volatilityOf } from '../../../core/pricing/option-price.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import type { Reference } from '../../../exchange/model/market-view.ts';
import type { MarketStats } from '../../../exchange/queries/market-facts.ts';
import type { BookView, Ticker } from '../../../ports/market-reads.ts';
import { text, toNumber } from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument, TermsOf } from '../../../values/instrument.ts';
import { futureNameOf } from '../../../values/instrument-names.ts';
import type { PriceLevel } from '../../../values/quote.ts';

/** `undefined` if the exchange does not know the instrument. */
export function paperTicker(
  exchange: Exchange,
  name: InstrumentName,
  { now, termsOf }: { readonly now: Instant; readonly termsOf: TermsOf },
): Ticker | undefined {
  const instrument = exchange.instrument(name);
  const facts = exchange.market(name, now);
  if (instrument === undefined || facts === undefined) return undefined;
  const { stats, changeId: _changeId, ...prices } = facts;
  const reference = exchange.reference(name);
  const { bid, ask } = exchange.best(name);
  return {
    instrument: name,
    at: now,
    ...prices,
    ...(exchange.combo(name)?.state === 'inactive' && { isInactive: true }),
    bid,
    ask,
    last: exchange.lastTrade(name)?.price,
    mark: reference?.mark,
    index: reference?.index,
    minPrice: reference?.minPrice,
    maxPrice: reference?.maxPrice,
    stats: dayStats(stats, instrument),
    ...(instrument.kind === 'option' && optionFields(instrument, reference, { bid, ask, now })),
    ...(instrument.kind === 'option' && { underlyingName: underlyingName(instrument, termsOf) }),
    funding8h: reference?.fundingRate8h && toNumber(reference.fundingRate8h),
    currentFunding: reference?.currentFunding && toNumber(reference.currentFunding),
  };
}

/** At most `depth` levels per side; `undefined` if the exchange does not know the instrument. */
export function paperBook(
  exchange: Exchange,
  name: InstrumentName,
  { depth, now }: { readonly depth: number; readonly now: Instant },
): BookView | undefined {
  const facts = exchange.market(name, now);
  if (facts === undefined) return undefined;
  const { state, changeId } = facts;
  return { instrument: name, at: now, state, changeId, ...exchange.depth(name, depth) };
}

/** The value of what a routed pair traded is not published. */
const dayStats = (
  { volume, volumeUsd, high, low, change }: MarketStats,
  { isRouted }: Instrument,
): Ticker['stats'] => ({
  volume,
  volumeUsd: isRouted === true ? undefined : text(volumeUsd),
  high,
  low,
  priceChange: change && Math.round(change * 1_000_000) / 10_000,
});

function optionFields(
  instrument: Instrument,
  reference: Reference | undefined,
  {
    bid,
    ask,
    now,
  }: {
    readonly bid?: PriceLevel | undefined;
    readonly ask?: PriceLevel | undefined;
    readonly now: Instant;
  },
): Partial<Ticker> {
  if (reference === undefined) return {};
  const { index, underlying, markIv, greeks } = reference;
  const quote = { instrument: instrument.name, index, underlying, seenAt: reference.at };
  const terms = optionTerms(instrument, quote, now);
  const ivOf = (level: PriceLevel | undefined): number | undefined =>
    level && terms && volatilityOf(instrument, terms, level.price);
  return { markIv, bidIv: ivOf(bid), askIv: ivOf(ask), underlying, greeks };
}

/** The future of the same expiry; if none is listed, the venue's synthetic name. */
function underlyingName({ name }: Instrument, termsOf: TermsOf): string {
  const future = futureNameOf(name);
  return termsOf(future) === undefined ? `SYN.${future}` : future;
}
