// An order and a trade as the exchange shows them: immutable, in decimals. Inside, orders are integers
// (`live-order.ts`); these two shapes are what answers, events, snapshots and journals carry.
import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Side } from '../values/instrument.ts';
import type { AllocatedShare } from './rfq/blocks/block-trade.ts';

export type TimeInForce =
  | 'good_til_cancelled'
  | 'good_til_day'
  | 'immediate_or_cancel'
  | 'fill_or_kill';

/**
 * What the owner asked for. A market order rests, if at all, as a limit order at the band, a
 * market_limit order at the price of the level it met. The others wait for their trigger first.
 */
export type OrderType =
  | 'limit'
  | 'market'
  | 'market_limit'
  | 'stop_limit'
  | 'stop_market'
  | 'take_limit'
  | 'take_market'
  | 'trailing_stop';

/** The price a trigger watches. */
export type TriggerSource = 'index_price' | 'mark_price' | 'last_price';

/** When a fill of one linked order acts on the others. */
export type FillCondition = 'first_hit' | 'complete_fill' | 'incremental';

export type LinkKind =
  | 'one_triggers_other'
  | 'one_cancels_other'
  | 'one_triggers_one_cancels_other';

/** Options priced by the exchange: `usd` in USD per coin, `implv` in percent of volatility. */
export type AdvancedKind = 'usd' | 'implv';

export type OrderState = 'open' | 'filled' | 'cancelled' | 'rejected' | 'untriggered' | 'triggered';

/** Absent where the venue gives no reason: the rest of an IOC, a killed FOK, a reduce-only cut to 0. */
export type CancelReason =
  | 'user_request'
  | 'cancel_on_disconnect'
  | 'edit_post_only_reject'
  | 'mmp_trigger'
  | 'oco_other_closed'
  | 'order_overlap'
  | 'oto_primary_closed'
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
  /**
   * The limit now in force: after a post-only slide the slid price, for a market order the band. Absent
   * on an order without a limit that waits for its trigger, or has waited for it.
   */
  readonly price?: Price | undefined;
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
  /** On a rejected order, one that the exchange was to place and could not: the name of the error. */
  readonly rejectReason?: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Place in time among all that rests: within a level the lower rank executes first. */
  readonly rank: number;
  /** Icebergs: what the book shows now, and what it is refilled to. */
  readonly displayQuantity?: Quantity | undefined;
  readonly refreshQuantity?: Quantity | undefined;
  /** Option orders priced by the exchange: what the owner gave, in the unit of `kind`. */
  readonly advanced?: { readonly kind: AdvancedKind; readonly value: Price } | undefined;
  /** The last change was made by the exchange's own pricing. */
  readonly autoReplaced?: boolean | undefined;
  readonly trigger?: OrderTrigger | undefined;
  /** On an order that a trigger order or a dormant linked order became: the id of that one. */
  readonly triggerOrderId?: OrderId | undefined;
  /** On a trigger order that has fired: the id of what came in its place. Absent in old journals. */
  readonly firedOrderId?: OrderId | undefined;
  readonly link?: OrderLink | undefined;
}

export interface OrderTrigger {
  readonly source: TriggerSource;
  /** For a trailing stop the moving one; absent while such a one waits for its primary. */
  readonly price?: Price | undefined;
  /** Trailing stops: distance from the extreme, and the reference at placement. */
  readonly offset?: Price | undefined;
  readonly reference?: Price | undefined;
  /** The most favourable reference since placement. */
  readonly extreme?: Price | undefined;
}

/** How an order hangs together with others of one request. */
export interface OrderLink {
  readonly kind: LinkKind;
  readonly fillCondition: FillCondition;
  /** `primary` triggers the `secondary` ones; `peer` orders only cancel each other. */
  readonly role: 'primary' | 'secondary' | 'peer';
  /** On a primary: its secondaries, dormant or placed. */
  readonly secondaryIds?: readonly OrderId[] | undefined;
  /** On a secondary: its primary. */
  readonly primaryId?: OrderId | undefined;
  /** Shared by the orders of which one cancels the other. */
  readonly ocoRef?: string | undefined;
  /** Shared by all orders of the request. */
  readonly ref: string;
  /** Which order of the request this is, or stands for: 0 the request's own, then the others. */
  readonly place: number;
  /** How far the others have moved this one; absent on a primary and on what is closed. */
  readonly progress?: LinkProgress | undefined;
}

export interface LinkProgress {
  /** What shares are counted of. */
  readonly quantity: Quantity;
  /** What the primary's fills have let go so far; for peers everything. */
  readonly placedQuantity: Quantity;
  /** What its orders have filled, earlier ones included. */
  readonly filledQuantity: Quantity;
  /** What fills of the others have taken off. */
  readonly cutQuantity: Quantity;
}

/** 0 up, 1 unchanged after up, 2 down, 3 unchanged after down: against the trade before. */
export type TickDirection = 0 | 1 | 2 | 3;

/** Of a row of a block trade, which was traded beside the book. */
export interface BlockOfTrade {
  readonly id: string;
  /** The account's own id of the RFQ. */
  readonly rfqId: string;
  /** On the maker's side. */
  readonly quoteId?: string | undefined;
  /** On a leg of a structure that has a name. */
  readonly comboId?: string | undefined;
  /** On the taker's side, where it had shares allocated. Absent in old journals. */
  readonly allocations?: readonly AllocatedShare[] | undefined;
  /** Rows of the block, the hedge included. */
  readonly legCount: number;
  readonly isHedge: boolean;
}

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
  /** The hidden part of an iceberg is `taker` too, although it rested. */
  readonly liquidity: 'maker' | 'taker';
  /** Out of the hidden part of a resting iceberg. */
  readonly wasHidden?: boolean | undefined;
  /** Negative for a rebate. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  /** Realised by this trade, in the settlement currency, before the fee. */
  readonly profitLoss: Money;
  readonly tickDirection: TickDirection;
  readonly indexPrice?: Price | undefined;
  readonly markPrice?: Price | undefined;
  readonly underlyingPrice?: Price | undefined;
  /** Options: volatility of the trade's price, a fraction; of the mark where no volatility gives it. */
  readonly iv?: number | undefined;
  readonly originalType: OrderType;
  readonly advanced?: AdvancedKind | undefined;
  /** The order's state right after this trade. */
  readonly orderState: OrderState;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
  /** Present on rows of a block; their order id names the block and the side in it. */
  readonly block?: BlockOfTrade | undefined;
  readonly at: Instant;
}
