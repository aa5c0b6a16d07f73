// The vocabulary of orders, and what an order and a trade are for everyone: the order methods, every venue and the paper exchange
// add what only they know.
import type { Money, Price, Quantity } from './amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from './ids.ts';
import type { Instant } from './instant.ts';
import type { Side } from './instrument.ts';

export const TIMES_IN_FORCE = [
  'good_til_cancelled',
  'good_til_day',
  'fill_or_kill',
  'immediate_or_cancel',
] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

export const ORDER_TYPES = [
  'limit',
  'market',
  'market_limit',
  'stop_limit',
  'stop_market',
  'take_limit',
  'take_market',
  'trailing_stop',
] as const;
/**
 * The requested type. If a market order rests, it rests as a limit order at the band, a market_limit order at the price
 * of the level it met. The other types wait for their trigger first.
 */
export type OrderType = (typeof ORDER_TYPES)[number];

const THROUGH_THE_MARKET: ReadonlySet<OrderType> = new Set([
  'market',
  'stop_market',
  'take_market',
  'trailing_stop',
]);

/** The type that a trade of the order shows: `market` for every order without a limit of its own. */
export const tradedAs = ({ orderType }: { readonly orderType: OrderType }): 'limit' | 'market' =>
  THROUGH_THE_MARKET.has(orderType) ? 'market' : 'limit';

export const TRIGGER_SOURCES = ['index_price', 'mark_price', 'last_price'] as const;
/** The price that a trigger watches. */
export type TriggerSource = (typeof TRIGGER_SOURCES)[number];

export const FILL_CONDITIONS = ['first_hit', 'complete_fill', 'incremental'] as const;
/** When a fill of one linked order takes effect on the others. */
export type FillCondition = (typeof FILL_CONDITIONS)[number];

export const LINK_KINDS = [
  'one_triggers_other',
  'one_cancels_other',
  'one_triggers_one_cancels_other',
] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export const ADVANCED_KINDS = ['usd', 'implv'] as const;
/** Options priced by the venue: `usd` in USD per coin, `implv` in percent of volatility. */
export type AdvancedKind = (typeof ADVANCED_KINDS)[number];

/** Whose side of a trade closed a position of an account in liquidation: the maker's, the taker's, or both. */
export type LiquidatedSide = 'M' | 'T' | 'MT';

/** The terms of a new order; `price` is in the unit of `advanced` if that is given. */
export interface OrderTerms {
  readonly side: Side;
  readonly type: OrderType;
  readonly quantity: Quantity;
  /** Required for limit, stop_limit and take_limit, ignored for other types. */
  readonly price?: Price | undefined;
  readonly timeInForce: TimeInForce;
  /** Never take: an order that would match on arrival is repriced by the venue, or refused. */
  readonly postOnly: boolean;
  /** With `postOnly`: refuse rather than reprice. */
  readonly rejectPostOnly: boolean;
  readonly reduceOnly: boolean;
  /** At most 64 characters; need not be unique; empty if there is none. */
  readonly label: string;
  /** Required for stop, take and trailing orders. */
  readonly trigger?: TriggerSource | undefined;
  /** Required for stop and take orders. */
  readonly triggerPrice?: Price | undefined;
  /** Required for trailing stops: distance from the extreme, in price units. */
  readonly triggerOffset?: Price | undefined;
}

/** What an edit changes; absent fields stay unchanged. */
export interface EditTerms {
  /** New total, including what is already filled. */
  readonly quantity?: Quantity | undefined;
  readonly price?: Price | undefined;
  readonly postOnly?: boolean | undefined;
  readonly rejectPostOnly?: boolean | undefined;
  readonly reduceOnly?: boolean | undefined;
  readonly mmp?: boolean | undefined;
  /** The venue must refuse the request from this instant of its own clock on. */
  readonly validUntil?: Instant | undefined;
  readonly displayQuantity?: Quantity | undefined;
  /** Must be repeated with each edit of an order priced by the venue. */
  readonly advanced?: AdvancedKind | undefined;
  readonly triggerPrice?: Price | undefined;
  readonly triggerOffset?: Price | undefined;
}

export type OrderState = 'open' | 'filled' | 'rejected' | 'cancelled' | 'untriggered' | 'triggered';

