// The body of amend, and its answer: what changes, and every slice still to begin.
import { z } from 'zod';
import type { AmendForm, LegAmendForm } from '../core/portfolio/admit-amend.ts';
import type { Amended } from '../engine/change-operations.ts';
import {
  accountIdField,
  instantField,
  portfolioIdField,
  quantityField,
  switchField,
  wholeField,
} from './field-kinds.ts';
import { list, mapped, optional, optionalOr, record } from './fields.ts';
import { LEGS_MAX, priceOptions } from './leg-schema.ts';

const DURATION_SEC_MAX = 31_536_000;

const legChange = mapped(
  record(
    {
      leg: wholeField({ min: 0, max: LEGS_MAX - 1, description: 'Which leg, from 0' }),
      filledSeen: optional(
        quantityField({
          description:
            'filledQuantity the decision rests on; required with quantity. When another quantity is filled by now, nothing is changed',
          check: (text) => !text.startsWith('-'),
          accepted: 'a decimal, zero or above, as text or number',
        }),
      ),
      quantity: optional(
        quantityField({
          description: 'New total; never below what is filled or may be',
          check: (text) => /[1-9]/.test(text) && !text.startsWith('-'),
          accepted: 'a decimal above zero as text or number, such as "12.5"',
        }),
      ),
      priceOptions: optional(priceOptions),
    },
    'What is to be different for one leg',
  ),
  (leg): LegAmendForm => leg,
);

export const amendBodySchema = record(
  {
    portfolioId: portfolioIdField('Portfolio to amend'),
    accountId: optional(
      accountIdField('Account it must belong to; with another one nothing is changed'),
    ),
    durationSec: optional(
      wholeField({
        min: 1,
        max: DURATION_SEC_MAX,
        description: 'New duration, in seconds from the start',
      }),
    ),
    endTimestamp: optional(
      instantField('New end instead of durationSec, Unix milliseconds; counts to the second'),
    ),
    legs: optionalOr(
      list(legChange, { max: LEGS_MAX, description: 'Legs that change', of: 'legs' }),
      [],
    ),
    preview: optionalOr(switchField('Only shows what would become of it (default false)'), false),
  },
  'What is to be different; what is absent stays as it is',
).transform(({ portfolioId, accountId, preview, durationSec, endTimestamp, legs }) => ({
  portfolioId,
  accountId,
  isPreview: preview,
  form: { durationSec, endAt: endTimestamp, legs } satisfies AmendForm,
}));

export const amendedRecordSchema = z
  .object({
    portfolioId: z.int().describe('Portfolio id'),
    applied: z.boolean().describe('False for a preview'),
    startTimestamp: z.string().describe('Start, Unix milliseconds'),
    endTimestampBefore: z.string().describe('End before the amendment, Unix milliseconds'),
    endTimestamp: z.string().describe('End with it, Unix milliseconds'),
    legs: z.array(
      z.object({
        instrument: z.string().describe('Instrument name'),
        side: z.union([z.literal(1), z.literal(2)]).describe('1 BUY, 2 SELL'),
        quantityBefore: z.string().describe('Total before the amendment'),
        quantity: z.string().describe('Total with it'),
        filledQuantity: z.string().describe('Quantity filled'),
        outstandingQuantity: z.string().describe('At the venue or possibly so, not filled'),
        hedge: z.boolean().describe('Sized by the fills of the other legs'),
      }),
    ),
    slices: z
      .array(
        z.object({
          leg: z.int().describe('Index of the leg, from 0'),
          slice: z.int().describe('Index of the slice, from 0'),
          dueTimestamp: z.string().describe('When it is due, Unix milliseconds'),
          quantity: z.string().describe('Planned size'),
          cumulativeQuantity: z.string().describe('What the plan wants filled after it'),
        }),
      )
      .describe('Slices still to begin'),
  })
  .describe('The portfolio as amended, or as it would be');

export type AmendedRecord = z.infer<typeof amendedRecordSchema>;

export const amendedRecord = (amended: Amended): AmendedRecord => ({
  portfolioId: Number(amended.portfolio),
  applied: amended.isApplied,
  startTimestamp: String(amended.startAt),
  endTimestampBefore: String(amended.endBefore),
  endTimestamp: String(amended.endAt),
  legs: amended.legs.map(({ side, filled, outstanding, ...leg }) => ({
    ...leg,
    side: side === 'buy' ? 1 : 2,
    filledQuantity: filled,
    outstandingQuantity: outstanding,
  })),
  slices: amended.slices.map(({ dueAt, cumulative, ...slice }) => ({
    ...slice,
    dueTimestamp: String(dueAt),
    cumulativeQuantity: cumulative,
  })),
});
