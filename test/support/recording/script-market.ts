// A venue's market that a test moves: books, tickers and trades as set, answers that fail or never come.

import type { PublicTrade } from '../../../src/ports/market-history.ts';
import type { BookView, MarketNews, MarketReads, Ticker } from '../../../src/ports/market-reads.ts';
import { MarketUnanswered } from '../../../src/ports/market-reads.ts';
import type { VenueNotice } from '../../../src/ports/trading-desk.ts';
import { price, quantity } from '../../../src/values/amounts.ts';
import { FanOut } from '../../../src/values/fan-out.ts';
import {
  type InstrumentName,
  tradeId,
  type VenueName,
  venueName,
} from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import type { Instrument, Side } from '../../../src/values/instrument.ts';

export class ScriptMarket {
  readonly name: VenueName = venueName('script');
  readonly market: MarketReads;
  instruments: readonly Instrument[];
  trouble: () => string | undefined = () => undefined;
  /** Names whose queries fail. */
  readonly failing = new Set<InstrumentName>();
  /** Names whose queries are never answered. */
  readonly silent = new Set<InstrumentName>();
  readonly books = new Map<InstrumentName, { bid: string; ask: string }>();
  readonly followed = new Set<InstrumentName>();
  /** Every query waits for this. */
  gate: Promise<void> = Promise.resolve();
  queries = 0;
  readonly #now: () => Instant;
  readonly #listeners = new Map<InstrumentName, FanOut<MarketNews>>();
  readonly #notices = new FanOut<VenueNotice>((error) => {
    throw error;
  });

  constructor(instruments: readonly Instrument[], now: () => Instant) {
    this.instruments = instruments;
    this.#now = now;
    this.market = {
      listed: () => this.instruments,
      instrument: (name) => this.instruments.find((one) => one.name === name),
      ticker: (name) => this.#answer(name, () => this.#ticker(name)),
      book: (name) => this.#answer(name, () => this.#book(name)),
      index: () => Promise.resolve(undefined),
      indexNames: () => [],
      history: () => Promise.resolve(undefined),
      follow: (name, listener) => this.#follow(name, listener),
    };
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    return this.#notices.add(listener);
  }

  reconnect(): void {
    this.#notices.send([{ kind: 'reconnected', accounts: [] }]);
  }

  /** Sets the best prices, each with a size of 10. */
  move(name: InstrumentName, bid: string, ask: string): void {
    this.books.set(name, { bid, ask });
    this.#listeners.get(name)?.send([{ kind: 'market', instrument: name }]);
  }

  trade(instrument: InstrumentName, tradeSeq: number, change: Partial<PublicTrade> = {}): void {
    const side: Side = 'buy';
    const trade: PublicTrade = {
      tradeId: tradeId(`t${tradeSeq}`),
      tradeSeq,
      instrument,
      side,
      tickDirection: 0,
      price: price('100.5'),
      quantity: quantity('10'),
      at: this.#now(),
      ...change,
    };
    this.#listeners.get(instrument)?.send([{ kind: 'trade', trade }]);
  }

  #follow(name: InstrumentName, listener: (news: MarketNews) => void): () => void {
    const listeners =
      this.#listeners.get(name) ??
      new FanOut<MarketNews>((error) => {
        throw error;
      });
    this.#listeners.set(name, listeners);
    this.followed.add(name);
    const leave = listeners.add(listener);
    return () => {
      leave();
      this.followed.delete(name);
    };
  }

  async #answer<T>(name: InstrumentName, read: () => T): Promise<T> {
    this.queries += 1;
    await this.gate;
    if (this.silent.has(name)) await new Promise<void>(() => undefined);
    if (this.failing.has(name) || this.trouble() !== undefined) {
      throw new MarketUnanswered('no answer');
    }
    return read();
  }

  #book(instrument: InstrumentName): BookView {
    const { bid, ask } = this.books.get(instrument) ?? { bid: '100', ask: '101' };
    return {
      instrument,
      at: this.#now(),
      state: 'open',
      changeId: 1,
      bids: [{ price: price(bid), quantity: quantity('10') }],
      asks: [{ price: price(ask), quantity: quantity('10') }],
    };
  }

  #ticker(instrument: InstrumentName): Ticker {
    const { bid, ask } = this.books.get(instrument) ?? { bid: '100', ask: '101' };
    return {
      instrument,
      at: this.#now(),
      state: 'open',
      stats: { volume: quantity('0') },
      bid: { price: price(bid), quantity: quantity('10') },
      ask: { price: price(ask), quantity: quantity('10') },
      mark: price('100.25'),
      index: price('100.125'),
    };
  }
}
