// Quotes of watched instruments, excluding our own orders, so that a pricing rule that follows the market
// does not follow itself. A quote from a connection that broke is dropped.

import type { Clock } from '../../../ports/clock.ts';
import type { Ticker } from '../../../ports/market-reads.ts';
import {
  isPositive,
  minus,
  plus,
  type Quantity,
  text,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { PriceLevel, Quote } from '../../../values/quote.ts';
import type { Channels } from '../connection/channels.ts';
import { readAs } from '../outcome.ts';
import type { OwnOrders } from '../own-orders.ts';
import { type Depth, depthIn, tickerIn } from './market-wire.ts';

export interface QuoteBoardOptions {
  readonly clock: Clock;
  readonly channels: Channels;
  readonly own: OwnOrders;
  readonly onFault: (error: unknown) => void;
}

interface Watched {
  watchers: number;
  readonly leave: () => void;
  ticker?: Ticker | undefined;
  depth?: Depth | undefined;
  /** The time of the venue's last publication, on our clock. */
  seenAt?: Instant | undefined;
  /** Growth of its 24-hour volume while it was watched: a lower bound of the traded volume. */
  traded: Quantity;
  volume: Quantity | undefined;
}

export class QuoteBoard {
  readonly #parts: QuoteBoardOptions;
  readonly #watched = new Map<InstrumentName, Watched>();

  constructor(parts: QuoteBoardOptions) {
    this.#parts = parts;
  }

  /** Counts one watcher until the returned function is called. */
  watch(name: InstrumentName): () => void {
    const watched = this.#watched.get(name) ?? this.#begin(name);
    watched.watchers += 1;
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      watched.watchers -= 1;
      if (watched.watchers > 0) return;
      this.#watched.delete(name);
      watched.leave();
    };
  }

  /** `undefined` until the venue has published it on the current connection. */
  quote(name: InstrumentName): Quote | undefined {
    const watched = this.#watched.get(name);
    const { ticker, seenAt } = watched ?? {};
    if (watched === undefined || ticker === undefined || seenAt === undefined) return undefined;
    return {
      instrument: name,
      bid: this.#best(name, 'buy', watched.depth?.bids ?? listOf(ticker.bid)),
      ask: this.#best(name, 'sell', watched.depth?.asks ?? listOf(ticker.ask)),
      mark: ticker.mark,
      index: ticker.index,
      last: ticker.last,
      underlying: ticker.underlying,
      markIv: ticker.markIv,
      greeks: ticker.greeks,
      traded: watched.traded,
      minPrice: ticker.minPrice,
      maxPrice: ticker.maxPrice,
      seenAt,
    };
  }

  down(): void {
    for (const watched of this.#watched.values()) {
      watched.ticker = undefined;
      watched.depth = undefined;
      watched.seenAt = undefined;
    }
  }

  #begin(name: InstrumentName): Watched {
    const { channels } = this.#parts;
    const ticker = `ticker.${name}.raw`;
    const leaves = [
      channels.listen(ticker, (data) => this.#hearTicker(watched, data)),
      channels.listen(`book.${name}.none.20.raw`, (data) => this.#hearDepth(watched, data)),
    ];
    const leave = (): void => {
      for (const each of leaves) each();
    };
    const watched: Watched = { watchers: 0, leave, traded: ZERO_QUANTITY, volume: undefined };
    this.#watched.set(name, watched);
    // Another listener may be subscribed already.
    const last = channels.lastOf(ticker);
    if (last !== undefined) this.#hearTicker(watched, last);
    return watched;
  }

  #hearTicker(watched: Watched, data: unknown): void {
    const read = readAs(tickerIn, data, 'a ticker');
    if ('fault' in read) return this.#parts.onFault(read.fault);
    const { volume } = read.value.stats;
    const grown = minus(volume, watched.volume ?? volume);
    if (isPositive(grown)) watched.traded = plus(watched.traded, grown);
    watched.volume = volume;
    watched.ticker = read.value;
    watched.seenAt = this.#parts.clock.now();
  }

  #hearDepth(watched: Watched, data: unknown): void {
    const read = readAs(depthIn, data, 'a book');
    if ('fault' in read) return this.#parts.onFault(read.fault);
    watched.depth = read.value;
    watched.seenAt = this.#parts.clock.now();
  }

  #best(
    name: InstrumentName,
    side: 'buy' | 'sell',
    levels: readonly PriceLevel[],
  ): PriceLevel | undefined {
    return bestOfOthers(levels, this.#parts.own.shown(name, side));
  }
}

const listOf = (level: PriceLevel | undefined): readonly PriceLevel[] =>
  level === undefined ? [] : [level];

/** The best level after subtracting our own quantity. */
export function bestOfOthers(
  levels: readonly PriceLevel[],
  own: ReadonlyMap<string, Quantity>,
): PriceLevel | undefined {
  if (own.size === 0) return levels[0];
  for (const level of levels) {
    const ours = own.get(text(level.price));
    if (ours === undefined) return level;
    const quantity = minus(level.quantity, ours);
    if (isPositive(quantity)) return { price: level.price, quantity };
  }
  return undefined;
}
