// The public market data of Deribit: instruments from the catalogue; tickers and books of what is followed from memory
// while they are fresh, because each query costs a share of the rate; the rest by query.

import { tickerIn } from '../../../ports/deribit-wire/ticker-rows.ts';
import type { HistoryKinds } from '../../../ports/market-history.ts';
import type { BookView, MarketNews, MarketReads, Ticker } from '../../../ports/market-reads.ts';
import type { Price } from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { bookViewIn } from './book-message.ts';
import { DeribitHistory } from './deribit-history.ts';
import type { InstrumentCatalogue } from './instrument-catalogue.ts';
import { bestLevels } from './level-book.ts';
import type { LiveMarket } from './live-market.ts';
import { MarketQueries, type MarketQueriesOptions } from './market-queries.ts';
import type { QuoteBoard } from './quote-board.ts';

export interface DeribitMarketDeskOptions extends MarketQueriesOptions {
  readonly instruments: InstrumentCatalogue;
  readonly quotes: QuoteBoard;
  readonly now: () => Instant;
  readonly venueNow: () => Instant;
}

/** The depths that the venue answers. */
const DEPTHS = [1, 5, 10, 20, 50, 100, 1_000, 10_000] as const;
const DEEPEST = 10_000;
/** A ticker is repeated every 5 s. */
const FRESH_MS = 10_000;

export class DeribitMarketDesk implements MarketReads {
  readonly #parts: DeribitMarketDeskOptions;
  readonly #queries: MarketQueries;
  readonly #history: DeribitHistory;

  constructor(parts: DeribitMarketDeskOptions) {
    this.#parts = parts;
    this.#queries = new MarketQueries(parts);
    const instrument = (name: InstrumentName) => this.instrument(name);
    this.#history = new DeribitHistory({ queries: this.#queries, instrument });
  }

  listed({ expired }: { readonly expired: boolean }): readonly Instrument[] {
    const { instruments } = this.#parts;
    const now = this.#parts.venueNow();
    return expired ? instruments.expired(now) : instruments.listed(now);
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#parts.instruments.known(name);
  }

  /** Rejects if the venue does not answer; so do the other queries. */
  async ticker(name: InstrumentName): Promise<Ticker | undefined> {
    if (this.instrument(name) === undefined) return undefined;
    const live = this.#fresh(name)?.ticker;
    if (live !== undefined) return live;
    return await this.#queries.answer('public/ticker', { instrument_name: name }, (value) =>
      tickerIn(value, this.#queries.tally),
    );
  }

  async book(name: InstrumentName, depth: number): Promise<BookView | undefined> {
    if (this.instrument(name) === undefined) return undefined;
    const live = this.#liveBook(name, depth);
    if (live !== undefined) return live;
    const params = {
      instrument_name: name,
      depth: DEPTHS.find((one) => one >= depth) ?? DEEPEST,
    };
    return await this.#queries.answer('public/get_order_book', params, (value) =>
      bookViewIn(value, { instrument: name, depth }, this.#queries.tally),
    );
  }

  index(name: string): Promise<Price | undefined> {
    const params = { index_name: name };
    return this.#queries.object('public/get_index_price', params, (of) => of.price('index_price'));
  }

  indexNames(): readonly string[] {
    return [...new Set(this.listed({ expired: false }).map(({ indexName }) => indexName))].sort();
  }

  follow(name: InstrumentName, listener: (news: MarketNews) => void): () => void {
    return this.#parts.quotes.follow(name, listener);
  }

  history<K extends keyof HistoryKinds>(
    kind: K,
    query: HistoryKinds[K]['query'],
  ): Promise<HistoryKinds[K]['answer'] | undefined> {
    return this.#history.history(kind, query);
  }

  #fresh(name: InstrumentName): LiveMarket | undefined {
    const { quotes, now } = this.#parts;
    const live = quotes.live(name);
    const seenAt = live?.levels?.seenAt;
    return seenAt !== undefined && now() - seenAt <= FRESH_MS ? live : undefined;
  }

  #liveBook(instrument: InstrumentName, depth: number): BookView | undefined {
    const { book, ticker } = this.#fresh(instrument) ?? {};
    if (book === undefined || ticker === undefined) return undefined;
    const [bids, asks] = [bestLevels(book.bids, depth), bestLevels(book.asks, depth)];
    if (bids === undefined || asks === undefined) return undefined;
    const { at, changeId } = book;
    return { instrument, at, state: ticker.state, changeId: Number(changeId), bids, asks };
  }
}
