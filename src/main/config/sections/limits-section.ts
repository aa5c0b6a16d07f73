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
      min: bound.default(min).describe(`Shortest ${what}, in ${unit}.`),
      max: bound.default(max).describe(`Longest ${what}, in ${unit}.`),
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
    dynamicMs: range({
      min: DEFAULTS.dynamicMsMin,
      max: DEFAULTS.dynamicMsMax,
      most: 86_400_000,
      what: 'interval between two polls of the reference of a DYNAMIC leg',
      unit: 'milliseconds',
    }),
    legsMax: z.int().min(1).max(20).default(DEFAULTS.legsMax).describe('Most legs of a portfolio.'),
    slicesMax: z
      .int()
      .min(1)
      .max(100_000)
      .default(DEFAULTS.slicesMax)
      .describe('Most slices of a portfolio, all legs together.'),
    legUsdMax: usd('10000000').describe('Largest value of a whole leg, in USD.'),
    orderUsdMax: usd('1000000').describe('Largest value of one child order, in USD.'),
    blockUsdMax: usd('25000000').describe(
      'Largest value of one leg of a Block RFQ, a quote or an accept, in USD.',
    ),
    startAheadSecMax: z
      .int()
      .min(0)
      .max(366 * 86_400)
      .default(DEFAULTS.startAheadMsMax / 1_000)
      .describe('How far in the future a start may lie, in seconds.'),
    startBehindSecMax: z
      .int()
      .min(0)
      .max(86_400)
      .default(DEFAULTS.startBehindMsMax / 1_000)
      .describe('How far in the past a start may lie, in seconds; it then starts at once.'),
  })
  .describe('Limits of a submit; reloaded on SIGHUP.');
