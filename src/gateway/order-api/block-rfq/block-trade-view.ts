// A block trade between one taker and one maker, with a row per leg. The public tape shows neither names nor
// fees nor client ids.

import { z } from 'zod';
import { text as decimalText } from '../../../values/amounts.ts';
import type { BlockTrade, BlockTradeRow } from '../../../values/block-rfq-record.ts';
import { decimal, flag, instant, text } from '../result-fields.ts';
import { allocationSchema, allocationView, side } from '../rfq-parts.ts';

const rowSchema = z.object({
  tradeId: text('Id of the trade of this leg'),
  instrumentName: text('Instrument name'),
  side: side.describe('Side of the caller'),
  quantity: decimal('Size of the leg'),
  price: decimal('Price of the leg'),
  fee: decimal('Fee, negative for a rebate'),
  feeCurrency: text('Currency of the fee'),
  markPrice: decimal('Mark price at the trade').optional(),
  indexPrice: decimal('Index price at the trade').optional(),
  liquidity: z.enum(['M', 'T']).describe('Whether the caller was maker or taker'),
  hedge: flag('Whether this is the hedge leg'),
  tradeAllocations: z.array(allocationSchema).describe('Shares of the leg').optional(),
});

export const blockTradeSchema = z
  .object({
    blockTradeId: text('Id of the block trade'),
    blockRfqId: text('Its RFQ, by the id the caller knows'),
    comboId: text('Combo name of the structure; null without one').nullable(),
    timestamp: instant('Traded'),
    side: side.describe('Side of the caller'),
    price: decimal('Of the whole structure'),
    quantity: decimal('Size'),
    maker: text('Maker, where the caller may know').optional(),
    trades: z.array(rowSchema).describe('One per leg, and the hedge'),
  })
  .describe('A block trade');

export const blockTradeView = (trade: BlockTrade): z.infer<typeof blockTradeSchema> => ({
  blockTradeId: trade.id,
  blockRfqId: trade.rfqId,
  comboId: trade.comboId ?? null,
  timestamp: trade.at,
  side: trade.side,
  price: decimalText(trade.price),
  quantity: decimalText(trade.quantity),
  maker: trade.maker,
  trades: trade.rows.map(rowView),
});

const rowView = (row: BlockTradeRow): z.infer<typeof rowSchema> => ({
  tradeId: row.tradeId,
  ...legOf(row),
  fee: decimalText(row.fee),
  feeCurrency: row.feeCurrency,
  liquidity: row.liquidity === 'maker' ? 'M' : 'T',
  tradeAllocations: row.allocations.length === 0 ? undefined : row.allocations.map(allocationView),
});

const legOf = (row: BlockTradeRow) => ({
  instrumentName: row.instrument,
  side: row.side,
  quantity: decimalText(row.quantity),
  price: decimalText(row.price),
  markPrice: row.markPrice && decimalText(row.markPrice),
  indexPrice: row.indexPrice && decimalText(row.indexPrice),
  hedge: row.isHedge,
});

/** The public view; sides are the taker's. */
export const tapeView = (trade: BlockTrade) => ({
  blockTradeId: trade.id,
  comboId: trade.comboId ?? null,
  timestamp: trade.at,
  side: trade.side,
  price: decimalText(trade.price),
  quantity: decimalText(trade.quantity),
  legs: trade.rows.map(legOf),
});
