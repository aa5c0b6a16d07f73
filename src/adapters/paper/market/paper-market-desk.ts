// The public market data of the paper exchange: instruments, tickers, books and the public tape. A market
// without subscribers is started for a request and stopped with the next step.
import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarketSource } from '../../../exchange/market/market-source.ts';
import type { HistoryKinds } from '../../../ports/market-history.ts';
import type { BookView, MarketNews, Ticker } from '../../../ports/market-reads.ts';
import type { Price } from '../../../values/amounts.ts';
import { FanOut } from '../../../values/fan-out.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { PaperExchange } from '../paper-exchange.ts';
import type { RequestLine } from '../request-line.ts';
import { PaperHistory } from './paper-history.ts';
import { paperBook, paperTicker } from './paper-ticker.ts';

export interface MarketDeskOptions {
  readonly exchange: Exchange;
  readonly market: MarketSource;
  readonly paper: PaperExchange;
  readonly line: RequestLine;
  /** Receives errors that listeners throw. */
  readonly onFault: (error: unknown) => void;
}

export class MarketDesk {
  readonly #parts: MarketDeskOptions;
  readonly #termsOf = (name: InstrumentName) => this.instrument(name);
  readonly #history: PaperHistory;
  #listed:
    | {
        readonly single: readonly Instrument[];
        readonly version: number;
        readonly all: readonly Instrument[];
      }
    | undefined;
  readonly #followers = new Map<InstrumentName, FanOut<MarketNews>>();

  constructor(parts: MarketDeskOptions) {
    this.#parts = parts;
    const { exchange, market, paper, line } = parts;
    this.#history = new PaperHistory({
      exchange,
      market,
      memory: paper.tape,
      instrument: this.#termsOf,
      listed: () => this.listed({ expired: false }),
      now: () => line.now(),
    });
    parts.line.subscribe(({ market }) => {
      for (const news of market) this.#followers.get(instrumentOf(news))?.send([news]);
    });
  }

  listed({ expired }: { readonly expired: boolean }): readonly Instrument[] {
    const { exchange, market, line } = this.#parts;
    if (expired) return exchange.closedInstruments();
    const single = market.instruments(line.now());
    return exchange.combos().length === 0 ? single : this.#withCombos(single);
  }

  /** Listed, or an expired one that the exchange still knows. */
  instrument(name: InstrumentName): Instrument | undefined {
    const { exchange, market, line } = this.#parts;
    return exchange.instrument(name) ?? market.instrument(name, line.now());
  }

  ticker(name: InstrumentName): Promise<Ticker | undefined> {
    return this.#query(name, (now) =>
      paperTicker(this.#parts.exchange, name, { now, termsOf: this.#termsOf }),
    );
  }

  book(name: InstrumentName, depth: number): Promise<BookView | undefined> {
    return this.#query(name, (now) => paperBook(this.#parts.exchange, name, { depth, now }));
  }

  /** The same array until it changes. */
  #withCombos(single: readonly Instrument[]): readonly Instrument[] {
    const { exchange } = this.#parts;
    const version = exchange.combosVersion;
    if (this.#listed?.single === single && this.#listed.version === version)
      return this.#listed.all;
    // A market source may list combos itself.
    const listed = new Set(single.map(({ name }) => name));
    const active = exchange
      .combos()
      .filter(({ state, instrument }) => state === 'active' && !listed.has(instrument.name));
    const all = [...single, ...active.map(({ instrument }) => instrument)];
    this.#listed = { single, version, all };
    return all;
  }

  /** Read from an instrument on the index; `undefined` if none is listed. */
  index(name: string): Promise<Price | undefined> {
    const member = this.#leaderOf(name)?.name;
    if (member === undefined) return Promise.resolve(undefined);
    return this.#query(member, () => this.#parts.exchange.reference(member)?.index);
  }

  history<K extends keyof HistoryKinds>(
    kind: K,
    query: HistoryKinds[K]['query'],
  ): Promise<HistoryKinds[K]['answer'] | undefined> {
    return this.#history.answer(kind, query);
  }

  indexNames(): readonly string[] {
    return [...new Set(this.listed({ expired: false }).map(({ indexName }) => indexName))].sort();
  }

  /** A settlement that is due is made first, also while nothing is in use. */
  pausedUntil(): Instant | undefined {
    const { line, paper, exchange } = this.#parts;
    return line.act((now) => {
      paper.settle(now);
      return now < exchange.pausedUntil ? exchange.pausedUntil : undefined;
    });
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
  async #query<T>(name: InstrumentName, read: (now: Instant) => T): Promise<T> {
    const { line, paper } = this.#parts;
    const seen = await line.request((now) => {
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
