// What happened to users' accounts, in causal order: the trades of a command, then the orders, the
// positions and the balances it left behind. Each event holds absolute state, so applying one twice
// changes nothing. `print` is the public tape; it is published but never journaled.
import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, TradeId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Instrument, Side } from '../values/instrument.ts';
import type { ExchangeOrder, ExchangeTrade, TickDirection } from './order.ts';

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
  /** Inverse perpetuals and futures: harmonic, by amount. Absent when flat. */
  readonly averagePrice?: Price | undefined;
  /** Profit and loss realised so far, in the settlement currency, before fees. */
  readonly realised: Money;
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

/** What rebuilds the users' accounts after a restart. */
export type AccountEvent =
  | OrderChanged
  | TradeMade
  | PositionChanged
  | BalanceChanged
  | InstrumentListed;
export type ExchangeEvent = AccountEvent | Print;
