// One instrument as its public channels show it: the ticker, the book and the trades, shared by all who follow it. The
// ticker comes at least every 5 s even if nothing changed; the book does not, so that a dead channel of books looks like
// a quiet market. It is found by comparing the best prices of both.
//
// To be measured (docs/deribit.md): that a block, and the leg of a combo, is published among the trades of its
// instrument. Neither was open to others in its book, so that neither counts as traded volume.

import type { Clock } from '../../../ports/clock.ts';
import { fieldsOfEach, MalformedMessage } from '../../../ports/deribit-wire/message-fields.ts';
import { type PrintedTrade, publicTradeIn } from '../../../ports/deribit-wire/public-trade-rows.ts';
import { tickerIn } from '../../../ports/deribit-wire/ticker-rows.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { MarketNews, Ticker } from '../../../ports/market-reads.ts';
import type { QuoteChanged } from '../../../ports/venue.ts';
import {
  isPositive,
  type Money,
  minus,
  notional,
  plus,
  type Quantity,
  toNumber,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { FanOut } from '../../../values/fan-out.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import { earliest, type Instant, latest } from '../../../values/instant.ts';
import type { Side } from '../../../values/instrument.ts';
import type { PriceLevel } from '../../../values/quote.ts';
import type { Rng } from '../../../values/rng.ts';
import type { OwnBounds, OwnOrders } from '../orders/own-orders.ts';
import { BookKeeper } from './book-keeper.ts';
import { isCrossed, type LevelBook, type LevelSide, priceLevel } from './level-book.ts';
import { OthersBook } from './others-book.ts';
import type { PublicChannels } from './public-channels.ts';

export interface LiveMarketOptions {
  readonly name: InstrumentName;
  readonly subscriptions: PublicChannels;
  readonly clock: Clock;
  readonly rng: Rng;
  readonly tally: WireTally;
  readonly own: Pick<OwnOrders, 'inBook'>;
  /** Routed spot has none: the channel is refused. */
  readonly hasTape: boolean;
  readonly onFault: (error: unknown) => void;
}

/** The levels to price from, and when the venue last confirmed them. */
export interface LiveLevels {
  /** Best first. */
  readonly bids: Iterable<PriceLevel>;
  readonly asks: Iterable<PriceLevel>;
  readonly seenAt: Instant;
}

/** Longer than the venue's longest pause between two tickers. */
const SILENCE_MS = 12_000;
/** Ticker and book arrive in messages of their own: for so long they may differ. */
const DIFFERENCE_MS = 2_000;

export class LiveMarket {
  readonly name: InstrumentName;
  readonly #parts: LiveMarketOptions;
  readonly #tickerChannel: string;
  readonly #keeper: BookKeeper;
  readonly #others: OthersBook;
  readonly #news: FanOut<MarketNews>;
  readonly #changes: FanOut<Instant | undefined>;
  readonly #leaves: readonly (() => void)[];
  followers = 0;
  #ticker: Ticker | undefined;
  #tickerAt: Instant;
  #isSilent = false;
  /** Since when the silence of the ticker is measured, if not since its last message. */
  #silentSince: Instant | undefined;
  /** Whether the book came since the connection is up. */
  #hasHadBook = false;
  #agreedAt: Instant | undefined;
  #differsSince: Instant | undefined;
  #traded: Quantity = ZERO_QUANTITY;
  #tradedValue: Money = ZERO_MONEY;
  #lastSeq = 0;

  constructor(parts: LiveMarketOptions) {
    const { name, subscriptions, clock, onFault } = parts;
    this.name = name;
    this.#parts = parts;
    this.#news = new FanOut(onFault);
    this.#changes = new FanOut(onFault);
    this.#tickerAt = clock.now();
    this.#tickerChannel = `ticker.${name}.100ms`;
    this.#others = new OthersBook(name, parts.own);
    this.#keeper = new BookKeeper({ ...parts, onChange: () => this.#bookChanged() });
    this.#leaves = [
      subscriptions.listen(this.#tickerChannel, (data) => this.#receiveTicker(data)),
      ...(parts.hasTape ? [this.#listenToTrades()] : []),
      () => this.#keeper.close(),
    ];
  }

  follow(listener: (news: MarketNews) => void): () => void {
    return this.#news.add(listener);
  }

  watch(onChange: QuoteChanged): () => void {
    return this.#changes.add(onChange);
  }

  #listenToTrades(): () => void {
    const { name, subscriptions } = this.#parts;
    return subscriptions.listen(`trades.${name}.100ms`, (data) => this.#receiveTrades(data));
  }

  close(): void {
    for (const leave of this.#leaves) leave();
  }

  /** The last one of the current connection. */
  get ticker(): Ticker | undefined {
    return this.#ticker;
  }

  /** When the last ticker arrived. */
  get tickerAt(): Instant {
    return this.#tickerAt;
  }

  /** Volume since it is followed; what was traded during a break is not in it. Unknown without a tape. */
  get traded(): Quantity | undefined {
    return this.#parts.hasTape ? this.#traded : undefined;
  }

  /** The value of that volume, trade by trade. */
  get tradedValue(): Money | undefined {
    return this.#parts.hasTape ? this.#tradedValue : undefined;
  }

  /** The book, if it may be priced from. */
  get book(): LevelBook | undefined {
    const { book } = this.#keeper;
    return book === undefined || isCrossed(book) ? undefined : book;
  }

  /** From the book, or while there is none from the ticker; `undefined` until both have come since the last break. */
  get levels(): LiveLevels | undefined {
    const ticker = this.#ticker;
    if (ticker === undefined || !this.#hasHadBook) return undefined;
    const seenAt = this.#tickerAt;
    const { book } = this;
    if (book !== undefined) {
      const { bids, asks } = book;
      const confirmedAt = latest(this.#keeper.seenAt, this.#agreedAt ?? this.#keeper.seenAt);
      return { bids: levelsIn(bids), asks: levelsIn(asks), seenAt: earliest(seenAt, confirmedAt) };
    }
    const { bid, ask } = ticker;
    const isOrdered = bid === undefined || ask === undefined || bid.price.lt(ask.price);
    return { bids: isOrdered ? listOf(bid) : [], asks: isOrdered ? listOf(ask) : [], seenAt };
  }

  /** The best level of others; `undefined` if there is none, or while there are no levels. */
  best(side: Side): PriceLevel | undefined {
    const { levels, ticker, name } = this;
    if (levels === undefined || ticker === undefined) return undefined;
    const now = this.#parts.clock.now();
    if (this.book !== undefined) return this.#others.best(side, now);
    const own = this.#parts.own.inBook(name, side, { at: ticker.at, arrivedAt: this.#tickerAt });
    return bestOfOthers(side === 'buy' ? levels.bids : levels.asks, own);
  }

  down(): void {
    this.#others.forget();
    this.#ticker = undefined;
    this.#tickerAt = this.#parts.clock.now();
    this.#silentSince = undefined;
    this.#hasHadBook = false;
    this.#agreedAt = undefined;
    this.#differsSince = undefined;
    this.#lastSeq = 0;
    this.#keeper.down();
    this.#changes.send([undefined]);
  }

  /** Called periodically: finds channels that died without a word. */
  check(): void {
    this.#keeper.check();
    this.#checkTicker();
    const since = this.#differsSince;
    if (since === undefined || this.#ticker?.state !== 'open') return;
    if (this.#tickerAt - since <= DIFFERENCE_MS) return;
    this.#differsSince = undefined;
    this.#keeper.drop('its best prices are not those of the ticker');
  }

  #checkTicker(): void {
    const { subscriptions, clock, onFault } = this.#parts;
    const now = clock.now();
    const silentSince = this.#silentSince ?? this.#tickerAt;
    if (!subscriptions.isHeld(this.#tickerChannel)) {
      this.#silentSince = now;
    } else if (now - silentSince > SILENCE_MS) {
      if (!this.#isSilent) onFault(new Error(`no ticker of ${this.name} for ${SILENCE_MS} ms`));
      this.#isSilent = true;
      this.#silentSince = now;
      subscriptions.renew(this.#tickerChannel);
    }
  }

  #receiveTicker(data: unknown): void {
    const { clock, tally } = this.#parts;
    const ticker = this.#read(() => tickerIn(data, tally));
    if (ticker === undefined) return;
    this.#ticker = ticker;
    this.#tickerAt = clock.now();
    this.#silentSince = undefined;
    this.#isSilent = false;
    this.#compare();
    this.#publishChange(ticker.at);
  }

  #bookChanged(): void {
    this.#hasHadBook = true;
    if (this.book !== undefined) this.#others.see(this.book, this.#parts.clock.now());
    this.#compare();
    this.#publishChange(this.#keeper.book?.at);
  }

  #compare(): void {
    const ticker = this.#ticker;
    const { book } = this.#keeper;
    const now = this.#parts.clock.now();
    if (ticker === undefined || book === undefined) {
      this.#differsSince = undefined;
    } else if (isBest(ticker.bid, book.bids) && isBest(ticker.ask, book.asks)) {
      this.#agreedAt = now;
      this.#differsSince = undefined;
    } else {
      this.#differsSince ??= now;
    }
  }

  #receiveTrades(data: unknown): void {
    const { tally } = this.#parts;
    const what = `the trades of ${this.name}`;
    const trades = this.#read(() => fieldsOfEach(what, data, tally).map(publicTradeIn)) ?? [];
    for (const trade of trades) {
      if (trade.tradeSeq > 0 && trade.tradeSeq <= this.#lastSeq) continue;
      this.#lastSeq = trade.tradeSeq;
      if (wasInBook(trade)) {
        this.#traded = plus(this.#traded, trade.quantity);
        this.#tradedValue = plus(this.#tradedValue, notional(trade.price, trade.quantity));
        this.#changes.send([trade.at]);
      }
      this.#news.send([{ kind: 'trade', trade }]);
    }
  }

  /** `at`: on the venue's clock. */
  #publishChange(at: Instant | undefined): void {
    this.#changes.send([at]);
    this.#news.send([{ kind: 'market', instrument: this.name }]);
  }

  #read<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.#parts.onFault(error);
      return undefined;
    }
  }
}

/** The best level after subtracting what may be ours of it. */
function bestOfOthers(
  levels: Iterable<PriceLevel>,
  own: ReadonlyMap<number, OwnBounds>,
): PriceLevel | undefined {
  for (const level of levels) {
    const ours = own.get(toNumber(level.price))?.most;
    if (ours === undefined) return level;
    const quantity = minus(level.quantity, ours);
    if (isPositive(quantity)) return { price: level.price, quantity };
  }
  return undefined;
}

function* levelsIn({ levels }: LevelSide): Generator<PriceLevel> {
  for (const level of levels) yield priceLevel(level);
}

const listOf = (level: PriceLevel | undefined): readonly PriceLevel[] =>
  level === undefined ? [] : [level];

/** The ticker has no level at the price 0, which a combo may have. */
function isBest(told: PriceLevel | undefined, { levels }: LevelSide): boolean {
  const at = levels[0]?.at;
  return told === undefined ? at === undefined || at === 0 : toNumber(told.price) === at;
}

const wasInBook = ({ isBlock, comboId, instrument }: PrintedTrade): boolean =>
  !isBlock && (comboId === undefined || comboId === instrument);
