// The history of the paper market, for the queries of the port. It is read and computed in pieces of a few
// milliseconds with pauses for other work, one query after the other, so that no chart delays an order.
import { setTimeout as pause } from 'node:timers/promises';
import { Grid } from '../../../exchange/book/grid.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import type { MarketSource } from '../../../exchange/market/market-source.ts';
import type { PastMarket } from '../../../exchange/market/past/past-market.ts';
import { type Bar, flatBar } from '../../../exchange/tape/bars.ts';
import { HISTORY_MS, type TapeMemory } from '../../../exchange/tape/tape-memory.ts';
import type {
  Candle,
  CandleQuery,
  FundingHour,
  HistoryKinds,
  MarkQuery,
  OfInstrument,
  PastMark,
  PublicTrade,
  TapePage,
  TapeQuery,
} from '../../../ports/market-history.ts';
import { MarketUnanswered } from '../../../ports/market-reads.ts';
import { type Money, notional, quantityOf, steps, toNumber } from '../../../values/amounts.ts';
import type { InstrumentName, TradeId } from '../../../values/ids.ts';
import { DAY_MS, HOUR_MS, type Instant, instant } from '../../../values/instant.ts';
import { type Instrument, isCombo } from '../../../values/instrument.ts';
import { hoursIn, hoursOf, pointsOf, windowsOf } from './history-spans.ts';
import { IndexHistory } from './index-history.ts';
import { computedTradeOf, MarketPast, type MsSpan } from './market-past.ts';
import { PastHours } from './past-hours.ts';

export interface PaperHistoryParts {
  readonly exchange: Exchange;
  readonly market: MarketSource;
  readonly memory: TapeMemory;
  readonly instrument: (name: InstrumentName) => Instrument | undefined;
  /** In trading or recently expired. */
  readonly listed: () => readonly Instrument[];
  readonly now: () => Instant;
}

/** Rows of one answer; of more, the latest are given. */
const ROWS_MAX = 5_000;
const MARKS_MAX = 1_000;
const WAITING_MAX = 64;
/** Work without a pause. */
const PIECE_MS = 4;
const FUNDING_HOURS = 8;

type Kind = keyof HistoryKinds;
type Answers = {
  readonly [K in Kind]: (
    query: HistoryKinds[K]['query'],
  ) => Promise<HistoryKinds[K]['answer'] | undefined>;
};

