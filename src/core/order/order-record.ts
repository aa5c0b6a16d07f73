// An order and a trade with all the data a venue reports: the results of the order methods. A slice uses the smaller
// `venue-report.ts` for its own children.

import type { Money, Price, Quantity } from '../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import type {
  AdvancedKind,
  FillCondition,
  LiquidatedSide,
  OrderType,
  TimeInForce,
  TriggerSource,
} from '../../values/order-terms.ts';

export type OrderRecordState =
  | 'open'
  | 'filled'
  | 'rejected'
  | 'cancelled'
  | 'untriggered'
  | 'triggered';

export interface OrderRecord {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  readonly side: Side;
  /** Its current type in the book, or the last one; `originalType` if a different type was requested. */
  readonly type: OrderType;
  readonly originalType?: OrderType | undefined;
  readonly state: OrderRecordState;
  /** Absent while an order without a limit price waits for its trigger. */
  readonly price?: Price | undefined;
  readonly quantity: Quantity;
  readonly contracts?: Quantity | undefined;
  readonly filledQuantity: Quantity;
  /** Weighted by amount; absent before the first fill. */
  readonly averagePrice?: Price | undefined;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly rejectPostOnly: boolean;
  readonly reduceOnly: boolean;
  /** Empty when there is none. */
  readonly label: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly cancelReason?: string | undefined;
  readonly replaced: boolean;
  readonly autoReplaced?: boolean | undefined;
  /** The value given by the owner, in the unit of `kind`. */
  readonly advanced?: { readonly kind: AdvancedKind; readonly value: Price } | undefined;
  readonly displayQuantity?: Quantity | undefined;
  readonly refreshQuantity?: Quantity | undefined;
  readonly trigger?:
    | {
        readonly source: TriggerSource;
        /** For a trailing stop the moving trigger price; absent until its reference is first known. */
        readonly price?: Price | undefined;
        readonly offset?: Price | undefined;
        /** Trailing stops: the reference at placement. */
        readonly reference?: Price | undefined;
      }
    | undefined;
  readonly triggered?: boolean | undefined;
  readonly triggerOrderId?: OrderId | undefined;
  /** On a triggered order: the id of the order that replaced it, if the venue reports it. */
  readonly firedOrderId?: OrderId | undefined;
  readonly fillCondition?: FillCondition | undefined;
  readonly otoOrderIds?: readonly OrderId[] | undefined;
  readonly isSecondaryOto?: boolean | undefined;
  readonly isPrimaryOtoco?: boolean | undefined;
  readonly primaryOrderId?: OrderId | undefined;
  readonly ocoRef?: string | undefined;
  readonly mmp: boolean;
  /** Placed by the venue to reduce a position of an account in liquidation. */
  readonly isLiquidation?: boolean | undefined;
  /** Only of an open order that a query found in its speed bump: it is in no book yet, and may fill after its cancel. */
  readonly isSpeedBumped?: true | undefined;
  readonly mmpCancelled?: boolean | undefined;
}

/** The share of a trade allocated to another user or to a client of a broker. */
export interface TradeShare {
  readonly quantity: Quantity;
  readonly fee: Money;
  readonly userId?: number | undefined;
  readonly client?:
    | {
        readonly clientId: number;
        readonly clientLinkId?: number | undefined;
        readonly name?: string | undefined;
      }
    | undefined;
}

/** One account's side of one trade. */
export interface TradeRecord {
  readonly tradeId: TradeId;
  /** Sequence number of the trade within the instrument. */
  readonly tradeSeq: number;
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly orderType: OrderType;
  readonly label: string;
  readonly instrument: InstrumentName;
  /** The side of the account's own order, whether maker or taker. */
  readonly side: Side;
  /** The state of the order right after this trade. */
  readonly state: OrderRecordState;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly contracts?: Quantity | undefined;
  readonly liquidity: 'maker' | 'taker';
  /** Whose side the venue liquidated; absent on all other trades. */
  readonly liquidation?: LiquidatedSide | undefined;
  /** Negative for a rebate. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  /** Realised by this trade, in the settlement currency, before the fee. */
  readonly profitLoss?: Money | undefined;
  /** What the account has right after this trade and its fee, in the fee currency. */
  readonly balanceAfter?: Money | undefined;
  /** The same in the base currency of spot. */
  readonly baseAfter?: Money | undefined;
  /** 0 up, 1 unchanged after up, 2 down, 3 unchanged after down, relative to the previous trade. */
  readonly tickDirection: 0 | 1 | 2 | 3;
  readonly indexPrice?: Price | undefined;
  readonly markPrice?: Price | undefined;
  readonly underlyingPrice?: Price | undefined;
  /** Options: volatility implied by the trade price, as a fraction. */
  readonly iv?: number | undefined;
  readonly advanced?: AdvancedKind | undefined;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly mmp: boolean;
  readonly blockTradeId?: string | undefined;
  readonly blockRfqId?: string | undefined;
  readonly blockRfqQuoteId?: string | undefined;
  readonly comboId?: string | undefined;
  readonly comboTradeId?: string | undefined;
  /** Only on the trade of a combo: one trade for each leg; its fee and profit are the sums of theirs. */
  readonly legs?: readonly TradeRecord[] | undefined;
  /** Block RFQs: the taker's pre-allocation of the trade. */
  readonly allocations?: readonly TradeShare[] | undefined;
  readonly at: Instant;
}
