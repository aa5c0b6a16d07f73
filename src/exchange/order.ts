// An order and a trade as the exchange shows them: immutable, in decimals. Internally orders use integers
// (`live-order.ts`); answers, events, snapshots and journals carry these two shapes. They are not the records of
// `src/core/order/order-record.ts`, which any venue can report: these also hold what the exchange needs to restore an order
// (its time priority, its place among linked orders), are stored in journals, and know nothing of core. The paper adapter
// maps them (`src/adapters/paper/order-shapes.ts`).

import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Side } from '../values/instrument.ts';
import type {
  AdvancedKind,
  FillCondition,
  LinkKind,
  LiquidatedSide,
  OrderType,
  TimeInForce,
  TriggerSource,
} from '../values/order-terms.ts';
import type { AllocatedShare } from './rfq/blocks/block-trade.ts';

export type OrderState = 'open' | 'filled' | 'cancelled' | 'rejected' | 'untriggered' | 'triggered';

/**
 * Absent where the venue gives no reason: the remainder of an IOC, a killed FOK, a reduce-only order reduced
 * to 0.
 */
export type CancelReason =
  | 'user_request'
  | 'autoliquidation'
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
  /** Empty if none was given. */
  readonly label: string;
  readonly originalType: OrderType;
  readonly state: OrderState;
  /**
   * The limit now in force: after a post-only reprice the new price, for a market order the band. Absent on
   * an order without a limit that is untriggered, or was triggered.
   */
  readonly price?: Price | undefined;
  /** Total quantity, including the filled part; that of a reduce-only order may shrink. */
  readonly quantity: Quantity;
  readonly filledQuantity: Quantity;
  /** Σ price × quantity over its trades; divided by `filledQuantity` it gives the average price. */
  readonly filledValue: Money;
  /** Weighted by amount. Absent before the first fill. */
  readonly averagePrice?: Price | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly rejectPostOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
  /** Placed by the exchange to reduce a position of an account in liquidation. */
  readonly isLiquidation?: boolean | undefined;
  /** True after an accepted edit. */
  readonly replaced: boolean;
  readonly cancelReason?: CancelReason | undefined;
  /** Only on a rejected order, which the exchange was to place and could not: the name of the error. */
  readonly rejectReason?: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Time priority among all resting orders: within a level the lower rank executes first. */
  readonly rank: number;
  /** Icebergs: the quantity the book shows now, and the quantity it is refilled to. */
  readonly displayQuantity?: Quantity | undefined;
  readonly refreshQuantity?: Quantity | undefined;
  /** Option orders priced by the exchange: the owner's value, in the unit of `kind`. */
  readonly advanced?: { readonly kind: AdvancedKind; readonly value: Price } | undefined;
  /** The last change was a repricing by the exchange. */
  readonly autoReplaced?: boolean | undefined;
  readonly trigger?: OrderTrigger | undefined;
  /** The id of the trigger order or dormant linked order that became this order. */
  readonly triggerOrderId?: OrderId | undefined;
  /** On a triggered order: the id of the order that replaced it. Absent in old journals. */
  readonly firedOrderId?: OrderId | undefined;
  readonly link?: OrderLink | undefined;
  /** Only while the order waits before it may match: it is open and in no book. */
  readonly bump?: OrderBump | undefined;
  /**
   * What it reserves of a balance, where that followed from the index of the moment: linear options. Absent elsewhere, and in
   * old journals.
   */
  readonly reserved?: Money | undefined;
}

export interface OrderBump {
  /** The order is released with the first command from this instant on. */
  readonly until: Instant;
  /** It was cancelled meanwhile: what does not match at the release is cancelled for this reason. */
  readonly cancelReason?: CancelReason | undefined;
}

export interface OrderTrigger {
  readonly source: TriggerSource;
  /** For a trailing stop the current trigger price; absent while it waits for its primary. */
  readonly price?: Price | undefined;
  /** Trailing stops: offset from the extreme, and the reference at placement. */
  readonly offset?: Price | undefined;
  readonly reference?: Price | undefined;
  /** The most favourable reference since placement. */
  readonly extreme?: Price | undefined;
}

