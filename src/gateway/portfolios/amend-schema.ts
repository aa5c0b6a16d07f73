// The body and the result of amend: what changes, and every slice that has not started.
import { z } from 'zod';
import type { AmendForm, LegAmendForm } from '../../core/portfolio/admission/admit-amend.ts';
import { LIMIT_NAMES } from '../../core/terms/amend-limits.ts';
import type { Amended } from '../../engine/interface/change-operations.ts';
import {
  accountIdField,
  choiceField,
  instantField,
  portfolioIdField,
  quantityField,
  ratioField,
  switchField,
  wholeField,
} from '../wire/field-kinds.ts';
import { list, mapped, optional, optionalOr, record } from '../wire/fields.ts';
import { numberField, same } from '../wire/option-fields.ts';
import { secondsField } from '../wire/seconds-field.ts';
import { LEGS_MAX, priceOptions } from './submit/leg-schema.ts';

const legChange = mapped(
  record(
    {
      leg: wholeField({ min: 0, max: LEGS_MAX - 1, description: 'Which leg, from 0' }),
      filledSeen: optional(
        quantityField({
          description:
            'filledQuantity the decision is based on; required with quantity. If it differs from the current one, nothing is changed',
          check: (text) => !text.startsWith('-'),
          accepted: 'a decimal, zero or above, as text or number',
        }),
      ),
      quantity: optional(
        quantityField({
          description: 'New total; never below the quantity that is filled or may still fill',
          check: (text) => /[1-9]/.test(text) && !text.startsWith('-'),
          accepted: 'a decimal above zero as text or number, such as "12.5"',
        }),
      ),
      priceOptions: optional(priceOptions),
    },
    'Changes to one leg',
  ),
  (leg): LegAmendForm => leg,
);

/** A numeric limit of the execution block; the description states its effect when amended. */
const limit = (what: string, rule: Omit<Parameters<typeof numberField>[0], 'description'>) =>
  optional(numberField({ description: what, ...rule }));

const BPS = { from: 0, to: 10_000 } as const;

const limits = record(
  {
    maxCatchUp: limit('Largest slice as a multiple of the planned one; applies to future slices', {
      from: 1,
      to: 100,
    }),
    collar: optional(
      ratioField({
        description: 'How far through the opposite price a marketable child may be priced',
        check: (text) => /^0(?:\.\d+)?$/.test(text) && Number(text) <= 0.5,
        accepted: 'a decimal from 0 to 0.5',
      }),
    ),
    slippageMaxBps: limit('Largest distance from the mid at the start of the slice', BPS),
    bandBps: limit('Largest distance from the mark price', BPS),
    spreadMaxBps: limit('No orders are placed in a wider market, basis points of the mid', {
      from: 0,
      to: 20_000,
      isFromOpen: true,
    }),
    spreadMaxVol: limit('No option orders are placed in a wider market, points of volatility', {
      from: 0,
      to: 1_000,
      isFromOpen: true,
    }),
    participationMax: limit(
      'Share of the traded volume; only if it was limited from the beginning, or before the first slice',
      { from: 0, to: 1, isFromOpen: true },
    ),
    lift: optional(
      list(
        choiceField(
          same(...LIMIT_NAMES),
          'A limit to turn off; maxCatchUp and collar return to their defaults',
        ),
        { max: LIMIT_NAMES.length, description: 'Limits to remove', of: 'limits' },
      ),
    ),
  },
  'New limits; absent ones stay unchanged. Resting orders beyond them are cancelled',
);

export const amendBodySchema = record(
  {
    portfolioId: portfolioIdField('Portfolio to amend'),
    accountId: optional(accountIdField('Account it must belong to; otherwise nothing is changed')),
    durationSec: optional(secondsField('durationSec', 'New duration, in seconds from the start')),
    endTimestamp: optional(instantField('New end instead of durationSec, Unix milliseconds')),
    legs: optionalOr(
      list(legChange, { max: LEGS_MAX, description: 'Legs to change', of: 'legs' }),
      [],
    ),
    execution: optional(limits),
    amendmentsSeen: optional(
      wholeField({
        min: 0,
        max: 1_000_000,
        description:
          '`amendments` of the preview the decision is based on; required with execution. If the portfolio was amended since, nothing is changed',
      }),
    ),
    preview: optionalOr(switchField('Only show the effect (default false)'), false),
  },
  'The changes; absent fields stay unchanged',
).transform(({ portfolioId, accountId, preview, endTimestamp, ...form }) => ({
  portfolioId,
  accountId,
  isPreview: preview,
  form: { ...form, endAt: endTimestamp } satisfies AmendForm,
}));

const limitsShown = z.object({
  maxCatchUp: z.number().describe('Largest slice as a multiple of the planned one'),
  collar: z.string().describe('Limit through the opposite price, as a fraction'),
  slippageMaxBps: z.number().describe('Basis points').optional(),
  bandBps: z.number().describe('Basis points').optional(),
  spreadMaxBps: z.number().describe('Basis points').optional(),
  spreadMaxVol: z.number().describe('Points of volatility').optional(),
  participationMax: z.number().describe('Fraction').optional(),
});

export const amendedRecordSchema = z
  .object({
    portfolioId: z.int().describe('Portfolio id'),
    applied: z.boolean().describe('False for a preview'),
    startTimestamp: z.string().describe('Start, Unix milliseconds'),
    endTimestampBefore: z.string().describe('End before the amendment, Unix milliseconds'),
    endTimestamp: z.string().describe('End with it, Unix milliseconds'),
    amendments: z.int().describe('Number of amendments so far'),
    limitsBefore: limitsShown.describe('Limits before the amendment; absent ones are off'),
    limits: limitsShown.describe('Limits with it'),
    legs: z.array(
      z.object({
        instrument: z.string().describe('Instrument name'),
        side: z.union([z.literal(1), z.literal(2)]).describe('1 BUY, 2 SELL'),
        quantityBefore: z.string().describe('Total before the amendment'),
        quantity: z.string().describe('Total with it'),
        filledQuantity: z.string().describe('Quantity filled'),
        outstandingQuantity: z.string().describe('Open at the venue, or possibly open; not filled'),
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
          cumulativeQuantity: z.string().describe('Cumulative quantity planned after this slice'),
        }),
      )
      .describe('Slices that have not started'),
  })
  .describe('The portfolio as amended, or as it would be');

export type AmendedRecord = z.infer<typeof amendedRecordSchema>;

export const amendedRecord = (amended: Amended): AmendedRecord => ({
  portfolioId: Number(amended.portfolio),
  applied: amended.isApplied,
  startTimestamp: String(amended.startAt),
  endTimestampBefore: String(amended.endBefore),
  endTimestamp: String(amended.endAt),
  amendments: amended.amendments,
  limitsBefore: { ...amended.limitsBefore },
  limits: { ...amended.limits },
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
