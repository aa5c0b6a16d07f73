// One recorded instrument: its latest row, and its rows as commands of the exchange. Rows in columns can also be passed over:
// then `overdue` brings the exchange from the last row it was shown to the latest, as if it had been shown every one.
import {
  type Price,
  price,
  type Quantity,
  ratioOf,
  scaled,
  stepsIn,
  toNumber,
} from '../../values/amounts.ts';
import { type AccountId, accountId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument, Side } from '../../values/instrument.ts';
import {
  BOOK,
  BOUGHT,
  type RecordedBlock,
  SOLD,
  TICKER,
} from '../../values/recorded/recorded-block.ts';
import type { RecordedBook, RecordedTicker, RecordedTrade } from '../../values/recorded-event.ts';
import { Grid } from '../book/grid.ts';
import type {
  MarketCommand,
  QuoteLevel,
  ReplayTradeCommand,
  SetReferenceCommand,
  ShowBookCommand,
} from '../exchange-command.ts';
import type { QueueModel } from '../model/queue-model.ts';
import { comboReference } from './combo-quotes.ts';
import type { UserTrade } from './market-source.ts';
import { type ImpactModel, OwnImpact } from './own-impact.ts';
import { priceBand, ShownBand } from './prices/price-band.ts';
import { RecordedGrid } from './recorded-grid.ts';
import { RecordedLevels } from './recorded-levels.ts';

/** The account of all participants in the recording. */
export const RECORDED: AccountId = accountId('recorded-market');

export interface RecordedInstrument {
  /** Its name is the symbol of the recording. */
  readonly instrument: Instrument;
  /** One lot in the amount unit of the recording; differs if that is contracts. */
  readonly recordedStep: Quantity;
  /** Lots to assume at a price that was recorded without a size. */
  readonly assumedLots: number;
  /** A combo without a recorded book of its own: its rows follow from those of its legs (`implied-book.ts`). */
  readonly isImplied?: boolean | undefined;
}

/** A leg of a recorded combo. */
interface RecordedLeg {
  readonly ratio: number;
  readonly symbol: RecordedSymbol;
}

/** What is assumed of every symbol that was not recorded. */
export interface SymbolModels {
  readonly queue?: QueueModel | undefined;
  readonly impact?: ImpactModel | undefined;
}

const HALF = ratioOf(0.5);

export class RecordedSymbol {
  readonly instrument: Instrument;
  readonly #grid: Grid;
  readonly #recorded: RecordedGrid;
  readonly #band: ShownBand;
  readonly #levels: RecordedLevels;
  readonly #queue: QueueModel | undefined;
  readonly #impact: OwnImpact | undefined;
  /** Of a combo: its mark price, band and greeks are the sums of theirs. */
  readonly #legs: readonly RecordedLeg[] | undefined;
  isStarted = false;
  /** True once the latest row is too old to be shown. */
  isSilent = false;
  /** The time of the latest book row. */
  rowAt: Instant | undefined;
  #bids: readonly QuoteLevel[] = [];
  #asks: readonly QuoteLevel[] = [];
  #ticker: RecordedTicker | undefined;
  #lastTradedTicks: number | undefined;
  #lastSide: Side = 'buy';
  #mid: Price | undefined;
  #midTwiceTicks = Number.NaN;
  /** The latest book that was passed over. */
  #passed: { block: RecordedBlock; row: number } | undefined;
  /** Best prices in ticks, of the latest row; `NaN` if the side is empty. */
  #bidTicks = Number.NaN;
  #askTicks = Number.NaN;
  /** Passed over: a reference that moved, and what was traded. */
  #isReferenceDue = false;
  #passedLots = 0;

  constructor(
    { instrument, recordedStep, assumedLots }: RecordedInstrument,
    { queue, impact }: SymbolModels,
    legs?: readonly RecordedLeg[],
  ) {
    this.#legs = legs;
    this.#queue = queue;
    this.#impact = impact && new OwnImpact(impact);
    this.instrument = instrument;
    this.#grid = new Grid(instrument);
    this.#recorded = new RecordedGrid(instrument.tickSize, recordedStep);
    this.#band = new ShownBand(this.#grid, toNumber(instrument.tickSize));
    this.#levels = new RecordedLevels(this.#recorded, assumedLots, this.#grid.lowestTicks);
  }

