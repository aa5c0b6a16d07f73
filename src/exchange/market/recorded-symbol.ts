// One recorded instrument: its latest row, and its rows as commands of the exchange.
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
import type {
  RecordedBook,
  RecordedLevel,
  RecordedTicker,
  RecordedTrade,
} from '../../values/recorded-event.ts';
import { Grid } from '../book/grid.ts';
import type {
  MarketCommand,
  QuoteLevel,
  ReplayTradeCommand,
  SetReferenceCommand,
  ShowBookCommand,
} from '../exchange-command.ts';
import type { QueueModel } from '../model/queue-model.ts';
import type { UserTrade } from './market-source.ts';
import { type ImpactModel, OwnImpact } from './own-impact.ts';
import { priceBand, ShownBand } from './prices/price-band.ts';
import { RecordedGrid } from './recorded-grid.ts';

/** The account of all participants in the recording. */
export const RECORDED: AccountId = accountId('recorded-market');

export interface RecordedInstrument {
  /** Its name is the symbol of the recording. */
  readonly instrument: Instrument;
  /** One lot in the amount unit of the recording; differs if that is contracts. */
  readonly recordedStep: Quantity;
  /** Lots to assume at a price that was recorded without a size. */
  readonly assumedLots: number;
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
  readonly #assumedLots: number;
  readonly #queue: QueueModel | undefined;
  readonly #impact: OwnImpact | undefined;
  isStarted = false;
  /** True once the latest row is too old to be shown. */
  isSilent = false;
  /** The time of the latest book row. */
  rowAt: Instant | undefined;
  #bids: readonly QuoteLevel[] = [];
  #asks: readonly QuoteLevel[] = [];
  #hasSizes = true;
  #ticker: RecordedTicker | undefined;
  #lastTradedTicks: number | undefined;
  #lastSide: Side = 'buy';
  #mid: Price | undefined;
  #midTwiceTicks = Number.NaN;

  constructor(
    { instrument, recordedStep, assumedLots }: RecordedInstrument,
    { queue, impact }: SymbolModels,
  ) {
    this.#queue = queue;
    this.#impact = impact && new OwnImpact(impact);
    this.instrument = instrument;
    this.#grid = new Grid(instrument);
    this.#recorded = new RecordedGrid(instrument.tickSize, recordedStep);
    this.#band = new ShownBand(this.#grid, toNumber(instrument.tickSize));
    this.#assumedLots = assumedLots;
  }

  takeBook(row: RecordedBook): void {
    this.rowAt = row.at;
    this.isSilent = false;
    this.#hasSizes = true;
    this.#bids = this.#levels(row.bids, 'buy');
    this.#asks = this.#levels(row.asks, 'sell');
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
      renewsSizes: !this.#hasSizes,
      queue: this.#queue,
    };
    const moved = this.#moveMid();
    const reference = moved ? this.referenceCommand(now) : undefined;
    return reference === undefined ? [show] : [reference, show];
  }

  /**
   * The published mark price, otherwise the mid price, with the band around it; `undefined` if neither is
   * known.
   */
  referenceCommand(now: Instant): SetReferenceCommand | undefined {
    const ticker = this.#ticker;
    const mark = ticker?.mark === undefined ? this.#mid : price(ticker.mark);
    if (mark === undefined) return undefined;
    const underlying = ticker?.underlying === undefined ? undefined : price(ticker.underlying);
    const index = ticker?.index === undefined ? (underlying ?? mark) : price(ticker.index);
    return {
      kind: 'set_reference',
      now,
      instrument: this.instrument.name,
      index,
      mark,
      underlying,
      markIv: ticker?.markIv,
      greeks: ticker?.greeks,
      ...this.#bandAround(mark, underlying ?? index),
    };
  }

  /**
   * Computed, because recordings do not contain it: market orders use it as their limit, and prices beyond it
   * are refused.
   */
  #bandAround(mark: Price, forward: Price) {
    const { kind, marginKind } = this.instrument;
    const coin = marginKind === 'inverse' ? 1 : toNumber(forward);
    return this.#band.around(priceBand(kind, { mark: toNumber(mark), coin }));
  }

  /** A user's order took of the book. */
  noteTaken({ side, quantity, at }: Pick<UserTrade, 'side' | 'quantity' | 'at'>): void {
    const [[bid], [ask]] = [this.#bids, this.#asks];
    this.#impact?.note({
      ...{ at, side, lots: stepsIn(quantity, this.instrument.amountStep) },
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
        .filter(({ priceTicks }) => priceTicks > 0);
    return { bids: shifted(this.#bids), asks: shifted(this.#asks) };
  }

  tradeCommand(row: RecordedTrade, now: Instant): ReplayTradeCommand | undefined {
    const lots = this.#recorded.lots(row.amount);
    const side = row.side ?? this.#takerOf(this.#recorded.restingTicks(row.price, 'buy'));
    const priceTicks = this.#recorded.tradedTicks(row.price, side);
    this.#lastSide = side;
    this.#lastTradedTicks = priceTicks;
    const movedTicks = priceTicks + (this.#impact?.ticksAt(now) ?? 0);
    if (lots <= 0 || priceTicks <= 0 || movedTicks <= 0) return undefined;
    const { name } = this.instrument;
    const taker = { account: RECORDED, instrument: name, side, lots, priceTicks: movedTicks };
    return { kind: 'replay_trade', now, ...taker };
  }

  /** The delivery price of an expiry: the index if one was published, otherwise the mark price. */
  deliveryPrice(now: Instant): Price | undefined {
    const reference = this.referenceCommand(now);
    return reference?.index;
  }

  /** Inferred from the quote, then from the tick (Lee and Ready 1991), if the recording has no side. */
  #takerOf(ticks: number): Side {
    const [bid] = this.#bids;
    const [ask] = this.#asks;
    if (bid !== undefined && ask !== undefined) {
      const middle = (bid.priceTicks + ask.priceTicks) / 2;
      if (ticks !== middle) return ticks > middle ? 'buy' : 'sell';
    }
    const last = this.#lastTradedTicks ?? ticks;
    if (ticks === last) return this.#lastSide;
    return ticks > last ? 'buy' : 'sell';
  }

  #levels(levels: readonly RecordedLevel[], side: Side): readonly QuoteLevel[] {
    const shown: QuoteLevel[] = [];
    for (const { price: at, amount } of levels) {
      const priceTicks = this.#recorded.restingTicks(at, side);
      if (amount === undefined) this.#hasSizes = false;
      const lots = amount === undefined ? this.#assumedLots : this.#recorded.lots(amount);
      if (lots <= 0 || priceTicks <= 0) continue;
      const last = shown.at(-1);
      // Prices finer than the grid can fall on the same tick: they form one level.
      if (last?.priceTicks === priceTicks) {
        shown[shown.length - 1] = { priceTicks, lots: last.lots + lots };
      } else shown.push({ priceTicks, lots });
    }
    return shown;
  }

  /** True if there is a mid price and it has changed. */
  #moveMid(): boolean {
    const [bid] = this.#bids;
    const [ask] = this.#asks;
    if (bid === undefined || ask === undefined) return false;
    const twice = bid.priceTicks + ask.priceTicks;
    if (twice === this.#midTwiceTicks) return false;
    this.#midTwiceTicks = twice;
    this.#mid = scaled(this.#grid.priceOf(twice), HALF);
    return true;
  }
}
