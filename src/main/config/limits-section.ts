// What a submit may ask for. Out of range is refused, never brought into range.
import { z } from 'zod';
import { isDecimalText } from '../../values/decimal.ts';

const range = (options: { min: number; max: number; most: number; what: string }) =>
  z
    .strictObject({
      min: z
        .int()
        .min(1)
        .max(options.most)
        .default(options.min)
        .describe(`Shortest ${options.what}, in seconds.`),
      max: z
        .int()
        .min(1)
        .max(options.most)
        .default(options.max)
        .describe(`Longest ${options.what}, in seconds.`),
    })
    .refine((value) => value.min <= value.max, {
      message: 'min is above max; accepted: min at most max',
    })
    .prefault({})
    .describe(`Accepted ${options.what}.`);

export const limitsSection = z
  .strictObject({
    durationSec: range({
      min: 300,
      max: 86_400,
      most: 7 * 86_400,
      what: 'duration of a portfolio',
    }),
    frequencySec: range({ min: 30, max: 3_600, most: 86_400, what: 'interval between slices' }),
    legsMax: z.int().min(1).max(100).default(20).describe('Most legs of one portfolio.'),
    slicesMax: z
      .int()
      .min(1)
      .max(100_000)
      .default(10_000)
      .describe('Most slices of one portfolio, all legs together.'),
    orderUsdMax: z
      .string()
      .refine((text) => isDecimalText(text) && !text.startsWith('-') && Number(text) > 0, {
        message: 'accepted: a decimal above 0 in quotes, such as "1000000"',
      })
      .default('1000000')
      .describe('Largest value of one child order, in USD.'),
    startAheadMaxSec: z
      .int()
      .min(0)
      .max(366 * 86_400)
      .default(7 * 86_400)
      .describe('How far in the future a start may lie, in seconds.'),
    startBehindMaxSec: z
      .int()
      .min(0)
      .max(86_400)
      .default(60)
      .describe('How far in the past a start may lie, in seconds; it then starts at once.'),
  })
  .describe('What a submit may ask for; read again on SIGHUP.');