/** What is known of an order at a venue. */
export interface OrderFacts {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly state: OrderState;
  /**
   * The limit now in force: after a post-only reprice the new price, for a market order the band. Absent while an order without a
   * limit price waits for its trigger.
   */
  readonly price?: Price | undefined;
  /** Total quantity, including the filled part; that of a reduce-only order may shrink. */
  readonly quantity: Quantity;
  readonly filledQuantity: Quantity;
  /** Weighted by amount; absent before the first fill. */
  readonly averagePrice?: Price | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly rejectPostOnly: boolean;
  readonly reduceOnly: boolean;
  /** Empty if there is none. */
  readonly label: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** True after an accepted edit. */
  readonly replaced: boolean;
  /** The last change was a repricing by the venue. */
  readonly autoReplaced?: boolean | undefined;
  /** Option orders priced by the venue: the owner's value, in the unit of `kind`. */
  readonly advanced?: { readonly kind: AdvancedKind; readonly value: Price } | undefined;
  /** Icebergs: the quantity the book shows now, and the quantity it is refilled to. */
  readonly displayQuantity?: Quantity | undefined;
  readonly refreshQuantity?: Quantity | undefined;
  /** The id of the trigger order or dormant linked order that became this order. */
  readonly triggerOrderId?: OrderId | undefined;
  /** On a triggered order: the id of the order that replaced it, if the venue reports it. */
  readonly firedOrderId?: OrderId | undefined;
  readonly mmp: boolean;
  /** Placed by the venue to reduce a position of an account in liquidation. */
  readonly isLiquidation?: boolean | undefined;
}

/** Relative to the previous trade: 0 up, 1 unchanged after up, 2 down, 3 unchanged after down. */
export type TickDirection = 0 | 1 | 2 | 3;

/** What is known of one account's side of one trade. Both sides carry the same trade id. */
export interface TradeFacts {
  readonly tradeId: TradeId;
  /** The trade's sequence number in the instrument. */
  readonly tradeSeq: number;
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly label: string;
  readonly instrument: InstrumentName;
  /** The side of the account's own order, whether maker or taker. */
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  /** `taker` also for the hidden part of an iceberg, although it rested. */
  readonly liquidity: 'maker' | 'taker';
  /** Whose side the venue liquidated; absent on all other trades. */
  readonly liquidation?: LiquidatedSide | undefined;
  /** Negative for a rebate. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  /** What the account has right after this trade and its fee, in the fee currency, if the venue reports it. */
  readonly balanceAfter?: Money | undefined;
  /** The same in the base currency of spot. */
  readonly baseAfter?: Money | undefined;
  readonly tickDirection: TickDirection;
  readonly indexPrice?: Price | undefined;
  readonly markPrice?: Price | undefined;
  readonly underlyingPrice?: Price | undefined;
  /**
   * Options: the implied volatility of the trade price, as a fraction; the mark volatility if no volatility gives that price.
   */
  readonly iv?: number | undefined;
  readonly advanced?: AdvancedKind | undefined;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
  readonly at: Instant;
}

// Which orders a routed spot pair takes, by Deribit's page of August 2026: the pair is matched on another exchange, which has
// fewer kinds of orders. The engine refuses the others before anything is sent, and the paper exchange does as the venue.

export interface RoutedOrder
  extends Pick<OrderTerms, 'type' | 'timeInForce' | 'postOnly' | 'rejectPostOnly' | 'trigger'> {
  readonly displayQuantity?: unknown;
  readonly link?: unknown;
}

export interface RoutedFault {
  readonly code: number;
  readonly param: string;
  readonly reason: string;
}

const INVALID_PARAMS = -32602;
const POST_ONLY_NOT_ALLOWED = 11055;
const ICEBERG_NOT_ALLOWED = 11059;
const NOT_SUPPORTED = 11060;
const NO_LINKED_ORDERS = 13922;

const TYPES: ReadonlySet<OrderType> = new Set(['limit', 'market', 'stop_limit']);
const WHERE = 'on a pair that is matched on another exchange';

/** The first thing about the order that a routed pair does not take. */
export function routedFault(order: RoutedOrder): RoutedFault | undefined {
  const { type, timeInForce, postOnly, rejectPostOnly, trigger } = order;
  const fault = (code: number, param: string, what: string, accepted: string): RoutedFault => ({
    code,
    param,
    reason: `${what} is not supported ${WHERE}; accepted: ${accepted}`,
  });
  if (timeInForce === 'good_til_day') {
    return fault(INVALID_PARAMS, 'timeInForce', timeInForce, 'good_til_cancelled');
  }
  if (order.link !== undefined) {
    return fault(NO_LINKED_ORDERS, 'linkedOrderType', 'a linked order', 'leave it out');
  }
  if (order.displayQuantity !== undefined) {
    return fault(ICEBERG_NOT_ALLOWED, 'displayAmount', 'an iceberg', 'leave it out');
  }
  if (!TYPES.has(type)) return fault(NOT_SUPPORTED, 'type', type, [...TYPES].join(', '));
  if (trigger !== undefined && trigger !== 'last_price') {
    return fault(NOT_SUPPORTED, 'trigger', trigger, 'last_price');
  }
  return postOnly && !rejectPostOnly
    ? fault(POST_ONLY_NOT_ALLOWED, 'postOnly', 'repricing', 'postOnly with rejectPostOnly true')
    : undefined;
}
