// An order and a trade with everything a venue tells of them: what the order methods answer. What a
// slice needs to know of its own child is the smaller `venue-report.ts`.
import type { Money, Price, Quantity } from '../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId, TradeId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';
import type { TimeInForce } from '../terms/spec.ts';
import type { AdvancedKind, FillCondition, OrderType, TriggerSource } from './order-terms.ts';

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
  /** What it is in the book now, or was when it ended; `originalType` where that is not what was asked for. */
  readonly type: OrderType;
  readonly originalType?: OrderType | undefined;
  readonly state: OrderRecordState;
  /** Absent while an order without a limit waits for its trigger. */
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
  /** What the owner gave, in the unit of `kind`. */
  readonly advanced?: { readonly kind: AdvancedKind; readonly value: Price } | undefined;
  readonly displayQuantity?: Quantity | undefined;
  readonly refreshQuantity?: Quantity | undefined;
  readonly trigger?:
    | {
        readonly source: TriggerSource;
        /** For a trailing stop the moving one; absent until its reference is first known. */
        readonly price?: Price | undefined;
        readonly offset?: Price | undefined;
        /** Trailing stops: the reference at placement. */
        readonly reference?: Price | undefined;
      }
    | undefined;
  readonly triggered?: boolean | undefined;
  readonly triggerOrderId?: OrderId | undefined;
  /** On a trigger order that has fired: the order that came in its place, where the venue tells. */
  readonly firedOrderId?: OrderId | undefined;
  readonly fillCondition?: FillCondition | undefined;
  readonly otoOrderIds?: readonly OrderId[] | undefined;
  readonly isSecondaryOto?: boolean | undefined;
  readonly isPrimaryOtoco?: boolean | undefined;
  readonly primaryOrderId?: OrderId | undefined;
  readonly ocoRef?: string | undefined;
  readonly mmp: boolean;
  readonly mmpCancelled?: boolean | undefined;
}

/** What of a trade goes to somebody else: a user, or a client of a broker. */
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
  /** Counts the trades of the instrument. */
  readonly tradeSeq: number;
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly orderType: OrderType;
  readonly label: string;
  readonly instrument: InstrumentName;
  /** The side of the account's own order, whoever was the taker. */
  readonly side: Side;
  /** The order's state right after this trade. */
  readonly state: OrderRecordState;
  readonly price: Price;
  readonly quantity: Quantity;
  readonly contracts?: Quantity | undefined;
  readonly liquidity: 'maker' | 'taker';
  /** Negative for a rebate. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  /** Realised by this trade, in the settlement currency, before the fee. */
  readonly profitLoss?: Money | undefined;
  /** 0 up, 1 unchanged after up, 2 down, 3 unchanged after down: against the trade before. */
  readonly tickDirection: 0 | 1 | 2 | 3;
  readonly indexPrice?: Price | undefined;
  readonly markPrice?: Price | undefined;
  readonly underlyingPrice?: Price | undefined;
  /** Options: volatility of the trade's price, as a fraction. */
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
  /** Block RFQs: how the taker had the trade allocated beforehand. */
  readonly allocations?: readonly TradeShare[] | undefined;
  readonly at: Instant;
}
