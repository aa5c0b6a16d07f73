// Changes to users' accounts, in causal order: the trades of a command, then the resulting orders, positions
// and balances. Each event holds absolute state, so applying one twice changes nothing. `print` is the public
// tape; it is published but never journaled.
import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument, Side } from '../values/instrument.ts';
import type { LiquidatedSide, TickDirection } from '../values/order-terms.ts';
import type { ComboRecord } from './model/combo-registry.ts';
import type { FundingAccount, FundingSample } from './model/instruments/funding-account.ts';
import type { PositionSettlement } from './model/settlement-log.ts';
import type { ComboOfTrade, ExchangeOrder, ExchangeTrade } from './order.ts';
import type { RfqEvent } from './rfq/rfq-event.ts';

export interface ExchangePosition {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  /** Signed, in the amount unit; zero when flat. */
  readonly quantity: Quantity;
  /**
   * The cost of the open quantity, never negative: coin for inverse perpetuals and futures (Σ USD / price),
   * quote currency otherwise (Σ price × quantity). To 18 decimals.
   */
  readonly cost: Money;
  /**
   * The basis of profit since the last settlement; in journals written before there were settlements, the
   * cost.
   */
  readonly basis?: Money | undefined;
  /** Inverse perpetuals and futures: harmonic, by amount. Absent when flat. */
  readonly averagePrice?: Price | undefined;
  /** Realised profit and loss so far, in the settlement currency, before fees. */
  readonly realised: Money;
  /** `realised` at the last settlement. */
  readonly settledRealised?: Money | undefined;
  /** Earned, but less than the last digit of the currency. */
  readonly unpaid?: Money | undefined;
  /** Of a future while its expiry is settled: the signed part that options added. */
  readonly fromOptions?: Quantity | undefined;
  /** Perpetuals. */
  readonly funding?: FundingAccount | undefined;
}

export interface ExchangeBalance {
  readonly account: AccountId;
  readonly currency: Currency;
  readonly amount: Money;
}

export interface OrderChanged {
  readonly kind: 'order_changed';
  readonly at: Instant;
  readonly order: ExchangeOrder;
}

export interface TradeMade {
  readonly kind: 'trade';
  readonly at: Instant;
  readonly trade: ExchangeTrade;
}

export interface PositionChanged {
  readonly kind: 'position_changed';
  readonly at: Instant;
  readonly position: ExchangePosition;
}

export interface BalanceChanged {
  readonly kind: 'balance_changed';
  readonly at: Instant;
  readonly balance: ExchangeBalance;
}

/** One trade of the public tape. In ticks and lots, because bots print many of them. */
export interface Print {
  readonly kind: 'print';
  readonly at: Instant;
  readonly instrument: InstrumentName;
  readonly tradeId: TradeId;
  readonly tradeSeq: number;
  /** The taker's side. */
  readonly side: Side;
  readonly priceTicks: number;
  readonly lots: number;
  readonly tickDirection: TickDirection;
  readonly liquidation?: LiquidatedSide | undefined;
  /** Only on a leg of a combo, whose price may be off the instrument's own grid: then `priceTicks` is rounded. */
  readonly ofCombo?: (ComboOfTrade & { readonly price: Price }) | undefined;
  /** Only on a trade of a combo: its legs, which are on the tape too. */
  readonly legs?: readonly Print[] | undefined;
}

/** An instrument that was listed after the start. */
export interface InstrumentListed {
  readonly kind: 'instrument_listed';
  readonly at: Instant;
  readonly instrument: Instrument;
}

/** A combo was created, or became active or inactive. */
export interface ComboChanged {
  readonly kind: 'combo_changed';
  readonly at: Instant;
  readonly combo: ComboRecord;
}

/** The new funding sample of a perpetual. Written once a minute if any account has a position. */
export interface FundingSampled {
  readonly kind: 'funding_sampled';
  readonly at: Instant;
  readonly instrument: InstrumentName;
  readonly funding: FundingSample;
}

/** The daily settlement; the changed balances and positions follow as events. */
export interface DaySettled {
  readonly kind: 'day_settled';
  readonly at: Instant;
  /** Trading resumes at this instant. */
  readonly pausedUntil: Instant;
  readonly books: readonly SettledBook[];
}

/** What the daily settlement or the expiry moved for one position. */
export interface PositionSettled {
  readonly kind: 'position_settled';
  readonly at: Instant;
  readonly settled: PositionSettlement;
}

export interface SettledBook {
  readonly instrument: InstrumentName;
  readonly settlementPrice: Price;
}

/** Closed permanently. */
export interface InstrumentDelivered {
  readonly kind: 'instrument_delivered';
  readonly at: Instant;
  readonly instrument: InstrumentName;
  /** Absent if nothing is known to settle at. */
  readonly deliveryPrice?: Price | undefined;
}

/** The watched price moved and trailing stops followed it. Not published; needed for the restart. */
export interface TrailingMoved {
  readonly kind: 'trailing_moved';
  readonly at: Instant;
  readonly extremes: readonly { readonly orderId: OrderId; readonly extreme: Price }[];
}

/** A liquidation in one currency of an account began or ended. */
export interface LiquidationChanged {
  readonly kind: 'liquidation_changed';
  readonly at: Instant;
  readonly account: AccountId;
  readonly currency: Currency;
  readonly isActive: boolean;
}

/** The events that rebuild users' accounts after a restart. */
export type AccountEvent =
  | OrderChanged
  | TradeMade
  | PositionChanged
  | BalanceChanged
  | InstrumentListed
  | ComboChanged
  | TrailingMoved
  | FundingSampled
  | DaySettled
  | PositionSettled
  | LiquidationChanged
  | InstrumentDelivered
  | RfqEvent;
export type ExchangeEvent = AccountEvent | Print;
