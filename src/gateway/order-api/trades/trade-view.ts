// An account's side of a trade as clients see it.

import { z } from 'zod';
import type { TradeRecord } from '../../../core/order/order-record.ts';
import type { PublicTrade } from '../../../ports/market-history.ts';
import { text as decimalText } from '../../../values/amounts.ts';
import { tradedAs } from '../../../values/order-terms.ts';
import { percentText } from '../../../values/text/model-text.ts';
import { decimal, flag, instant, text, whole } from '../result-fields.ts';
import { allocationSchema, allocationView } from '../rfq-parts.ts';

const tickDirection = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
  .describe('0 up, 1 unchanged after up, 2 down, 3 unchanged after down');
const side = z.enum(['buy', 'sell']);

const tradeFields = z.object({
  tradeId: text('Unique per currency'),
  tradeSeq: whole('Counts the trades of the instrument'),
  timestamp: instant('Traded'),
  tickDirection,
  state: text('State of the order right after the trade'),
  orderId: text('Order of the account'),
  orderType: z.enum(['limit', 'market']).describe('Kind of the order'),
  instrumentName: text('Instrument name'),
  side: side.describe("Side of the account's order"),
  price: decimal('Price'),
  quantity: decimal('Size'),
  contracts: decimal('Size in contracts').optional(),
  liquidity: z.enum(['M', 'T']).describe('Maker or taker'),
  liquidation: z
    .enum(['M', 'T', 'MT'])
    .describe('Present only if the maker, the taker or both were liquidated')
    .optional(),
  fee: decimal('Fee, negative for a rebate'),
  feeCurrency: text('Currency of the fee'),
  indexPrice: decimal('Index price at the trade').optional(),
  markPrice: decimal('Mark price at the trade').optional(),
  iv: decimal('Options: implied volatility of the price in percent').optional(),
  underlyingPrice: decimal('Options: forward at the trade').optional(),
  profitLoss: decimal('Realised in the settlement currency, before the fee').optional(),
  api: z.literal(true).describe('Always true: the order was created with the API'),
  postOnly: flag('Flag of the order'),
  reduceOnly: flag('Flag of the order'),
  mmp: flag('Flag of the order'),
  riskReducing: z
    .literal(false)
    .describe('Always false: it applies to portfolio margin, which is not offered'),
  advanced: z.enum(['usd', 'implv']).describe('Options priced by the exchange').optional(),
  label: text('Label of the order, when it has one').optional(),
  matchingId: z.null().describe('Always null'),
  blockTradeId: text('Block trade it belongs to').optional(),
  blockRfqId: text('Block RFQ it came from').optional(),
  blockRfqQuoteId: text('Quote of that RFQ').optional(),
  comboId: text('Combo it came from').optional(),
  comboTradeId: text('Trade of that combo').optional(),
  tradeAllocations: z
    .array(allocationSchema)
    .describe('Block RFQs: shares that the taker allocated')
    .optional(),
});

export const tradeSchema = tradeFields
  .extend({
    legs: z
      .array(tradeFields)
      .describe('Combos only: one trade for each leg; fee and profit are the sums of theirs')
      .optional(),
  })
  .describe('A trade');

export type TradeView = z.infer<typeof tradeSchema>;

export const tradeView = (trade: TradeRecord): TradeView => ({
  ...ownFields(trade),
  legs: trade.legs?.map(ownFields),
});

const ownFields = (trade: TradeRecord): z.infer<typeof tradeFields> => ({
  tradeId: trade.tradeId,
  tradeSeq: trade.tradeSeq,
  timestamp: trade.at,
  tickDirection: trade.tickDirection,
  state: trade.state,
  orderId: trade.orderId,
  orderType: tradedAs(trade),
  instrumentName: trade.instrument,
  side: trade.side,
  price: decimalText(trade.price),
  quantity: decimalText(trade.quantity),
  contracts: trade.contracts && decimalText(trade.contracts),
  liquidity: trade.liquidity === 'maker' ? 'M' : 'T',
  liquidation: trade.liquidation,
  fee: decimalText(trade.fee),
  feeCurrency: trade.feeCurrency,
  indexPrice: trade.indexPrice && decimalText(trade.indexPrice),
  markPrice: trade.markPrice && decimalText(trade.markPrice),
  iv: trade.iv === undefined ? undefined : percentText(trade.iv),
  underlyingPrice: trade.underlyingPrice && decimalText(trade.underlyingPrice),
  profitLoss: trade.profitLoss && decimalText(trade.profitLoss),
  api: true,
  postOnly: trade.postOnly,
  reduceOnly: trade.reduceOnly,
  mmp: trade.mmp,
  riskReducing: false,
  advanced: trade.advanced,
  label: trade.label === '' ? undefined : trade.label,
  matchingId: null,
  blockTradeId: trade.blockTradeId,
  blockRfqId: trade.blockRfqId,
  blockRfqQuoteId: trade.blockRfqQuoteId,
  comboId: trade.comboId,
  comboTradeId: trade.comboTradeId,
  tradeAllocations: trade.allocations?.map(allocationView),
});

interface PublicTradeView
  extends Pick<
    TradeView,
    | ('tradeId' | 'tradeSeq' | 'timestamp' | 'instrumentName' | 'side' | 'price' | 'quantity')
    | ('tickDirection' | 'markPrice' | 'indexPrice' | 'iv' | 'comboId' | 'comboTradeId')
  > {
  readonly legs: readonly PublicTradeView[] | undefined;
}

/** A trade of the public tape: without accounts, with the taker's side. */
export const publicTradeView = (trade: PublicTrade): PublicTradeView => ({
  tradeId: trade.tradeId,
  tradeSeq: trade.tradeSeq,
  timestamp: trade.at,
  instrumentName: trade.instrument,
  side: trade.side,
  price: decimalText(trade.price),
  quantity: decimalText(trade.quantity),
  tickDirection: trade.tickDirection,
  markPrice: trade.mark && decimalText(trade.mark),
  indexPrice: trade.index && decimalText(trade.index),
  iv: trade.iv === undefined ? undefined : percentText(trade.iv),
  comboId: trade.comboId,
  comboTradeId: trade.comboTradeId,
  legs: trade.legs?.map(publicTradeView),
});
