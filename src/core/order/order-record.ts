// An order and a trade with all the data a venue reports: the results of the order methods. A slice uses the smaller
// `venue-report.ts` for its own children.

import type { Money, Price, Quantity } from '../../values/amounts.ts';
import type { TradeAllocation } from '../../values/block-rfq-record.ts';
import type { OrderId } from '../../values/ids.ts';
import type {
  FillCondition,
  OrderFacts,
  OrderState,
  OrderType,
  TradeFacts,
  TriggerSource,
} from '../../values/order-terms.ts';

export interface OrderRecord extends OrderFacts {
  /** Its current type in the book, or the last one; `originalType` if a different type was requested. */
  readonly type: OrderType;
  readonly originalType?: OrderType | undefined;
  readonly contracts?: Quantity | undefined;
  readonly cancelReason?: string | undefined;
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
  readonly fillCondition?: FillCondition | undefined;
  readonly otoOrderIds?: readonly OrderId[] | undefined;
  readonly isSecondaryOto?: boolean | undefined;
  readonly isPrimaryOtoco?: boolean | undefined;
  readonly primaryOrderId?: OrderId | undefined;
  readonly ocoRef?: string | undefined;
  /** Only of an open order that a query found in its speed bump: it is in no book yet, and may fill after its cancel. */
  readonly isSpeedBumped?: true | undefined;
  readonly mmpCancelled?: boolean | undefined;
}

/** The share of a trade allocated to another user or to a client of a broker. */
export interface TradeShare extends TradeAllocation {
  readonly fee: Money;
}

/** One account's side of one trade. */
export interface TradeRecord extends TradeFacts {
  readonly orderType: OrderType;
  /** The state of the order right after this trade. */
  readonly state: OrderState;
  readonly contracts?: Quantity | undefined;
  /** Realised by this trade, in the settlement currency, before the fee. */
  readonly profitLoss?: Money | undefined;
  readonly blockTradeId?: string | undefined;
  readonly blockRfqId?: string | undefined;
  readonly blockRfqQuoteId?: string | undefined;
  readonly comboId?: string | undefined;
  readonly comboTradeId?: string | undefined;
  /** Only on the trade of a combo: one trade for each leg; its fee and profit are the sums of theirs. */
  readonly legs?: readonly TradeRecord[] | undefined;
  /** Block RFQs: the taker's pre-allocation of the trade. */
  readonly allocations?: readonly TradeShare[] | undefined;
}
