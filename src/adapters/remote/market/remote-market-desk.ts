// The public market data of a remote venue: instruments from the local list, tickers and books by query, the
// tape and changes as published.
import { z } from 'zod';
import { whyNot } from '../../../core/order/answer-class.ts';
import {
  type BookView,
  type MarketNews,
  type MarketReads,
  MarketUnanswered,
  type Ticker,
} from '../../../ports/market-reads.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { Price } from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Channels } from '../connection/channels.ts';
import type { Questions } from '../connection/questions.ts';
import { readAs } from '../outcome.ts';
import { publicTradeIn } from '../trade-wire.ts';
import { priceIn } from '../wire-fields.ts';
import type { InstrumentList } from './instrument-list.ts';
import { bookIn, tickerIn } from './market-wire.ts';

export interface MarketDeskParts {
  readonly questions: Questions;
  readonly channels: Channels;
  readonly instruments: InstrumentList;
  readonly venueNow: () => Instant;
  readonly onFault: (error: unknown) => void;
}

const indexIn = z.object({ indexPrice: priceIn });
const tapeIn = z.array(publicTradeIn);

export class RemoteMarketDesk implements MarketReads {
  readonly #parts: MarketDeskParts;

  constructor(parts: MarketDeskParts) {
    this.#parts = parts;
  }

  listed({ expired }: { readonly expired: boolean }): readonly Instrument[] {
    const { instruments, venueNow } = this.#parts;
    return expired ? instruments.expired(venueNow()) : instruments.listed(venueNow());
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#parts.instruments.known(name);
  }

  /** Rejects if the venue does not answer; so do the other queries. */
  ticker(instrumentName: InstrumentName): Promise<Ticker | undefined> {
    return this.#look('public/ticker', { instrumentName }, tickerIn);
  }

  async book(instrumentName: InstrumentName, depth: number): Promise<BookView | undefined> {
    const book = await this.#look('public/get_order_book', { instrumentName, depth }, bookIn);
    if (book === undefined) return undefined;
    return { ...book, bids: book.bids.slice(0, depth), asks: book.asks.slice(0, depth) };
  }

  async index(indexName: string): Promise<Price | undefined> {
    return (await this.#look('public/get_index_price', { indexName }, indexIn))?.indexPrice;
  }

  indexNames(): readonly string[] {
    return [...new Set(this.listed({ expired: false }).map(({ indexName }) => indexName))].sort();
  }

  follow(name: InstrumentName, listener: (news: MarketNews) => void): () => void {
    const { channels, onFault } = this.#parts;
    const moved = (): void => listener({ kind: 'market', instrument: name });
    const leaves = [
      channels.listen(`book.${name}.raw`, moved),
      channels.listen(`ticker.${name}.raw`, moved),
      channels.listen(`trades.${name}.raw`, (data) => {
        const read = readAs(tapeIn, data, `the trades of ${name}`);
        if ('fault' in read) return onFault(read.fault);
        for (const trade of read.value) listener({ kind: 'trade', trade });
      }),
    ];
    return () => {
      for (const leave of leaves) leave();
    };
  }

  /** `undefined` if the venue does not know the instrument. */
  async #look<S extends z.ZodType>(
    method: string,
    params: Readonly<Record<string, unknown>>,
    result: S,
  ): Promise<z.output<S> | undefined> {
    const reply: Reply<z.output<S>> = await this.#parts.questions.ofMarkets({
      ...{ method, params, result },
    });
    if (reply.kind === 'done') return reply.value;
    if (reply.kind === 'refused' && reply.code === INVALID_PARAMS) return undefined;
    throw new MarketUnanswered(`no answer to ${method}: ${whyNot(reply)}`);
  }
}

const INVALID_PARAMS = -32602;
