// The limits of the pre-trade controls, PT-1 to PT-20, each with a default, so that no control is ever
// without a limit. An entry missing from a table in the file is blocked.
import { z } from 'zod';
import { isDecimalText } from '../../../values/decimal.ts';
import { characters } from '../../characters.ts';

const amount = z.string().refine((text) => isDecimalText(text) && Number(text) > 0, {
  message: 'is not an amount; accepted: a decimal above 0 in quotes, such as "1000000"',
});
const amounts = z.record(z.string().min(1), amount);
const bps = (byDefault: number) => z.number().min(1).max(100_000).default(byDefault);
const ms = (min: number, max: number, byDefault: number) =>
  z.int().min(min).max(max).default(byDefault);
const sec = (min: number, max: number, byDefault: number) =>
  z.int().min(min).max(max).default(byDefault);
const share = (min: number, max: number, byDefault: number) =>
  z.number().min(min).max(max).default(byDefault);

const collar = z
  .strictObject({
    bps: bps(1_000).describe(
      'Most an order may pay beyond the mark, in basis points of it; less in liquid markets (PT-1).',
    ),
    optionShare: share(0.01, 100, 1).describe(
      'The same for options, as a share of the mark; the larger of this and `optionTicks` counts (PT-1).',
    ),
    optionTicks: z
      .int()
      .min(1)
      .max(100_000)
      .default(50)
      .describe(
        'The same for options, in ticks, for cheap ones whose spread is many times their mark (PT-1).',
      ),
    referenceAgeMaxMs: ms(100, 600_000, 15_000).describe(
      'Oldest quote an order is checked against, in milliseconds; an older one blocks (PT-1).',
    ),
    divergenceBps: bps(500).describe(
      'Most that mark and middle of the book may differ, in basis points; more blocks, options excepted (PT-1).',
    ),
  })
  .prefault({})
  .describe('Price collar of one order (PT-1).');

const drift = z
  .strictObject({
    windowSec: sec(1, 86_400, 300).describe(
      'How long a fill counts for the average, in seconds; longer for slow schedules (PT-2).',
    ),
    bps: bps(1_000).describe(
      'Most the average fill of a leg may be from the mark at its first trade of the day, in basis points; more pauses the portfolio (PT-2).',
    ),
    optionBps: bps(10_000).describe(
      'The same as `drift.bps` for options, whose prices move further (PT-2).',
    ),
  })
  .prefault({})
  .describe('Price collar over a period (PT-2).');

const perSecond = (byDefault: number, what: string) =>
  z
    .number()
    .min(1)
    .max(1_000_000)
    .default(byDefault)
    .describe(`Messages per second ${what}, twice as many at once (PT-5).`);

const messages = z
  .strictObject({
    shareOfVenue: share(0.01, 1, 0.7).describe(
      'Share of the rate a venue grants that is used; less where other programs trade the same account (PT-5).',
    ),
    perSecond: perSecond(20_000, 'and account where a venue names no rate'),
    instrumentPerSecond: perSecond(20_000, 'on one instrument of a venue'),
    processPerSecond: perSecond(50_000, 'of the whole process'),
  })
  .prefault({})
  .describe('Message budgets (PT-5).');

const market = z
  .strictObject({
    jumpBps: bps(1_000).describe(
      'Move of the middle within `windowSec` after which nothing is sent, in basis points; of options that of the underlying (PT-13).',
    ),
    windowSec: sec(1, 3_600, 60).describe(
      'Time within which a move counts as a jump, in seconds (PT-13).',
    ),
    spreadBps: bps(1_000).describe(
      'Widest spread an order may take in, in basis points of the middle; options excepted (PT-13).',
    ),
    restSec: sec(1, 86_400, 60).describe(
      'How long nothing is sent after a move, in seconds; sending then resumes by itself (PT-13).',
    ),
  })
  .prefault({})
  .describe('Reasonable market (PT-13).');

const KINDS = ['option', 'perpetual', 'future', 'spot', 'future_combo', 'option_combo'] as const;
const kinds = z.array(z.enum(KINDS));

export const controlsSection = z
  .strictObject({
    collar,
    drift,
    messages,
    market,
    orderUsdMax: amounts
      .default({})
      .describe(
        'Largest value of one order in USD, by instrument or account; below `limits.orderUsdMax` (PT-3).',
      ),
    orderQuantityMax: amounts
      .default({ USD: '50000000', BTC: '1000', ETH: '20000', '*': '10000000' })
      .describe(
        'Largest amount of one order, by instrument, else by the unit of its amount (`USD` or the coin), else `*` (PT-4).',
      ),
    executionsMax: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(10_000)
      .describe(
        'Portfolios a strategy may submit before an operator must re-enable it by name (PT-6).',
      ),
    rejectsMax: z
      .int()
      .min(1)
      .max(10_000)
      .default(50)
      .describe(
        'Consecutive refusals of a venue after which a portfolio is paused for a person to look at (PT-6).',
      ),
    duplicateMs: ms(0, 60_000, 250).describe(
      'Time within which two slices of a portfolio may not send the same order, in milliseconds; 0 for portfolios that repeat orders on purpose (PT-7).',
    ),
    positionMax: amounts
      .default({ USD: '100000000', BTC: '5000', ETH: '100000', '*': '100000000' })
      .describe(
        'Largest position long or short with every working order filled, named like `orderQuantityMax`; spot counts from midnight UTC (PT-8).',
      ),
    grossUsdMax: amounts
      .default({ '*': '1000000000' })
      .describe(
        'Most an account may have working and have traded since midnight UTC in USD, by account, else `*` (PT-9).',
      ),
    permits: z
      .record(z.string().min(1), kinds)
      .default({ '*': [...KINDS] })
      .describe(
        'Kinds of instruments an account may trade, as its mandate says, by account, else `*` (PT-10).',
      ),
    strategy: z
      .strictObject({
        instrumentsMax: z
          .int()
          .min(1)
          .max(20)
          .default(20)
          .describe('Most instruments a strategy may trade at once, as its approval says (PT-12).'),
        usdMax: amount
          .default('25000000')
          .describe(
            'Most one portfolio of a strategy may be worth, in USD, as its approval says (PT-12).',
          ),
        slicesMax: z
          .int()
          .min(1)
          .max(100_000)
          .default(10_000)
          .describe('Most slices of one portfolio of a strategy, as its approval says (PT-12).'),
        accounts: z
          .array(z.string().min(1))
          .default(['*'])
          .describe(
            'Accounts strategies may trade on, where some are for people only; `*` for all (PT-12).',
          ),
      })
      .prefault({})
      .describe('Limits of every strategy (PT-12).'),
    selfMatch: z
      .boolean()
      .default(true)
      .describe(
        'Whether an order that would meet one of its own account is blocked; false where the venue prevents that (PT-14).',
      ),
    slippageUsdMax: amounts
      .default({ '*': '250000' })
      .describe(
        'Loss of execution against the mark at arrival since midnight UTC after which an account begins no portfolio, in USD, by account, else `*` (PT-20).',
      ),
    change: z
      .strictObject({
        by: characters(1, 100).describe('Who changed the limits in this file (PT-23).'),
        approvedBy: characters(1, 100)
          .optional()
          .describe(
            'Who approved it; if that is the author, the change is reported as not approved (PT-23).',
          ),
        reason: characters(1, 200).describe('Why the limits were changed, for the record (PT-23).'),
      })
      .optional()
      .describe(
        'A note on the change this file makes to its limits; write a new one for each change, as it covers no later one (PT-23).',
      ),
  })
  .describe('Pre-trade controls; docs/controls.md says what each does. Reloaded on SIGHUP.');