/** An order's link to the others of one request. */
export interface OrderLink {
  readonly kind: LinkKind;
  readonly fillCondition: FillCondition;
  /** `primary` triggers the `secondary` ones; `peer` orders only cancel each other. */
  readonly role: 'primary' | 'secondary' | 'peer';
  /** On a primary: its secondaries, dormant or placed. */
  readonly secondaryIds?: readonly OrderId[] | undefined;
  /** On a secondary: its primary. */
  readonly primaryId?: OrderId | undefined;
  /** Shared by the orders that cancel each other. */
  readonly ocoRef?: string | undefined;
  /** Shared by all orders of the request. */
  readonly ref: string;
  /** The index within the request: 0 for the request's own order, then the others. */
  readonly place: number;
  /** How the others have changed this order; absent on a primary and on closed orders. */
  readonly progress?: LinkProgress | undefined;
}

export interface LinkProgress {
  /** The quantity that shares are computed from. */
  readonly quantity: Quantity;
  /** Released by the primary's fills so far; for peers everything. */
  readonly placedQuantity: Quantity;
  /** Filled quantity, including earlier orders of the same place. */
  readonly filledQuantity: Quantity;
  /** Removed by fills of the others. */
  readonly cutQuantity: Quantity;
}

/** Relative to the previous trade: 0 up, 1 unchanged after up, 2 down, 3 unchanged after down. */
export type TickDirection = 0 | 1 | 2 | 3;

/** On a leg of a block trade, which is traded outside the book. */
export interface BlockOfTrade {
  readonly id: string;
  /** The account's own id of the RFQ. */
  readonly rfqId: string;
  /** On the maker's side. */
  readonly quoteId?: string | undefined;
  /** On a leg of a structure that has a combo name. */
  readonly comboId?: string | undefined;
  /** On the taker's side, if shares were allocated. Absent in old journals. */
  readonly allocations?: readonly AllocatedShare[] | undefined;
  /** The number of legs of the block, including the hedge. */
  readonly legCount: number;
  readonly isHedge: boolean;
}

/** On a leg of a combo trade, which is not traded in the leg's own book. */
export interface ComboOfTrade {
  readonly id: InstrumentName;
  /** The trade of the combo. */
  readonly tradeId: TradeId;
}

/** One account's side of one trade. Both sides carry the same trade id. */
export interface ExchangeTrade {
  readonly tradeId: TradeId;
  /** The trade's sequence number in the instrument. */
  readonly tradeSeq: number;
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly label: string;
  readonly instrument: InstrumentName;
  /** The side of the account's own order, as maker or taker. */
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  /** `taker` also for the hidden part of an iceberg, although it rested. */
  readonly liquidity: 'maker' | 'taker';
  /** Filled from the hidden part of a resting iceberg. */
  readonly wasHidden?: boolean | undefined;
  /** Whose side was liquidated; absent on all other trades. */
  readonly liquidation?: LiquidatedSide | undefined;
  /** Negative for a rebate. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  /** Realised by this trade, in the settlement currency, before the fee. */
  readonly profitLoss: Money;
  /** What the account has right after this trade and its fee, in the fee currency; absent in journals of earlier versions. */
  readonly balanceAfter?: Money | undefined;
  /** The same in the base currency of spot. */
  readonly baseAfter?: Money | undefined;
  /** Signed: the position in the instrument right after this trade; absent for spot, and in journals of earlier versions. */
  readonly positionAfter?: Quantity | undefined;
  readonly tickDirection: TickDirection;
  readonly indexPrice?: Price | undefined;
  readonly markPrice?: Price | undefined;
  readonly underlyingPrice?: Price | undefined;
  /**
   * Options: the implied volatility of the trade price, as a fraction; the mark volatility if no volatility
   * gives that price.
   */
  readonly iv?: number | undefined;
  readonly originalType: OrderType;
  readonly advanced?: AdvancedKind | undefined;
  /** The order's state right after this trade. */
  readonly orderState: OrderState;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
  /** Only on legs of a block trade; their order id names the block and the side in it. */
  readonly block?: BlockOfTrade | undefined;
  /** Only on legs of a combo trade; their order id is that of the combo's order with the number of the leg. */
  readonly ofCombo?: ComboOfTrade | undefined;
  /** Only on the trade of a combo: its legs. Its fee and profit are the sums of theirs. */
  readonly legs?: readonly ExchangeTrade[] | undefined;
  readonly at: Instant;
}
