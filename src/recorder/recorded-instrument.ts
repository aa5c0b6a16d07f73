// One recorded instrument: its trades as they are published, and its book and ticker queried after they have changed. A
// query that is not answered, or not in time, is a gap of this instrument.
import type { Clock } from '../ports/clock.ts';
import type { PublicTrade } from '../ports/market-history.ts';
import type { MarketNews, MarketReads, Ticker } from '../ports/market-reads.ts';
import type { Instrument } from '../values/instrument.ts';
import type { GapReason } from './gap-rows.ts';
import { KnownTrades } from './known-trades.ts';
import { applies, depthOf, type RecordedKind } from './recorded-kinds.ts';
import {
  bookRow,
  derivativeRow,
  optionRow,
  quoteRow,
  type Row,
  rowLine,
  tradeRow,
} from './recorded-rows.ts';
import type { OpenGap, RecordingLog } from './recording-log.ts';
import { CONFIRM_MS, Sampler } from './sampler.ts';

export interface RecordedInstrumentOptions {
  readonly instrument: Instrument;
  readonly kinds: readonly RecordedKind[];
  readonly exchange: string;
  readonly everyMs: number;
  readonly tickerEveryMs: number;
  readonly market: MarketReads;
  readonly log: RecordingLog;
  readonly clock: Clock;
  /** The last recorded trades, oldest first. */
  readonly lastTrades: readonly string[];
  /** The venue published or answered something. */
  readonly onSign: () => void;
  readonly onDouble: () => void;
  readonly onUnanswered: (error: unknown) => void;
}

/** An instrument that is not queried for this long has a gap. */
const SLOW_MS = 2 * CONFIRM_MS;

/** Rows of one kind, which are written when they differ from the last, or to confirm it. */
class WrittenRows {
  readonly kind: RecordedKind;
  #fields: string | undefined;
  writtenMs = 0;

  constructor(kind: RecordedKind) {
    this.kind = kind;
  }

  isDue({ fields }: Row, nowMs: number): boolean {
    if (fields === this.#fields && nowMs - this.writtenMs < CONFIRM_MS) return false;
    this.#fields = fields;
    this.writtenMs = nowMs;
    return true;
  }

  /** The next row is written, whatever it is. */
  forget(): void {
    this.#fields = undefined;
  }
}

interface Sampled {
  readonly sampler: Sampler;
  readonly written: readonly WrittenRows[];
  readonly read: () => Promise<(kind: RecordedKind) => Row>;
  answeredUs: number;
  answeredMs: number;
  gap: OpenGap | undefined;
}

export class RecordedInstrument {
  readonly #options: RecordedInstrumentOptions;
  readonly #trades: KnownTrades;
  readonly #sampled: readonly Sampled[];
  readonly #tradesLeave: () => void;
  #lastTradeUs: number | undefined;
  #isSuspended = false;
  #isEnded = false;

  constructor(options: RecordedInstrumentOptions) {
    this.#options = options;
    const { instrument, kinds, market } = options;
    this.#trades = new KnownTrades(options.lastTrades);
    const own = kinds.filter((kind) => applies(kind, instrument));
    const ofBook = own.filter((kind) => depthOf(kind) > 0);
    const ofTicker = own.filter((kind) => kind === 'derivative_ticker' || kind === 'options_chain');
    this.#sampled = [
      this.#sampledOf(ofBook, options.everyMs, () => this.#book(Math.max(...ofBook.map(depthOf)))),
      this.#sampledOf(ofTicker, options.tickerEveryMs, () => this.#ticker()),
    ].filter(({ written }) => written.length > 0);
    const isTaped = own.includes('trades');
    this.#tradesLeave = market.follow(instrument.name, (news) => this.#receive(news, isTaped));
  }