export class PaperHistory {
  readonly #parts: PaperHistoryParts;
  #made: { readonly past: MarketPast; readonly hours: PastHours | undefined } | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #sinceMs = 0;
  #indexes: IndexHistory | undefined;
  readonly #answers: Answers = {
    tape: (query) => this.#tape(query),
    candles: (query) => this.#candles(query),
    funding: (query) => this.#funding(query),
    fundingPaid: (query) => this.#fundingPaid(query),
    marks: (query) => this.#marks(query),
    deliveries: (query) => this.#ofIndex(query, (of, coin) => of.deliveries(coin, query)),
    volatility: (query) => {
      const span = this.#span(query);
      return this.#ofIndex(query, (of, coin) => of.volatility(coin, span, query.everyMs));
    },
    realised: (query) => this.#ofIndex(query, (of, coin) => of.realised(coin)),
  };

  constructor(parts: PaperHistoryParts) {
    this.#parts = parts;
  }

  /** One query after the other. */
  async answer<K extends Kind>(
    kind: K,
    query: HistoryKinds[K]['query'],
  ): Promise<HistoryKinds[K]['answer'] | undefined> {
    if (this.#waiting >= WAITING_MAX) {
      throw new MarketUnanswered('too many queries of the past are waiting');
    }
    this.#waiting += 1;
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    try {
      await before;
      this.#sinceMs = performance.now();
      return await this.#answers[kind](query);
    } finally {
      this.#waiting -= 1;
      resolve();
    }
  }

  async #tape(query: TapeQuery): Promise<TapePage | undefined> {
    const instruments = query.instruments.flatMap((name) => this.#parts.instrument(name) ?? []);
    if (instruments.length === 0) return undefined;
    const { order, count, fromSeq, untilSeq } = query;
    const range = this.#idRange(query, instruments);
    const span = within(this.#span(query), range);
    const found: PublicTrade[] = [];
    if (fromSeq !== undefined || untilSeq !== undefined) {
      const made = instruments.flatMap((one) => [...this.#past.past.made(one)]);
      found.push(
        ...inOrder(
          made.filter((trade) => isAsked(trade, query, span)),
          order,
        ),
      );
    } else {
      const isMany = instruments.length > 1;
      for (const window of isMany ? windowsOf(span, order) : hoursIn(span, order)) {
        const trades: PublicTrade[] = [];
        for (const one of instruments) {
          const all = this.#past.past.trades(one, window, isMany);
          trades.push(...all.filter((trade) => isInIds(trade, query, range)));
          await this.#breathe();
        }
        found.push(...inOrder(trades, order));
        if (found.length > count) break;
      }
    }
    return { trades: found.slice(0, count), hasMore: found.length > count };
  }

  async #candles(query: CandleQuery): Promise<readonly Candle[] | undefined> {
    const { everyMs } = query;
    const instrument = this.#parts.instrument(query.instrument);
    if (instrument === undefined) return undefined;
    const asked = this.#span(query);
    const last = Math.floor((asked.until - 1) / everyMs);
    const first = Math.max(Math.floor(asked.from / everyMs), last - ROWS_MAX + 1);
    const span = { from: first * everyMs, until: asked.until };
    if (span.from >= span.until) return [];
    const bars = new Map<number, Bar>();
    for (const hour of hoursOf(span, 'asc')) {
      this.#past.past.addBars(bars, instrument, { ...span, hour, everyMs });
      await this.#breathe();
    }
    let close = await this.#closeBefore(instrument, span.from);
    const shape = new CandleShape(instrument);
    const candles: Candle[] = [];
    for (let period = first; period <= last; period += 1) {
      const at = period * everyMs;
      const bar = bars.get(period) ?? (close === undefined ? undefined : flatBar(at, close));
      if (bar === undefined) continue;
      close = bar.close;
      candles.push(shape.of(bar, instant(at)));
    }
    return bars.size === 0 && close === undefined ? [] : candles;
  }

  /** The last price before an instant in ticks, within a day. */
  async #closeBefore(instrument: Instrument, at: number): Promise<number | undefined> {
    const page = await this.#tape({
      instruments: [instrument.name],
      count: 1,
      order: 'desc',
      from: instant(at - DAY_MS),
      until: instant(at),
    });
    const price = page?.trades[0]?.price;
    return price && new Grid(instrument).ticksOf(price);
  }

  async #funding(query: OfInstrument): Promise<readonly FundingHour[] | undefined> {
    const instrument = this.#parts.instrument(query.instrument);
    const computing = this.#computing();
    if (computing === undefined || instrument?.kind !== 'perpetual') return undefined;
    const { past, hours } = computing;
    const { from, until } = this.#span(query);
    const rows: FundingHour[] = [];
    const mean = async (hour: number): Promise<number> => {
      await this.#breathe();
      return hours.funding(instrument, hour) ?? 0;
    };
    for (let end = Math.ceil(from / HOUR_MS); end * HOUR_MS < until; end += 1) {
      let eight = 0;
      for (let hour = end - FUNDING_HOURS; hour < end; hour += 1) eight += await mean(hour);
      rows.push({
        at: instant(end * HOUR_MS),
        index: past.mark(instrument, instant(end * HOUR_MS)).index,
        indexBefore: past.mark(instrument, instant((end - 1) * HOUR_MS)).index,
        oneHour: (await mean(end - 1)) / FUNDING_HOURS,
        eightHours: eight / FUNDING_HOURS,
      });
    }
    return rows;
  }

  /** The mean rates of the hours, each for the part of it within the span. */
  async #fundingPaid(query: OfInstrument): Promise<number | undefined> {
    const instrument = this.#parts.instrument(query.instrument);
    const hours = this.#computing()?.hours;
    if (hours === undefined || instrument?.kind !== 'perpetual') return undefined;
    const span = this.#span(query);
    let paid = 0;
    for (const hour of hoursOf(span, 'asc')) {
      await this.#breathe();
      const from = Math.max(span.from, hour * HOUR_MS);
      const until = Math.min(span.until, (hour + 1) * HOUR_MS);
      const rate = hours.funding(instrument, hour) ?? 0;
      paid += (rate * (until - from)) / (FUNDING_HOURS * HOUR_MS);
    }
    return paid;
  }

  async #marks(query: MarkQuery): Promise<readonly PastMark[] | undefined> {
    const instrument = this.#parts.instrument(query.instrument);
    const past = this.#computing()?.past;
    if (past === undefined || instrument === undefined || isCombo(instrument)) return undefined;
    const { from, until } = this.#span(query);
    const rows: PastMark[] = [];
    for (const at of pointsOf({ from, until }, query.everyMs, MARKS_MAX)) {
      await this.#breathe();
      rows.push({ at, ...past.mark(instrument, at) });
    }
    return rows;
  }

  /** What of a span is past, and not too long past. */
  #span({ from, until }: { readonly from?: Instant; readonly until?: Instant }): MsSpan {
    const now = this.#parts.now();
    return {
      from: Math.max(from ?? 0, now - HISTORY_MS),
      until: Math.min(until ?? Number.POSITIVE_INFINITY, now + 1),
    };
  }

  /** When the trades were that bound a page: both are part of it. */
  #idRange(query: TapeQuery, instruments: readonly Instrument[]): IdRange {
    const { fromId, untilId } = query;
    const timeOf = (id: TradeId | undefined): Instant | undefined =>
      id && this.#past.past.timeOf(id, instruments);
    const [first, last] = [timeOf(fromId), timeOf(untilId)];
    return {
      from: first ?? 0,
      until: last === undefined ? Number.POSITIVE_INFINITY : last + 1,
      isUntimed:
        (fromId !== undefined && first === undefined) ||
        (untilId !== undefined && last === undefined),
    };
  }

  get #past(): { readonly past: MarketPast; readonly hours: PastHours | undefined } {
    const { exchange, memory, market } = this.#parts;
    if (this.#made === undefined) {
      const hours = market.past && new PastHours(market.past);
      this.#made = { hours, past: new MarketPast({ exchange, memory, hours }) };
    }
    return this.#made;
  }

  /** `undefined` if the source of the market computes no past. */
  #computing(): { readonly past: PastMarket; readonly hours: PastHours } | undefined {
    const { past } = this.#parts.market;
    const { hours } = this.#past;
    return past && hours && { past, hours };
  }

  #ofIndex<T>(
    { index }: { readonly index: string },
    read: (of: IndexHistory, coin: string) => Promise<T>,
  ): Promise<T | undefined> {
    const coin = this.#coinOf(index);
    const { past } = this.#parts.market;
    if (past === undefined || coin === undefined) return Promise.resolve(undefined);
    this.#indexes ??= new IndexHistory({
      past,
      now: this.#parts.now,
      breathe: () => this.#breathe(),
    });
    return read(this.#indexes, coin);
  }

  #coinOf(index: string): string | undefined {
    return this.#parts.listed().find(({ indexName }) => indexName === index)?.base;
  }

  /** Other work follows after a few milliseconds of this, and gets at least half of the time. */
  async #breathe(): Promise<void> {
    const workedMs = performance.now() - this.#sinceMs;
    if (workedMs < PIECE_MS) return;
    await pause(workedMs);
    this.#sinceMs = performance.now();
  }
}

