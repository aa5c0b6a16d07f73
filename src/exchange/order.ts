// An order and a trade as the exchange shows them: immutable, in decimals. Internally orders use integers
// (`live-order.ts`); answers, events, snapshots and journals carry these two shapes. Beyond the facts that any venue reports they
// hold what the exchange needs to restore an order: its time priority, its place among linked orders. The paper adapter maps them
// to the records of the order methods (`src/adapters/paper/order-shapes.ts`).

import type { Money, Price, Quantity } from '../values/amounts.ts';
import type { InstrumentName, OrderId, TradeId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type {
  FillCondition,
  LinkKind,
  OrderFacts,
  OrderState,
  OrderType,
  TradeFacts,
  TriggerSource,
} from '../values/order-terms.ts';
import type { AllocatedShare } from './rfq/blocks/block-trade.ts';

/**
 * Absent where the venue gives no reason: the remainder of an IOC, a killed FOK, a reduce-only order reduced
 * to 0, an order that ends with its instrument.
 */
export type CancelReason =
  | 'user_request'
  | 'autoliquidation'
  | 'cancel_on_disconnect'
  | 'edit_post_only_reject'
  | 'mmp_trigger'
  | 'oco_other_closed'
  | 'order_overlap'
  | 'order_overlap_another_sub'
  | 'oto_primary_closed'
  | 'risk_mitigation'
  | 'settlement';

export interface ExchangeOrder extends OrderFacts {
  readonly originalType: OrderType;
  /** Σ price × quantity over its trades; divided by `filledQuantity` it gives the average price. */
  readonly filledValue: Money;
  readonly cancelReason?: CancelReason | undefined;
  /** Only on a rejected order, which the exchange was to place and could not: the name of the error. */
  readonly rejectReason?: string | undefined;
  /** Time priority among all resting orders: within a level the lower rank executes first. */
  readonly rank: number;
  readonly trigger?: OrderTrigger | undefined;
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

/** One account's side of one trade. Journals of earlier versions lack `balanceAfter`. */
export interface ExchangeTrade extends TradeFacts {
  /** Filled from the hidden part of a resting iceberg. */
  readonly wasHidden?: boolean | undefined;
  /** Realised by this trade, in the settlement currency, before the fee. */
  readonly profitLoss: Money;
  /** Signed: the position in the instrument right after this trade; absent for spot, and in journals of earlier versions. */
  readonly positionAfter?: Quantity | undefined;
  readonly originalType: OrderType;
  /** The order's state right after this trade. */
  readonly orderState: OrderState;
  /** Only on legs of a block trade; their order id names the block and the side in it. */
  readonly block?: BlockOfTrade | undefined;
  /** Only on legs of a combo trade; their order id is that of the combo's order with the number of the leg. */
  readonly ofCombo?: ComboOfTrade | undefined;
  /** Only on the trade of a combo: its legs. Its fee and profit are the sums of theirs. */
  readonly legs?: readonly ExchangeTrade[] | undefined;
}
