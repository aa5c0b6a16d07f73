// The exchange's view of one market as the ticker and the book of the trading desk.
import type { Exchange } from '../../exchange/exchange.ts';
import type { BookView, Ticker } from '../../ports/market-reads.ts';
import { ZERO_QUANTITY } from '../../values/amounts.ts';
import type { InstrumentName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

/** `undefined` for an instrument the exchange does not know. */
export function paperTicker(
  exchange: Exchange,
  name: InstrumentName,
  now: Instant,
): Ticker | undefined {
  if (exchange.instrument(name) === undefined) return undefined;
  const reference = exchange.reference(name);
  const { bid, ask } = exchange.best(name);
  return {
    instrument: name,
    at: now,
    state: 'open',
    bid,
    ask,
    last: exchange.lastTrade(name)?.price,
    mark: reference?.mark,
    index: reference?.index,
    minPrice: reference?.minPrice,
    maxPrice: reference?.maxPrice,
    stats: { volume: ZERO_QUANTITY },
    markIv: reference?.markIv,
    underlying: reference?.underlying,
    greeks: reference?.greeks,
    funding8h: reference?.fundingRate8h?.toNumber(),
    currentFunding: reference?.currentFunding?.toNumber(),
  };
}

/** At most `depth` levels of each side; `undefined` for an instrument the exchange does not know. */
export function paperBook(
  exchange: Exchange,
  name: InstrumentName,
  { depth, now }: { readonly depth: number; readonly now: Instant },
): BookView | undefined {
  if (exchange.instrument(name) === undefined) return undefined;
  const { bids, asks } = exchange.depth(name, depth);
  return { instrument: name, at: now, state: 'open', changeId: 0, bids, asks };
}