interface IdRange extends MsSpan {
  /** A trade that was made and is no longer retained bounds the range: when it was made is unknown. */
  readonly isUntimed: boolean;
}

const within = (a: MsSpan, b: MsSpan): MsSpan => ({
  from: Math.max(a.from, b.from),
  until: Math.min(a.until, b.until),
});

/** Trades are given oldest first, by instrument. */
const inOrder = (trades: PublicTrade[], order: 'asc' | 'desc'): PublicTrade[] => {
  const sorted = trades.sort((a, b) => a.at - b.at);
  return order === 'asc' ? sorted : sorted.reverse();
};

const isAsked = (trade: PublicTrade, query: TapeQuery, { from, until }: MsSpan): boolean =>
  trade.at >= from &&
  trade.at < until &&
  (query.fromSeq === undefined || trade.tradeSeq >= query.fromSeq) &&
  (query.untilSeq === undefined || trade.tradeSeq <= query.untilSeq);

/**
 * Two trades that were made are in the order of their numbers; what is computed is placed by its time, which the span of
 * the range contains.
 */
function isInIds(
  { tradeId: id }: PublicTrade,
  { fromId, untilId }: TapeQuery,
  { isUntimed }: Pick<IdRange, 'isUntimed'>,
): boolean {
  if (computedTradeOf(id) !== undefined) return !isUntimed;
  const isMade = (bound: TradeId | undefined): bound is TradeId =>
    bound !== undefined && computedTradeOf(bound) === undefined;
  return (
    (!isMade(fromId) || numberOf(id) >= numberOf(fromId)) &&
    (!isMade(untilId) || numberOf(id) <= numberOf(untilId))
  );
}

/** Ids of a currency differ in the number at their end. */
const numberOf = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1));

// Bars of ticks and lots as candles of the port.

/** Bars as candles: volumes in coins, costs in the quote currency. */
class CandleShape {
  readonly #grid: Grid;
  readonly #isInUsd: boolean;
  readonly #coinsPerInverse: number;

  constructor(instrument: Instrument) {
    this.#grid = new Grid(instrument);
    this.#isInUsd = instrument.amountUnit === 'usd';
    this.#coinsPerInverse = toNumber(instrument.amountStep) / toNumber(instrument.tickSize);
  }

  of(bar: Bar, at: Instant): Candle {
    const grid = this.#grid;
    const amount = grid.quantityOf(bar.lots);
    const coins = Math.round(bar.inverse * this.#coinsPerInverse * 1e8) / 1e8;
    return {
      at,
      open: grid.priceOf(bar.open),
      high: grid.priceOf(bar.high),
      low: grid.priceOf(bar.low),
      close: grid.priceOf(bar.close),
      volume: this.#isInUsd ? quantityOf(coins) : amount,
      cost: this.#isInUsd
        ? (amount as unknown as Money)
        : steps(notional(grid.tick, grid.lot), bar.turnover),
    };
  }
}
