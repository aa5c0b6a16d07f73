// The limits of a submit. Values out of range are refused, never clamped.
import { z } from 'zod';
import {
  DEFAULT_SUBMIT_LIMITS as DEFAULTS,
  SCHEDULE_BOUNDS,
} from '../../../core/portfolio/admission/submit-limits.ts';
import { isDecimalText } from '../../../values/decimal.ts';

interface RangeRule {
  readonly min: number;
  readonly max: number;
  /** Widest range that can be configured. */
  readonly most: number;
  readonly what: string;
  readonly unit: string;
}

const range = ({ min, max, most, what, unit }: RangeRule) => {
  const bound = z.int().min(1).max(most);
  return z
    .strictObject({
      min: bound
        .default(min)
        .describe(`Shortest ${what}, in ${unit}; shorter for a desk that tests or hedges quickly.`),
      max: bound
        .default(max)
        .describe(`Longest ${what}, in ${unit}; longer for a desk that works over days.`),
    })
    .refine((value) => value.min <= value.max, {
      message: 'has min above max; accepted: min at most max',
    })
    .prefault({})
    .describe(`Accepted ${what}.`);
};

const usd = (byDefault: string) =>
  z
    .string()
    .refine((text) => isDecimalText(text) && Number(text) > 0, {
      message: 'is not an amount; accepted: a decimal above 0 in quotes, such as "1000000"',
    })
    .default(byDefault);

export const limitsSection = z
  .strictObject({
    durationSec: range({
      min: DEFAULTS.durationSecMin,
      max: DEFAULTS.durationSecMax,
      most: SCHEDULE_BOUNDS.durationSec.max,
      what: 'duration of a portfolio',
      unit: 'seconds',
    }),
    frequencySec: range({
      min: DEFAULTS.frequencySecMin,
      max: DEFAULTS.frequencySecMax,
      most: SCHEDULE_BOUNDS.frequencySec.max,
      what: 'interval between slices',
      unit: 'seconds',
    }),
    slicesMax: z
      .int()
      .min(1)
      .max(100_000)
      .default(DEFAULTS.slicesMax)
      .describe(
        'Most slices of a portfolio, all legs together; less to bound what one submit costs.',
      ),
    legUsdMax: usd('10000000').describe(
      'Largest value of a whole leg, in USD; a typing error in a quantity stops here.',
    ),
    orderUsdMax: usd('1000000').describe(
      'Largest value of one child order, in USD; what the desk lets one order do to its market.',
    ),
    blockUsdMax: usd('25000000').describe(
      'Largest value of one leg of a Block RFQ, a quote or an accept, in USD, as the desk may commit to at once.',
    ),
    startAheadSecMax: z
      .int()
      .min(0)
      .max(366 * 86_400)
      .default(DEFAULTS.startAheadMsMax / 1_000)
      .describe(
        'How far in the future a start may lie, in seconds; more for schedules that are submitted weeks ahead.',
      ),
  })
  .describe('Limits of a submit; reloaded on SIGHUP.');
