// The portfolio operation course: the plan, the fills, the children and the market of one portfolio over time, for charts.
import { z } from 'zod';
import { reject } from '../../core/rejection.ts';
import type { AccountId } from '../../values/ids.ts';
import { owns } from '../auth/key-store.ts';
import { Refused } from '../wire/faults.ts';
import { instantField, portfolioIdField, wholeField } from '../wire/field-kinds.ts';
import { optional, optionalOr, record } from '../wire/fields.ts';
import { withoutEmpty } from './page-schema.ts';
import { noSuchPortfolio, type PortfolioMethod, portfolioMethod } from './portfolio-method.ts';

const courseQuerySchema = z.preprocess(
  withoutEmpty,
  record(
    {
      portfolioId: portfolioIdField('Which portfolio'),
      after: optionalOr(
        wholeField({
          min: 0,
          max: Number.MAX_SAFE_INTEGER,
          description:
            'Only fills and closed children after this version of the portfolio (default 0: all)',
          fromText: true,
        }),
        0,
      ),
      marketAfter: optional(
        instantField('Only markets after this, Unix milliseconds; absent: from the start', true),
      ),
    },
    'Which part of which course',
  ),
);

const at = z.int().describe('Unix milliseconds');

const child = z.object({
  label: z.string().describe('Label of the order at the venue'),
  slice: z.int().describe('Index of the slice, from 0'),
  attempt: z.int().describe('Attempt of the slice, from 0'),
  state: z
    .enum(['sending', 'live', 'cancelling', 'unknown', 'filled', 'cancelled', 'rejected', 'unsent'])
    .describe(
      'cancelling: open, its cancel was sent; unknown: the venue did not answer, it may be open; unsent: it never reached the venue',
    ),
  quantity: z.string(),
  filled: z.string(),
  prices: z.array(z.object({ at, price: z.string() })).describe('Its prices, each from when'),
  closedAt: at.nullable().describe('null while it is, or may be, open'),
});

const courseSchema = z
  .object({
    portfolioId: z.int(),
    version: z.int().describe('Version of the portfolio that it shows: `after` of the next'),
    timestamp: at.describe('When it was made, Unix milliseconds'),
    startTimestamp: at.describe('Start of the schedule, Unix milliseconds'),
    endTimestamp: at.nullable().describe('End of the schedule; null without a time limit'),
    overTimestamp: at.nullable().describe('When the portfolio ended; null while it is active'),
    legs: z.array(
      z.object({
        leg: z.int().describe('Index of the leg, from 0'),
        instrument: z.string(),
        side: z.enum(['buy', 'sell']),
        hedge: z.boolean().describe('Sized by the fills of the other legs; it has no plan'),
        quantity: z.string().describe('Total'),
        filled: z.string(),
        plan: z
          .array(z.object({ at, quantity: z.string() }))
          .describe(
            'Slices of the plans in force, each when due with the total planned by then; BALANCE: parts that started. Thinned',
          ),
        fills: z
          .array(
            z.object({
              at,
              quantity: z.string(),
              price: z.string(),
              liquidity: z.enum(['maker', 'taker']),
              filled: z.string().describe('Total filled by then'),
            }),
          )
          .describe('In the order of their booking. Thinned: the totals stay exact'),
        children: z.array(child).describe('Closed ones, the latest 200, then open ones'),
        market: z
          .array(z.object({ at, bid: z.string().nullable(), ask: z.string().nullable() }))
          .describe('Best bid and ask, thinned'),
      }),
    ),
  })
  .describe('The course of a portfolio over time');

export type CourseRecord = z.infer<typeof courseSchema>;

/** Minimum cost of answers in milliseconds. */
const COURSE_MS = 2;

export const course: PortfolioMethod = portfolioMethod({
  verb: 'GET',
  name: 'course',
  lane: 'read',
  needs: 'read',
  summary: 'Show the course of a portfolio for charts',
  asked: courseQuerySchema,
  value: courseSchema,
  costMs: () => COURSE_MS,
  run: async ({ key, courseOf }, { portfolioId: portfolio, after, marketAfter }) => {
    if (courseOf === undefined) {
      const message = 'no course can be read here; accepted: on a daemon with a ledger';
      throw new Refused([reject('not_found', 'portfolioId', message)]);
    }
    const isOwn = (account: AccountId): boolean => owns(key, account);
    const value = await courseOf({ portfolio, after, marketAfter, isOwn });
    if (value === undefined) throw noSuchPortfolio();
    return { value };
  },
});
