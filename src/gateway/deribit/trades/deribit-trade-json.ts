// An account's side of a trade as Deribit's wire shows it.
//
// Decisions: `direction` is the side of the account's own order, as in recordings (the schema says the taker's);
// `index_price` and `mark_price`, which clients require, stand in for each other, then the price does; `order_type` is
// `market` for every order without a limit of its own; the flags of the order are booleans, not the text of the schema.
import type { TradeRecord, TradeShare } from '../../../core/order/order-record.ts';
import { percentText, tradedAs } from '../../order-api/trades/trade-view.ts';
import {
  decimalNumber,
  integerOfText,
  type JsonNumber,
  numberOfText,
} from '../method/json-number.ts';

/** An id of digits as an integer, any other as text. */
export const idJson = (id: string): JsonNumber | string =>
  /^\d{1,18}$/.test(id) ? integerOfText(id) : id;

/** An id where the wire has integers only: the digits of ours. */
export const digitsJson = (id: string): JsonNumber => integerOfText(id.replaceAll(/\D/g, ''));

/** What a trade has, also as a leg of the trade of a combo. */
const partJson = (trade: TradeRecord) => ({
  trade_id: trade.tradeId,
  trade_seq: trade.tradeSeq,
  instrument_name: trade.instrument,
  timestamp: trade.at,
  order_id: trade.orderId,
  order_type: tradedAs(trade),
  state: trade.state,
  direction: trade.side,
  tick_direction: trade.tickDirection,
  price: decimalNumber(trade.price),
  amount: decimalNumber(trade.quantity),
  contracts: trade.contracts && decimalNumber(trade.contracts),
  fee: decimalNumber(trade.fee),
  fee_currency: trade.feeCurrency,
  liquidity: trade.liquidity === 'maker' ? 'M' : 'T',
  liquidation: trade.liquidation,
  label: trade.label === '' ? undefined : trade.label,
  mark_price: decimalNumber(trade.markPrice ?? trade.indexPrice ?? trade.price),
  index_price: decimalNumber(trade.indexPrice ?? trade.markPrice ?? trade.price),
  iv: trade.iv === undefined ? undefined : numberOfText(percentText(trade.iv)),
  underlying_price: trade.underlyingPrice && decimalNumber(trade.underlyingPrice),
  combo_id: trade.comboId,
  combo_trade_id: trade.comboTradeId,
});

export const userTradeJson = (trade: TradeRecord) => ({
  ...partJson(trade),
  profit_loss: trade.profitLoss && decimalNumber(trade.profitLoss),
  matching_id: null,
  advanced: trade.advanced,
  post_only: trade.postOnly,
  reduce_only: trade.reduceOnly,
  mmp: trade.mmp,
  self_trade: false,
  risk_reducing: false,
  api: true,
  user_id: integerOfText(trade.account),
  block_trade_id: trade.blockTradeId,
  block_rfq_id: trade.blockRfqId === undefined ? undefined : idJson(trade.blockRfqId),
  block_rfq_quote_id:
    trade.blockRfqQuoteId === undefined ? undefined : idJson(trade.blockRfqQuoteId),
  legs: trade.legs?.map(partJson),
  trade_allocations: trade.allocations?.map(shareJson),
});

const shareJson = ({ quantity, fee, userId, client }: TradeShare) => ({
  amount: decimalNumber(quantity),
  fee: decimalNumber(fee),
  user_id: userId,
  client_info: client && {
    client_id: client.clientId,
    client_link_id: client.clientLinkId,
    name: client.name,
  },
});
