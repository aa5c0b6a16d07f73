// The answer of report-summary: the shapes of src/core/report/summary/cost-summary-shapes.ts for clients and documents.
import { z } from 'zod';
import { GROUPINGS } from '../../core/report/summary/cost-summary-shapes.ts';

const maybe = z.number().nullable();

const distribution = z.object({
  count: z.int(),
  mean: maybe,
  standardError: maybe.describe('Of the mean, as if legs were independent'),
  least: maybe,
  lowerQuartile: maybe,
  median: maybe,
  upperQuartile: maybe,
  greatest: maybe,
});

const group = z.object({
  name: z.string(),
  legs: z.int(),
  usd: z.number().describe('Shortfall of the legs that have one in USD'),
  legsWithoutUsd: z.int(),
  execution: distribution.describe('Spread and schedule in basis points'),
  shortfall: distribution.describe('The whole shortfall in basis points'),
  arrival: distribution.describe('Average price against the arrival in basis points'),
});

const leg = z.object({
  portfolio: z.string(),
  leg: z.int(),
  strategy: z.string().nullable(),
  account: z.string(),
  instrument: z.string(),
  side: z.enum(['buy', 'sell']),
  start: z.string(),
  executionBps: maybe,
  shortfallBps: maybe,
  arrivalBps: maybe,
  usd: maybe,
  participation: maybe,
  orderUsd: maybe.describe('Value of the order at the submit'),
});

const hour = z.object({
  weekday: z.int().describe('1 is Monday'),
  hour: z.int().describe('Of the start, in UTC'),
  legs: z.int(),
  mean: z.number().describe('Execution cost in basis points'),
});

const against = z.object({
  by: z.enum(['participation', 'orderUsd']),
  points: z.array(z.object({ of: z.number(), bps: z.number() })),
  bpsPerTenfold: maybe.describe('Change of the execution cost for each tenfold, by least squares'),
  standardError: maybe,
});

export const reportSummarySchema = z
  .object({
    schema: z.literal('twapd.tca-summary/1'),
    portfolios: z.int().describe('Portfolios in the figures'),
    leftOut: z.object({
      active: z.int().describe('Not ended yet'),
      withoutRecord: z.int().describe('Nothing was recorded of their markets'),
      mirrors: z.int().describe('They only mirror others'),
      older: z.int().describe('Older than the most that are read at once'),
    }),
    all: group,
    groups: z.array(z.object({ by: z.enum(GROUPINGS), rows: z.array(group) })),
    trend: z.object({
      weeks: z.array(group).describe('By the Monday with which a week begins, in UTC'),
      bpsPerWeek: maybe.describe('Change of the execution cost by least squares'),
      standardError: maybe,
    }),
    hours: z.array(hour).describe('By day of the week and hour; those without a leg are left out'),
    against: z
      .array(against)
      .describe('Execution cost of each leg against its participation and its size'),
    worst: z.array(leg).describe('Largest shortfall in USD first'),
    notes: z.array(z.string()).describe('How to read it, and what is left out'),
  })
  .describe('What many portfolios cost; positive is a cost');
