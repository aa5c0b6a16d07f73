// A maker's quote on a Block RFQ, as that maker sees it.

import { z } from 'zod';
import { text as decimalText } from '../../../values/amounts.ts';
import type { RfqQuoteRecord } from '../../../values/block-rfq-record.ts';
import { decimal, flag, instant, text } from '../result-fields.ts';
import { hedgeSchema, hedgeView, pricedLegSchema, pricedLegView, side } from '../rfq-parts.ts';

export const quoteSchema = z
  .object({
    quoteId: text('Id of the quote'),
    blockRfqId: text('Its RFQ, by the id the maker knows'),
    label: text('Label of the maker').optional(),
    quantity: decimal('Size, in the unit of the RFQ'),
    side: side.describe("The maker's side: buy is a bid for the structure as listed"),
    price: decimal('Of the whole structure'),
    executionInstruction: z
      .enum(['any_part_of', 'all_or_none'])
      .describe('Whether it may be filled in part'),
    legs: z.array(pricedLegSchema).describe('The structure with prices'),
    hedge: hedgeSchema.optional(),
    filledQuantity: decimal('Filled size'),
    createdAt: instant('Made'),
    lastUpdatedAt: instant('Last change'),
    expiresAt: instant('Expiry, if it has one of its own').optional(),
    status: z.enum(['open', 'filled', 'cancelled', 'expired']).describe('State'),
    statusReason: text('Why it ended').optional(),
    replaced: flag('Whether it was edited'),
    mmpGroup: text('MMP group the quote counts towards').optional(),
    appName: z.null().describe('Always null'),
  })
  .describe('A quote');

export const quoteView = (quote: RfqQuoteRecord): z.infer<typeof quoteSchema> => ({
  quoteId: quote.id,
  blockRfqId: quote.rfqId,
  label: quote.label,
  quantity: decimalText(quote.quantity),
  side: quote.side,
  price: decimalText(quote.price),
  executionInstruction: quote.executionInstruction,
  legs: quote.legs.map(pricedLegView),
  hedge: quote.hedge && hedgeView(quote.hedge),
  filledQuantity: decimalText(quote.filledQuantity),
  createdAt: quote.createdAt,
  lastUpdatedAt: quote.lastUpdatedAt,
  expiresAt: quote.expiresAt,
  status: quote.status,
  statusReason: quote.statusReason,
  replaced: quote.replaced,
  mmpGroup: quote.mmpGroup,
  appName: null,
});
