// What decisions about a child read of an order and of a trade: a part of the venue's record of it.
import type { OrderRecord, TradeRecord } from './order-record.ts';

export type VenueOrder = Pick<
  OrderRecord,
  | 'orderId'
  | 'label'
  | 'instrument'
  | 'side'
  | 'state'
  | 'price'
  | 'quantity'
  | 'filledQuantity'
  | 'cancelReason'
  | 'createdAt'
  | 'updatedAt'
>;

export type VenueTrade = Pick<
  TradeRecord,
  | 'tradeId'
  | 'orderId'
  | 'label'
  | 'instrument'
  | 'side'
  | 'price'
  | 'quantity'
  | 'fee'
  | 'feeCurrency'
  | 'liquidity'
  | 'indexPrice'
  | 'markPrice'
  | 'at'
>;
