// What a venue reports about an order or a trade, in our terms. All sources (answers, streams, queries) are converted
// to these two shapes before any decision.
import type { Money, Price, Quantity } from '../../values/amounts.ts';
import type { Currency, InstrumentName, OrderId, TradeId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Side } from '../../values/instrument.ts';

export type VenueOrderState = 'open' | 'filled' | 'cancelled' | 'rejected' | 'untriggered';

export interface VenueOrder {
  readonly orderId: OrderId;
  /** Empty if the order has none. */
  readonly label: string;
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly state: VenueOrderState;
  /** Absent for market orders. */
  readonly price?: Price | undefined;
  readonly quantity: Quantity;
  readonly filledQuantity: Quantity;
  readonly cancelReason?: string | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export interface VenueTrade {
  readonly tradeId: TradeId;
  readonly orderId: OrderId;
  readonly label: string;
  readonly instrument: InstrumentName;
  /** The side of our order, whether maker or taker. */
  readonly side: Side;
  readonly price: Price;
  readonly quantity: Quantity;
  /** Negative for a rebate. */
  readonly fee: Money;
  readonly feeCurrency: Currency;
  readonly liquidity: 'maker' | 'taker';
  readonly indexPrice?: Price | undefined;
  readonly markPrice?: Price | undefined;
  readonly at: Instant;
}
