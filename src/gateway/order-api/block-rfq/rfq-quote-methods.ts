// Block RFQ methods for makers: create, edit, cancel and list quotes. One quote is identified by its id, or by
// the RFQ and the quote's label; a cancel that specifies less applies to every own quote that matches.

import { z } from 'zod';
import type { QuoteName } from '../../../ports/block-rfq.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import {
  choiceField,
  instantField,
  priceField,
  quantityField,
  textField,
} from '../../wire/field-kinds.ts';
import { list, optional, optionalOr } from '../../wire/fields.ts';
import { placeIdempotently } from '../idempotent-placement.ts';
import { answered, type Method } from '../method.ts';
import { labelField } from '../param-fields.ts';
import { invalidParam, type Refusal } from '../refusals.ts';
import {
  hedgeField,
  LEGS_MAX,
  pricedLegField,
  quoteIdField,
  rfqIdField,
  sideField,
} from '../rfq-parts.ts';
import { cancelMatching } from './cancel-quotes.ts';
import { idempotencyKey, makerMethod } from './rfq-method.ts';
import { quoteSchema, quoteView } from './rfq-quote-view.ts';

export const INSTRUCTIONS = { any_part_of: 'any_part_of', all_or_none: 'all_or_none' } as const;

const executionInstruction = optionalOr(
  choiceField(
    INSTRUCTIONS,
    'any_part_of (default): may be filled in part; all_or_none: the whole quantity of the RFQ',
  ),
  'any_part_of',
);

/** Params that new and edited quotes share. */
const terms = {
  executionInstruction,
  legs: list(pricedLegField, {
    min: 1,
    max: LEGS_MAX,
    description: 'The legs of the RFQ in their order, with the same sides, and prices',
    of: 'legs',
  }),
  hedge: optional(hedgeField),
  quantity: quantityField({ description: 'Size, in the unit of the RFQ' }),
  price: optional(
    priceField({
      description: 'Of the whole structure, for future spreads; otherwise derived from the legs',
    }),
  ),
  expiresAt: optional(
    instantField('Expiry of the quote, Unix milliseconds; that of the RFQ if absent'),
  ),
  mmpGroup: optional(textField({ max: 64, description: 'MMP group the quote counts towards' })),
};

const label = optional(labelField('Label of the maker, at most 64 characters'));

/** For the structure in the example of create_rfq: one perpetual. */
const exampleTerms = {
  quantity: '200000',
  legs: [{ instrumentName: 'BTC-PERPETUAL', ratio: '1', side: 'buy', price: '60000' }],
};

const createQuote = makerMethod({
  row: ROWS.createQuote,
  summary: 'Quote on a Block RFQ',
  params: {
    blockRfqId: rfqIdField,
    label,
    ...terms,
    side: sideField("The maker's side: buy bids for the structure as listed, sell offers it"),
    idempotencyKey,
  },
  result: quoteSchema,
  example: { blockRfqId: '1', side: 'sell', executionInstruction: 'any_part_of', ...exampleTerms },
  run: (call, params) => {
    const { blockRfqId: rfqId, idempotencyKey: _, ...rest } = params;
    const act = () =>
      answered(call.rfqs.quote({ ...rest, rfqId, account: call.account }), quoteView);
    return placeIdempotently(call, { method: 'block/rfqs/create_quote', params, act });
  },
});

const naming = {
  blockRfqId: optional(rfqIdField),
  label: optional(labelField('Label of the quote; needs blockRfqId')),
  quoteId: optional(quoteIdField),
};

const editQuote = makerMethod({
  row: ROWS.editQuote,
  summary: 'Edit an open quote, identified by quoteId, or by blockRfqId and label',
  params: { ...naming, ...terms },
  result: quoteSchema,
  example: { quoteId: '1', ...exampleTerms },
  run: ({ rfqs, account }, { blockRfqId, label: name, quoteId, ...change }) => {
    const of = nameOfQuote({ blockRfqId, label: name, quoteId });
    return 'refusal' in of
      ? of.refusal
      : answered(rfqs.editQuote({ ...change, account, of: of.name }), quoteView);
  },
});

const cancelQuote = makerMethod({
  row: ROWS.cancelQuote,
  summary:
    'Cancel one quote, identified by quoteId, or by blockRfqId and label; with less, every own open quote that matches',
  params: {
    ...naming,
    label: optional(labelField('Label of the quotes')),
  },
  result: z.union([
    quoteSchema,
    z
      .object({ results: z.array(quoteSchema).describe('The quotes that were cancelled') })
      .describe('If no single quote was identified'),
  ]),
  example: { quoteId: '1' },
  run: ({ rfqs, account }, params) => {
    const { blockRfqId: rfqId, label: name, quoteId } = params;
    if (quoteId === undefined && (rfqId === undefined || name === undefined)) {
      return answered(cancelMatching(rfqs, { account, rfqId, label: name }), (quotes) => ({
        results: quotes.map(quoteView),
      }));
    }
    const of = nameOfQuote(params);
    return 'refusal' in of
      ? of.refusal
      : answered(rfqs.cancelQuote({ account, of: of.name }), quoteView);
  },
});

const cancelAllQuotes = makerMethod({
  row: ROWS.cancelAllQuotes,
  summary: 'Cancel every own quote, or those on one RFQ or of one group',
  params: {
    blockRfqId: optional(rfqIdField),
    mmpGroup: optional(textField({ max: 64, description: 'MMP group' })),
  },
  result: z.int().describe('Number of cancelled quotes; 0 is not an error'),
  example: {},
  run: ({ rfqs, account }, { blockRfqId: rfqId, mmpGroup }) =>
    answered(rfqs.cancelQuotes({ account, rfqId, mmpGroup }), (count) => count),
});

const getQuotes = makerMethod({
  row: ROWS.getQuotes,
  summary: 'Own open quotes; conditions combine, and with quoteId the quote in any state',
  params: {
    blockRfqId: optional(rfqIdField),
    label: optional(labelField('Label of the quotes')),
    quoteId: optional(quoteIdField),
  },
  result: z.object({ results: z.array(quoteSchema).describe('Newest first') }),
  example: {},
  run: ({ rfqs, account }, { blockRfqId: rfqId, label: name, quoteId }) =>
    answered(rfqs.quotes({ account, rfqId, label: name, quoteId }), (quotes) => ({
      results: quotes.map(quoteView),
    })),
});

export const RFQ_QUOTE_METHODS = [
  createQuote,
  editQuote,
  cancelQuote,
  cancelAllQuotes,
  getQuotes,
] as const satisfies readonly Method[];

interface Naming {
  readonly blockRfqId?: string | undefined;
  readonly label?: string | undefined;
  readonly quoteId?: string | undefined;
}

const ONE_QUOTE = 'accepted: quoteId alone, or blockRfqId with label';

export function nameOfQuote({
  blockRfqId: rfqId,
  label: name,
  quoteId,
}: Naming): { readonly name: QuoteName } | { readonly refusal: Refusal } {
  if (quoteId !== undefined) {
    if (rfqId === undefined && name === undefined) return { name: { quoteId } };
    return { refusal: invalidParam('quoteId', `is given with another name; ${ONE_QUOTE}`) };
  }
  if (rfqId !== undefined && name !== undefined) return { name: { rfqId, label: name } };
  const missing = rfqId !== undefined ? 'label' : name !== undefined ? 'blockRfqId' : 'quoteId';
  return { refusal: invalidParam(missing, `is missing; ${ONE_QUOTE}`) };
}
