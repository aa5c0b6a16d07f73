// An order and a trade as the exchange shows them: immutable, in decimals. Inside, orders are integers
// (`live-order.ts`); these two shapes are what answers, events, snapshots and journals carry.
import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Side } from '../values/instrument.ts';

export type TimeInForce =
  | 'good_til_cancelled'
  | 'good_til_day'
  | 'immediate_or_cancel'
  | 'fill_or_kill';

/** What the owner asked for; a market order rests, if at all, as a limit order at the band. */
export type OrderType = 'limit' | 'market';

export type OrderState = 'open' | 'filled' | 'cancelled' | 'rejected' | 'untriggered' | 'triggered';

/** Absent where the venue gives no reason: the rest of an IOC, a killed FOK, a reduce-only cut to 0. */
export type CancelReason =
  | 'user_request'
  | 'cancel_on_disconnect'
  | 'edit_post_only_reject'
  | 'mmp_trigger'
  | 'risk_mitigation'
  | 'settlement';

export interface ExchangeOrder {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly side: Side;
  /** Empty when none was given. */
  readonly label: string;
  readonly originalType: OrderType;
  readonly state: OrderState;
  /** The limit now in force: after a post-only slide the slid price, for a market order the band. */
  readonly price: Price;
  /** Total, what is filled included; a reduce-only order shrinks. */
  readonly quantity: Quantity;
  readonly filledQuantity: Quantity;
  /** Σ price × quantity over its trades; with `filledQuantity` gives the average price. */
  readonly filledValue: Money;
  /** Weighted by amount. Absent before the first fill. */
  readonly averagePrice?: Price | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly rejectPostOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
  /** True once an edit was accepted. */
  readonly replaced: boolean;
  readonly cancelReason?: CancelReason | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Place in time among all that rests: within a level the lower rank executes first. */
  readonly rank: number;
}

/** 0 up, 1 unchanged after up, 2 down, 3 unchanged after down: against the trade before. */
export type TickDirection = 0 | 1 | 2 | 3;

/** One account's side of one trade. Both sides carry the same trade id. */
export interface ExchangeTrade {
  readonly tradeId: TradeId;
  /** Counts the trades of the instrument. */
  readonly tradeSeq: number;
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly label: string;
  readonly instrument: InstrumentName;
  /** The side of the account's own order, whoever was the taker. */
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly liquidity: 'maker' | 'taker';
  /** Negative for a rebate. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  /** Realised by this trade, in the settlement currency, before the fee. */
  readonly profitLoss: Money;
  readonly tickDirection: TickDirection;
  readonly indexPrice?: Price | undefined;
  readonly markPrice?: Price | undefined;
  readonly underlyingPrice?: Price | undefined;
  /** Options: volatility of the mark at the moment, as a fraction. */
  readonly markIv?: number | undefined;
  readonly originalType: OrderType;
  /** The order's state right after this trade. */
  readonly orderState: OrderState;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
  readonly at: Instant;
}