  /** Queries that are due, each to be made once, now or when its turn has come. */
  takeDue(nowMs: number): readonly (() => Promise<void>)[] {
    const due = this.#sampled.filter(({ sampler }) => sampler.isDue(nowMs));
    for (const { sampler } of due) sampler.begin(nowMs);
    return due.map((sampled) => () => this.#sample(sampled));
  }

  /** Opens a gap for what has not been answered for too long. */
  checkSilence(nowMs: number): void {
    for (const sampled of this.#sampled) {
      if (nowMs - sampled.answeredMs > SLOW_MS) this.#openGap(sampled, 'slow', 'queried too late');
    }
  }

  /**
   * The whole venue has a gap. Returns where it must begin for those of this instrument that are a part of it: queries
   * fail a moment before the venue is known to be unreachable.
   */
  suspend(nowMs: number): number {
    this.#isSuspended = true;
    let fromUs = Number.POSITIVE_INFINITY;
    for (const sampled of this.#sampled) {
      if (sampled.gap !== undefined && nowMs - sampled.answeredMs <= SLOW_MS) {
        fromUs = Math.min(fromUs, sampled.answeredUs);
        sampled.gap.dismiss();
        sampled.gap = undefined;
      }
      this.#closeGap(sampled);
    }
    return fromUs;
  }

  /** The gap of the venue is over: everything is queried and written again. */
  resume(nowMs: number): void {
    this.#isSuspended = false;
    for (const sampled of this.#sampled) {
      sampled.answeredMs = nowMs;
      sampled.answeredUs = this.#options.log.nowUs();
      sampled.sampler.note();
      for (const rows of sampled.written) rows.forget();
    }
  }

  end(): void {
    this.#isEnded = true;
    this.#tradesLeave();
    for (const sampled of this.#sampled) this.#closeGap(sampled);
  }

  #sampledOf(kinds: readonly RecordedKind[], everyMs: number, read: Sampled['read']): Sampled {
    const { clock, log } = this.#options;
    return {
      sampler: new Sampler(everyMs),
      written: kinds.map((kind) => new WrittenRows(kind)),
      read,
      answeredUs: log.nowUs(),
      answeredMs: clock.monotonicMs(),
      gap: undefined,
    };
  }

  #receive(news: MarketNews, isTaped: boolean): void {
    if (this.#isEnded) return;
    this.#options.onSign();
    if (news.kind === 'market') {
      for (const { sampler } of this.#sampled) sampler.note();
    } else if (isTaped) {
      this.#recordTrade(news.trade);
    }
  }

  #recordTrade(trade: PublicTrade): void {
    const { log, exchange, instrument, onDouble } = this.#options;
    const row = tradeRow(trade);
    const judged = this.#trades.judge(trade, rowLine(exchange, row, 0));
    if (judged.kind === 'double') return onDouble();
    const of = { symbol: instrument.name, kinds: ['trades'] } as const;
    if (judged.missed > 0) {
      const fromUs = this.#lastTradeUs ?? log.nowUs();
      log.gap({ of, fromUs, reason: 'missed_trades', detail: `${judged.missed} trades` });
    }
    log.add('trades', row);
    this.#lastTradeUs = log.nowUs();
  }

  async #sample(sampled: Sampled): Promise<void> {
    const { clock, onSign, onUnanswered, log } = this.#options;
    const { sampler, written } = sampled;
    if (this.#isEnded) return;
    let rowOf: (kind: RecordedKind) => Row;
    try {
      rowOf = await sampled.read();
    } catch (error) {
      sampler.failed(clock.monotonicMs());
      if (this.#isEnded || this.#isSuspended) return;
      onUnanswered(error);
      return this.#openGap(sampled, 'unanswered', reasonOf(error));
    }
    const nowMs = clock.monotonicMs();
    if (this.#isEnded) return;
    onSign();
    this.#closeGap(sampled);
    for (const rows of written) {
      const row = rowOf(rows.kind);
      if (rows.isDue(row, nowMs)) log.add(rows.kind, row);
    }
    sampled.answeredMs = nowMs;
    sampled.answeredUs = log.nowUs();
    sampler.answered(Math.min(...written.map(({ writtenMs }) => writtenMs)));
  }

  async #book(depth: number): Promise<(kind: RecordedKind) => Row> {
    const { market, instrument } = this.#options;
    const book = known(await market.book(instrument.name, depth));
    return (kind) => (kind === 'quotes' ? quoteRow(book) : bookRow(book, depthOf(kind)));
  }

  async #ticker(): Promise<(kind: RecordedKind) => Row> {
    const { market, instrument } = this.#options;
    const ticker = known(await market.ticker(instrument.name));
    return (kind) => tickerRow(kind, ticker, instrument);
  }

  #openGap(sampled: Sampled, reason: GapReason, detail: string): void {
    const { log, instrument } = this.#options;
    const kinds = sampled.written.map(({ kind }) => kind);
    const of = { symbol: instrument.name, kinds };
    sampled.gap ??= log.openGap({ of, fromUs: sampled.answeredUs, reason, detail });
  }

  #closeGap(sampled: Sampled): void {
    sampled.gap?.close();
    sampled.gap = undefined;
  }
}

function known<T>(answer: T | undefined): T {
  if (answer === undefined) throw new Error('the venue does not know the instrument');
  return answer;
}

const tickerRow = (kind: RecordedKind, ticker: Ticker, instrument: Instrument): Row =>
  kind === 'options_chain' ? optionRow(ticker, instrument) : derivativeRow(ticker);

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
