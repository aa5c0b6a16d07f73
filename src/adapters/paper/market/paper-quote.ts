// Maps the exchange's view of one book to a quote of the venue port.
import type { Exchange } from '../../../exchange/exchange.ts';
import { toNumber } from '../../../values/amounts.ts';
import type { AccountId, InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Quote } from '../../../values/quote.ts';

/** `undefined` until the market source has published the instrument. Orders of `without` are excluded. */
export function paperQuote(
  exchange: Exchange,
  instrument: InstrumentName,
  { seenAt, without }: { readonly seenAt: Instant; readonly without: ReadonlySet<AccountId> },
): Quote | undefined {
  const { bid, ask } =
    without.size === 0 ? exchange.best(instrument) : exchange.bestWithout(instrument, without);
  const reference = exchange.reference(instrument);
  if (reference === undefined && bid === undefined && ask === undefined) return undefined;
  return {
    instrument,
    bid,
    ask,
    mark: reference?.mark,
    index: reference?.index,
    last: exchange.lastTrade(instrument)?.price,
    underlying: reference?.underlying,
    markIv: reference?.markIv,
    greeks: reference?.greeks,
    fundingRate: reference?.currentFunding && toNumber(reference.currentFunding),
    traded: exchange.traded(instrument),
    tradedValue: exchange.tradedValue(instrument),
    minPrice: reference?.minPrice,
    maxPrice: reference?.maxPrice,
    seenAt,
  };
}
