// The public market data of the paper exchange: instruments, tickers, books and the public tape. A market
// without subscribers is started for a request and stopped with the next step.
import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarketSource } from '../../../exchange/market/market-source.ts';
import type { BookView, MarketNews, Ticker } from '../../../ports/market-reads.ts';
import type { Price } from '../../../values/amounts.ts';
import { FanOut } from '../../../values/fan-out.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { PaperExchange } from '../paper-exchange.ts';
import type { RequestLine } from '../request-line.ts';
import { paperBook, paperTicker } from './paper-ticker.ts';

export interface MarketDeskParts {
  readonly exchange: Exchange;
  readonly market: MarketSource;
  readonly paper: PaperExchange;
  readonly line: RequestLine;
  /** Receives errors that listeners throw. */
  readonly onFault: (error: unknown) => void;
}

export class MarketDesk {
  readonly #parts: MarketDeskParts;
  readonly #termsOf = (name: InstrumentName) => this.instrument(name);
  readonly #followers = new Map<InstrumentName, FanOut<MarketNews>>();

  constructor(parts: MarketDeskParts) {
    this.#parts = parts;
    parts.line.subscribe(({ market }) => {
      for (const news of market) this.#followers.get(instrumentOf(news))?.send([news]);
    });
  }

  listed({ expired }: { readonly expired: boolean }): readonly Instrument[] {
    const { exchange, market, line } = this.#parts;
    return expired ? exchange.closedInstruments() : market.instruments(line.now());
  }

  /** Listed, or an expired one that the exchange still knows. */
  instrument(name: InstrumentName): Instrument | undefined {
    const { exchange, market, line } = this.#parts;
    return exchange.instrument(name) ?? market.instrument(name, line.now());
  }

  ticker(name: InstrumentName): Promise<Ticker | undefined> {
    return this.#look(name, (now) =>
      paperTicker(this.#parts.exchange, name, { now, termsOf: this.#termsOf }),
    );
  }

  book(name: InstrumentName, depth: number): Promise<BookView | undefined> {
    return this.#look(name, (now) => paperBook(this.#parts.exchange, name, { depth, now }));
  }

  /** Read from an instrument on the index; `undefined` if none is listed. */
  index(name: string): Promise<Price | undefined> {
    const member = this.#leaderOf(name)?.name;
    if (member === undefined) return Promise.resolve(undefined);
    return this.#look(member, () => this.#parts.exchange.reference(member)?.index);
  }

  indexNames(): readonly string[] {
    return [...new Set(this.listed({ expired: false }).map(({ indexName }) => indexName))].sort();
  }

  follow(name: InstrumentName, listener: (news: MarketNews) => void): () => void {
    const { line, paper, onFault } = this.#parts;
    const listeners = this.#followers.get(name) ?? new FanOut<MarketNews>(onFault);
    this.#followers.set(name, listeners);
    const leave = listeners.add(listener);
    const release = line.act((now) => paper.follow(name, now));
    return () => {
      leave();
      release?.();
      if (!listeners.isHeard) this.#followers.delete(name);
    };
  }

  /** Rejects if the exchange no longer answers. */
  async #look<T>(name: InstrumentName, read: (now: Instant) => T): Promise<T> {
    const { line, paper } = this.#parts;
    const seen = await line.ask((now) => {
      paper.settle(now);
      paper.touch(name, now);
      return { kind: 'seen' as const, value: read(now) };
    });
    if (seen.kind === 'seen') return seen.value;
    throw new Error(`no answer about ${name}: ${seen.reason}`);
  }

  /** The perpetual, if there is one, because it never expires. */
  #leaderOf(index: string): Instrument | undefined {
    const members = this.listed({ expired: false }).filter(({ indexName }) => indexName === index);
    return members.find(({ kind }) => kind === 'perpetual') ?? members[0];
  }
}

const instrumentOf = (news: MarketNews): InstrumentName =>
  news.kind === 'trade' ? news.trade.instrument : news.instrument;