  takeBook(row: RecordedBook): void {
    this.rowAt = row.at;
    this.isSilent = false;
    this.#levels.begin();
    this.#bids = this.#levels.of(row.bids, 'buy');
    this.#asks = this.#levels.of(row.asks, 'sell');
    this.#noteTouch();
  }

  /** {@link takeBook} of a row in columns. */
  takeBookOf(block: RecordedBlock, row: number): void {
    this.rowAt = block.at(row);
    this.isSilent = false;
    this.#show(block, row);
    this.#noteTouch();
  }

  /** Whether rows can be passed over at `now`, as far as this instrument is concerned. */
  canPass(now: Instant): boolean {
    // What is passed over is kept as prices above zero, which those of a combo need not be.
    if (this.#legs !== undefined) return false;
    // Sizes that come ahead of others stay pieces of their own, which the last row alone does not tell.
    return this.#queue !== 'behind' && (this.#impact?.ticksAt(now) ?? 0) === 0;
  }

  /** Takes a row without commands; those are due from `overdue`. */
  pass(block: RecordedBlock, row: number): void {
    const { kinds, starts } = block.columns;
    const kind = kinds[row];
    if (kind === BOOK) {
      this.rowAt = block.at(row);
      this.isSilent = false;
      if (this.#passed === undefined) this.#passed = { block, row };
      else {
        this.#passed.block = block;
        this.#passed.row = row;
      }
      this.#passTouch(block, row);
    } else if (kind === TICKER) {
      const event = block.event(row);
      if (event.kind === 'ticker') this.takeTicker(event);
      if (this.isStarted && this.rowAt !== undefined && !this.isSilent) this.#isReferenceDue = true;
    } else this.#passedLots += this.#noteTrade(block, row, starts[row] ?? 0);
  }

  /** The commands for the rows that were passed over. */
  overdue(now: Instant): readonly MarketCommand[] {
    const commands: MarketCommand[] = [];
    const { instrument } = this;
    if (this.#passedLots > 0 && this.#lastTradedTicks !== undefined) {
      const taker = { account: RECORDED, instrument: instrument.name, side: this.#lastSide };
      const [lots, priceTicks] = [this.#passedLots, this.#lastTradedTicks];
      if (this.isStarted) commands.push({ kind: 'replay_trade', now, ...taker, lots, priceTicks });
      this.#passedLots = 0;
    }
    const isShown = this.#passed !== undefined;
    if (this.#passed !== undefined) this.#show(this.#passed.block, this.#passed.row);
    this.#passed = undefined;
    if (!this.isStarted) return commands;
    const reference = this.#isReferenceDue ? this.referenceCommand(now) : undefined;
    this.#isReferenceDue = false;
    if (reference !== undefined) commands.push(reference);
    if (isShown) commands.push(...this.bookCommands(now));
    return commands;
  }

  takeTicker(row: RecordedTicker): void {
    this.#ticker = { ...this.#ticker, ...row };
  }

  /** The commands for the latest row, with the reference if it moved. */
  bookCommands(now: Instant): readonly MarketCommand[] {
    if (this.rowAt === undefined) return [];
    const show: ShowBookCommand = {
      kind: 'show_book',
      now,
      account: RECORDED,
      instrument: this.instrument.name,
      ...this.#shown(now),
      seenAt: this.rowAt,
      renewsSizes: !this.#levels.hasSizes,
      queue: this.#queue,
    };
    // The marks of its legs move without the middle of a combo.
    const moved = this.#moveMid() || this.#legs !== undefined;
    const reference = moved ? this.referenceCommand(now) : undefined;
    return reference === undefined ? [show] : [reference, show];
  }

  /**
   * The published mark price, otherwise the mid price, with the band around it; `undefined` if neither is
   * known.
   */
  referenceCommand(now: Instant): SetReferenceCommand | undefined {
    if (this.#legs !== undefined) return this.#comboReference(this.#legs, now);
    const ticker = this.#ticker;
    const mark = ticker?.mark === undefined ? this.#midPrice() : price(ticker.mark);
    if (mark === undefined) return undefined;
    const underlying = ticker?.underlying === undefined ? undefined : price(ticker.underlying);
    const index = ticker?.index === undefined ? underlying : price(ticker.index);
    // The price of anything but an option is near its index; that of an option is a premium.
    const witness = index ?? (this.instrument.kind === 'option' ? undefined : mark);
    return {
      kind: 'set_reference',
      now,
      instrument: this.instrument.name,
      index: witness,
      mark,
      underlying,
      markIv: ticker?.markIv,
      greeks: ticker?.greeks,
      ...this.#bandAround(mark, underlying ?? witness),
    };
  }

  #comboReference(legs: readonly RecordedLeg[], now: Instant): SetReferenceCommand | undefined {
    const marked = legs.flatMap(({ ratio, symbol }) => {
      const reference = symbol.referenceCommand(now);
      return reference === undefined ? [] : [{ ratio, reference }];
    });
    return marked.length < legs.length ? undefined : comboReference(this.instrument, marked, now);
  }

  /**
   * Computed, because recordings do not contain it: market orders use it as their limit, and prices beyond it
   * are refused.
   */
  #bandAround(mark: Price, forward: Price | undefined) {
    const { kind, marginKind } = this.instrument;
    if (marginKind !== 'inverse' && forward === undefined) return {};
    const coin = marginKind === 'inverse' || forward === undefined ? 1 : toNumber(forward);
    return this.#band.around(priceBand(kind, { mark: toNumber(mark), coin }));
  }

  /** A user's order took of the book. */
  noteTaken({ side, quantity, at }: Pick<UserTrade, 'side' | 'quantity' | 'at'>): void {
    const [[bid], [ask]] = [this.#bids, this.#asks];
    this.#impact?.note({
      at,
      side,
      lots: stepsIn(quantity, this.instrument.amountStep),
      touchLots: (side === 'buy' ? ask : bid)?.lots ?? 0,
      spreadTicks: ask !== undefined && bid !== undefined ? ask.priceTicks - bid.priceTicks : 0,
    });
  }

  /** Both sides as they stand at `now`, moved by what users took before. */
  #shown(now: Instant): Pick<ShowBookCommand, 'bids' | 'asks'> {
    const moved = this.#impact?.ticksAt(now) ?? 0;
    if (moved === 0) return { bids: this.#bids, asks: this.#asks };
    const shifted = (levels: readonly QuoteLevel[]): readonly QuoteLevel[] =>
      levels
        .map(({ priceTicks, lots }) => ({ priceTicks: priceTicks + moved, lots }))
        .filter(({ priceTicks }) => priceTicks >= this.#grid.lowestTicks);
    return { bids: shifted(this.#bids), asks: shifted(this.#asks) };
  }

  tradeCommand(row: RecordedTrade, now: Instant): ReplayTradeCommand | undefined {
    const lots = this.#recorded.lots(row.amount);
    const side = row.side ?? this.#takerOf(this.#recorded.restingTicks(row.price, 'buy'));
    this.#lastTradedTicks = this.#recorded.tradedTicks(row.price, side);
    this.#lastSide = side;
    return this.#traded(lots, now);
  }

  /** {@link tradeCommand} of a row in columns. */
  tradeCommandOf(block: RecordedBlock, row: number, now: Instant): ReplayTradeCommand | undefined {
    const lots = this.#noteTrade(block, row, block.columns.starts[row] ?? 0);
    return this.#traded(lots, now);
  }

  #traded(lots: number, now: Instant): ReplayTradeCommand | undefined {
    const [side, ticks = 0] = [this.#lastSide, this.#lastTradedTicks];
    const priceTicks = ticks + (this.#impact?.ticksAt(now) ?? 0);
    const { lowestTicks } = this.#grid;
    if (lots <= 0 || ticks < lowestTicks || priceTicks < lowestTicks) return undefined;
    const { name } = this.instrument;
    return {
      kind: 'replay_trade',
      now,
      account: RECORDED,
      instrument: name,
      side,
      lots,
      priceTicks,
    };
  }

  /** Remembers the trade as the last one; its lots, 0 if the instrument has no such price. */
  #noteTrade({ columns }: RecordedBlock, row: number, at: number): number {
    const { kinds, numbers, places } = columns;
    const [price = 0, pricePlaces = 0] = [numbers[at], places[at]];
    const kind = kinds[row];
    const side =
      kind === BOUGHT
        ? 'buy'
        : kind === SOLD
          ? 'sell'
          : this.#takerOf(this.#recorded.restingTicksOf(price, pricePlaces, 'buy'));
    this.#lastSide = side;
    this.#lastTradedTicks = this.#recorded.restingTicksOf(price, pricePlaces, side);
    if (this.#lastTradedTicks < this.#grid.lowestTicks) return 0;
    return Math.max(0, this.#recorded.lotsOf(numbers[at + 1] ?? 0, places[at + 1] ?? 0));
  }

  #noteTouch(): void {
    this.#bidTicks = this.#bids[0]?.priceTicks ?? Number.NaN;
    this.#askTicks = this.#asks[0]?.priceTicks ?? Number.NaN;
  }

  /** The best prices of a row that is passed over. */
  #passTouch({ columns }: RecordedBlock, row: number): void {
    const { starts, bids } = columns;
    const [from = 0, to = 0] = [starts[row], starts[row + 1]];
    const split = from + 2 * (bids[row] ?? 0);
    this.#bidTicks = this.#levels.bestWithin(columns, [from, split], 'buy');
    this.#askTicks = this.#levels.bestWithin(columns, [split, to], 'sell');
    const twice = this.#bidTicks + this.#askTicks;
    if (!this.isStarted || Number.isNaN(twice) || twice === this.#midTwiceTicks) return;
    this.#midTwiceTicks = twice;
    this.#mid = undefined;
    this.#isReferenceDue = true;
  }

  /** The delivery price of an expiry: the index, or of a future without one its mark price; `undefined` if not known. */
  deliveryPrice(now: Instant): Price | undefined {
    const reference = this.referenceCommand(now);
    return reference?.index;
  }

  /** Inferred from the quote, then from the tick (Lee and Ready 1991), if the recording has no side. */
  #takerOf(ticks: number): Side {
    const middle = (this.#bidTicks + this.#askTicks) / 2;
    if (!Number.isNaN(middle) && ticks !== middle) return ticks > middle ? 'buy' : 'sell';
    const last = this.#lastTradedTicks ?? ticks;
    if (ticks === last) return this.#lastSide;
    return ticks > last ? 'buy' : 'sell';
  }

  /** Takes both sides of a row in columns. */
  #show({ columns }: RecordedBlock, row: number): void {
    const { starts, bids } = columns;
    const [from = 0, to = 0] = [starts[row], starts[row + 1]];
    const split = from + 2 * (bids[row] ?? 0);
    this.#levels.begin();
    this.#bids = this.#levels.within(columns, [from, split], 'buy');
    this.#asks = this.#levels.within(columns, [split, to], 'sell');
  }

  /** True if there is a mid price and it has changed. */
  #moveMid(): boolean {
    const [bid] = this.#bids;
    const [ask] = this.#asks;
    if (bid === undefined || ask === undefined) return false;
    const twice = bid.priceTicks + ask.priceTicks;
    if (twice === this.#midTwiceTicks) return false;
    this.#midTwiceTicks = twice;
    this.#mid = undefined;
    return true;
  }

  /** The latest mid price; `undefined` before the first. */
  #midPrice(): Price | undefined {
    if (Number.isNaN(this.#midTwiceTicks)) return undefined;
    this.#mid ??= scaled(this.#grid.priceOf(this.#midTwiceTicks), HALF);
    return this.#mid;
  }
}
