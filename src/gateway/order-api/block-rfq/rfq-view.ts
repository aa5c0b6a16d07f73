// A Block RFQ as its taker or one of its makers sees it: fields that a role may not see are empty or omitted.

import { z } from 'zod';
import { text as decimalText } from '../../../values/amounts.ts';
import type { RfqFill, RfqLevel, RfqRecord, RfqTrigger } from '../../../values/block-rfq-record.ts';
import { decimal, flag, instant, text } from '../result-fields.ts';
import {
  allocationSchema,
  allocationView,
  hedgeSchema,
  hedgeView,
  legSchema,
  legView,
  side,
} from '../rfq-parts.ts';

const levelSchema = z.object({
  quantity: decimal('Quantity available at the price'),
  executionInstruction: z.enum(['any_part_of', 'all_or_none']).describe('Kind of the quotes'),
  price: decimal('Of the whole structure'),
  makers: z.array(z.string()).describe('Makers, or ANONYMOUS'),
  lastUpdatedAt: instant('Last change of the quotes in it'),
  expiresAt: instant('Earliest expiry of the quotes in it').optional(),
});

export const triggerSchema = z
  .object({
    state: z.enum(['untriggered', 'triggered', 'cancelled']).describe('State of the accept'),
    side: side.describe('Side of the taker'),
    price: decimal('Worst acceptable price'),
    cancelReason: text('Why it was cancelled').optional(),
  })
  .describe('An accept that waits for quotes');

const fillSchema = z.object({
  side: side.describe('Side of the taker'),
  price: decimal('Of the whole structure'),
  quantity: decimal('Size'),
  maker: text('Maker, where the caller may know').optional(),
  hedgeQuantity: decimal('Share of the hedge').optional(),
});

export const STATUSES = [
  'created',
  'open',
  'filled',
  'traded',
  'cancelled',
  'expired',
  'closed',
  'failed',
] as const;

export const rfqSchema = z
  .object({
    blockRfqId: text('Id by which the caller knows the RFQ'),
    quantity: decimal('Size; times a ratio it is the size of a leg'),
    comboId: text('Combo name of the structure; null without one').nullable(),
    createdAt: instant('Created'),
    expiresAt: instant('Expiry'),
    lastUpdatedAt: instant('Last change'),
    makers: z.array(z.string()).describe('Makers it was sent to, empty for all; empty for makers'),
    role: z.enum(['taker', 'maker']).describe('Role of the caller'),
    taker: text('The taker, when disclosed').optional(),
    legs: z.array(legSchema).describe('The structure'),
    hedge: hedgeSchema.optional(),
    disclosed: flag('Whether names are shown to the counterparty'),
    label: text('Label of the taker, for the taker').optional(),
    status: z.enum(STATUSES).describe('State; traded: filled by other makers'),
    closedReason: text('Why it ended; null while it is open').nullable(),
    minTradeAmount: decimal('Smallest quantity of a quote'),
    markPrice: decimal('Mark price of the structure without the hedge; when filled').optional(),
    indexPrices: z.record(z.string(), z.string()).describe('Indexes, when filled').optional(),
    includedInTakerRating: flag('For the taker, once it has ended').optional(),
    takerRating: text('How often the taker trades its RFQs, as a band').optional(),
    asks: z
      .array(levelSchema)
      .describe('Levels at which the taker can buy; takers only')
      .optional(),
    bids: z
      .array(levelSchema)
      .describe('Levels at which the taker can sell; takers only')
      .optional(),
    tradeAllocations: z.array(allocationSchema).describe('Takers only').optional(),
    tradeTriggers: z.array(triggerSchema).describe('Waiting accepts; takers only').optional(),
    trades: z.array(fillSchema).describe('One per maker, when filled').optional(),
  })
  .describe('A Block RFQ');

type RfqView = z.infer<typeof rfqSchema>;

export const rfqView = (rfq: RfqRecord): RfqView => ({
  blockRfqId: rfq.id,
  quantity: decimalText(rfq.quantity),
  comboId: rfq.comboId ?? null,
  createdAt: rfq.createdAt,
  expiresAt: rfq.expiresAt,
  lastUpdatedAt: rfq.lastUpdatedAt,
  makers: [...rfq.makers],
  role: rfq.role,
  taker: rfq.taker,
  legs: rfq.legs.map(legView),
  hedge: rfq.hedge && hedgeView(rfq.hedge),
  disclosed: rfq.disclosed,
  label: rfq.label,
  status: rfq.status,
  closedReason: rfq.closedReason ?? null,
  minTradeAmount: decimalText(rfq.minTradeQuantity),
  markPrice: rfq.markPrice && decimalText(rfq.markPrice),
  indexPrices: rfq.indexPrices,
  includedInTakerRating: rfq.includedInTakerRating,
  takerRating: rfq.takerRating,
  trades: rfq.fills.length === 0 ? undefined : rfq.fills.map(fillView),
  ...(rfq.role === 'taker' && takersView(rfq)),
});

const takersView = ({ asks, bids, allocations, triggers }: RfqRecord): Partial<RfqView> => ({
  asks: asks.map(levelView),
  bids: bids.map(levelView),
  tradeAllocations: allocations.map(allocationView),
  tradeTriggers: triggers.map(triggerView),
});

const levelView = ({ quantity, price, makers, ...same }: RfqLevel) => ({
  ...same,
  quantity: decimalText(quantity),
  price: decimalText(price),
  makers: [...makers],
});

export const triggerView = ({ price, ...same }: RfqTrigger) => ({
  ...same,
  price: decimalText(price),
});

const fillView = ({ price, quantity, hedgeQuantity, ...same }: RfqFill) => ({
  ...same,
  price: decimalText(price),
  quantity: decimalText(quantity),
  hedgeQuantity: hedgeQuantity && decimalText(hedgeQuantity),
});
