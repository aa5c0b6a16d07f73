// Quotes of watched instruments, without our own orders, so that a pricing rule that follows the market does not follow
// itself. A quote is `undefined` from a break until everything it is made of has come again; `seenAt` is when its prices
// were last confirmed. Only an open book has sides to trade on; they stay during a settlement, which takes seconds and
// leaves orders in the book, so that no resting order is cancelled for it. The prices of the venue's model stay always.
//
// To be measured (docs/deribit.md): that the book and its best prices are published unchanged during a settlement.
import type { Clock, StopTimer } from '../../../ports/clock.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { BookState, MarketNews } from '../../../ports/market-reads.ts';
import type { QuoteChanged } from '../../../ports/venue.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { later } from '../../../values/instant.ts';
import type { Quote } from '../../../values/quote.ts';
import type { Rng } from '../../../values/rng.ts';
import type { OwnOrders } from '../orders/own-orders.ts';
import { LiveMarket } from './live-market.ts';
import type { PublicChannels } from './public-channels.ts';

export interface QuoteBoardOptions {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly subscriptions: PublicChannels;
  readonly own: Pick<OwnOrders, 'inBook'>;
  readonly tally: WireTally;
  readonly isRouted: (name: InstrumentName) => boolean;
  readonly onFault: (error: unknown) => void;
}

const CHECK_MS = 1_000;
const WITH_SIDES: ReadonlySet<BookState> = new Set(['open', 'settlement']);

export class QuoteBoard {
  readonly #parts: QuoteBoardOptions;
  readonly #markets = new Map<InstrumentName, LiveMarket>();
  #stopCheck: StopTimer | undefined;

  constructor(parts: QuoteBoardOptions) {
    this.#parts = parts;
  }

  /** Counts one watcher, whose `onChange` is called, until the returned function is called. */
  watch(name: InstrumentName, onChange?: QuoteChanged): () => void {
    return this.#join(name, (market) => onChange && market.watch(onChange));
  }

  /** As `watch`, and notifies the listener. */
  follow(name: InstrumentName, listener: (news: MarketNews) => void): () => void {
    return this.#join(name, (market) => market.follow(listener));
  }

  /** What is known of an instrument that is watched or followed. */
  live(name: InstrumentName): LiveMarket | undefined {
    return this.#markets.get(name);
  }

  quote(name: InstrumentName): Quote | undefined {
    const market = this.#markets.get(name);
    const { ticker, levels } = market ?? {};
    if (market === undefined || ticker === undefined || levels === undefined) return undefined;
    const hasSides = WITH_SIDES.has(ticker.state);
    return {
      instrument: name,
      bid: hasSides ? market.best('buy') : undefined,
      ask: hasSides ? market.best('sell') : undefined,
      mark: ticker.mark,
      index: ticker.index,
      last: ticker.last,
      underlying: ticker.underlying,
      markIv: ticker.markIv,
      greeks: ticker.greeks,
      fundingRate: ticker.currentFunding,
      traded: market.traded,
      tradedValue: market.tradedValue,
      minPrice: ticker.minPrice,
      maxPrice: ticker.maxPrice,
      seenAt: levels.seenAt,
    };
  }

  down(): void {
    for (const market of this.#markets.values()) market.down();
  }

  close(): void {
    this.#stopCheck?.();
    this.#stopCheck = undefined;
  }

  #join(name: InstrumentName, joined: (market: LiveMarket) => (() => void) | undefined) {
    const market = this.#markets.get(name) ?? this.#open(name);
    market.followers += 1;
    const leave = joined(market);
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      leave?.();
      market.followers -= 1;
      if (market.followers > 0) return;
      this.#markets.delete(name);
      market.close();
    };
  }

  #open(name: InstrumentName): LiveMarket {
    const { rng, isRouted, ...parts } = this.#parts;
    const hasTape = !isRouted(name);
    const market = new LiveMarket({ ...parts, name, hasTape, rng: rng.split(name) });
    this.#markets.set(name, market);
    if (this.#stopCheck === undefined) this.#scheduleCheck();
    return market;
  }

  #scheduleCheck(): void {
    const { clock } = this.#parts;
    this.#stopCheck = clock.at(later(clock.now(), CHECK_MS), () => {
      this.#stopCheck = undefined;
      for (const market of this.#markets.values()) market.check();
      if (this.#markets.size > 0) this.#scheduleCheck();
    });
  }
}
