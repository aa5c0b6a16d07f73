// What happened to users' accounts, in causal order: the trades of a command, then the orders, the
// positions and the balances it left behind. Each event holds absolute state, so applying one twice
// changes nothing. `print` is the public tape; it is published but never journaled.
import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument, Side } from '../values/instrument.ts';
import type { FundingAccount, FundingSample } from './model/instruments/funding-account.ts';
import type { ExchangeOrder, ExchangeTrade, TickDirection } from './order.ts';
import type { RfqEvent } from './rfq/rfq-event.ts';

export interface ExchangePosition {
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  /** Signed, in the amount unit; zero when flat. */
  readonly quantity: Quantity;
  /**
   * What the open quantity cost, never negative: coin for inverse perpetuals and futures
   * (Σ USD / price), quote currency otherwise (Σ price × quantity). To 16 decimals.
   */
  readonly cost: Money;
  /** What profit counts from since the last settlement; in journals of before there were any, the cost. */
  readonly basis?: Money | undefined;
  /** Inverse perpetuals and futures: harmonic, by amount. Absent when flat. */
  readonly averagePrice?: Price | undefined;
  /** Profit and loss realised so far, in the settlement currency, before fees. */
  readonly realised: Money;
  /** `realised` at the last settlement. */
  readonly settledRealised?: Money | undefined;
  /** Earned, and less than the last digit of the currency. */
  readonly unpaid?: Money | undefined;
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

/** One trade of the public tape. Ticks and lots, because bots print many of them. */
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
}

/** An instrument that was not there at the start. */
export interface InstrumentListed {
  readonly kind: 'instrument_listed';
  readonly at: Instant;
  readonly instrument: Instrument;
}

/** What a perpetual costs from now on. Written once a minute where somebody holds it. */
export interface FundingSampled {
  readonly kind: 'funding_sampled';
  readonly at: Instant;
  readonly instrument: InstrumentName;
  readonly funding: FundingSample;
}

/** The daily settlement; the balances and positions it changed follow. */
export interface DaySettled {
  readonly kind: 'day_settled';
  readonly at: Instant;
  /** Nothing is traded before. */
  readonly pausedUntil: Instant;
  readonly books: readonly SettledBook[];
}

export interface SettledBook {
  readonly instrument: InstrumentName;
  readonly settlementPrice: Price;
}

/** Closed for good. */
export interface InstrumentDelivered {
  readonly kind: 'instrument_delivered';
  readonly at: Instant;
  readonly instrument: InstrumentName;
  readonly deliveryPrice: Price;
}

/** The watched price went on: trailing stops follow it. Told to nobody, needed after a restart. */
export interface TrailingMoved {
  readonly kind: 'trailing_moved';
  readonly at: Instant;
  readonly extremes: readonly { readonly orderId: OrderId; readonly extreme: Price }[];
}

/** What rebuilds the users' accounts after a restart. */
export type AccountEvent =
  | OrderChanged
  | TradeMade
  | PositionChanged
  | BalanceChanged
  | InstrumentListed
  | TrailingMoved
  | FundingSampled
  | DaySettled
  | InstrumentDelivered
  | RfqEvent;
export type ExchangeEvent = AccountEvent | Print;
