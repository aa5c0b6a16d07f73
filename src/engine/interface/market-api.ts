// The public market data of each venue. Rejects with MarketUnanswered if the venue does not answer.
import type { HistoryKinds } from '../../ports/market-history.ts';
import type { BookView, MarketNews, Ticker } from '../../ports/market-reads.ts';
import type { Price } from '../../values/amounts.ts';
import type { InstrumentName, VenueName } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Unsubscribe } from './plain-interface.ts';

export interface ListedAt {
  readonly venue: VenueName;
  readonly instrument: Instrument;
}

export interface MarketApi {
  /** In trading or recently expired, at the first venue that lists it. */
  instrument(name: InstrumentName): Promise<ListedAt | undefined>;
  /** `undefined` for an unknown instrument. */
  ticker(venue: VenueName, name: InstrumentName): Promise<Ticker | undefined>;
  book(venue: VenueName, name: InstrumentName, depth: number): Promise<BookView | undefined>;
  index(venue: VenueName, name: string): Promise<Price | undefined>;
  /** `undefined` for an unknown instrument or index, or if the market has no such history. */
  history<K extends keyof HistoryKinds>(
    venue: VenueName,
    kind: K,
    query: HistoryKinds[K]['query'],
  ): Promise<HistoryKinds[K]['answer'] | undefined>;
  follow(venue: VenueName, name: InstrumentName, listener: (news: MarketNews) => void): Unsubscribe;
}
