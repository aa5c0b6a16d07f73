// The answer of the report: the shapes of src/core/report/report-shapes.ts for clients and documents.
import { z } from 'zod';

const text = (description: string) => z.string().describe(description);
const number = (description: string) => z.number().describe(description);
const maybe = (description: string) => z.number().nullable().describe(description);
const maybeText = (description: string) => z.string().nullable().describe(description);

const quantiles = z.object({ p50: z.number(), p99: z.number(), max: z.number() }).nullable();

const shortfall = z
  .object({
    currency: text('Currency of the amounts'),
    total: text('The whole: the sum of the parts that follow, exactly'),
    delay: text('From the submit to the start: the whole order waited'),
    market: text('How the mid moved from the start to the mean of the interval'),
    schedule: text('When it traded, against an even course'),
    spread: text('Fills against the mid before them; negative where they earned'),
    unsplit: text('Fills without a recorded mid: market, schedule and spread together'),
    residual: text('What was not filled, at the last mid'),
    fees: text('Fees in this currency'),
    bps: maybe('The whole in basis points of the order at the submit; null for options'),
    executionBps: maybe('Spread, schedule and what is not split, in the same basis points'),
    usd: maybe('The whole in USD at the rate of the start'),
    orderUsd: maybe('Value of the order at the submit, in USD at that rate'),
    rate: maybeText('That rate: USD of one unit of the currency'),
    underlyingBps: maybe('The whole in basis points of the underlying; options only'),
  })
  .nullable();

const markout = z.object({
  horizon: text('Time after the fill'),
  fills: z.int().describe('Fills that are measured'),
  missing: z.int().describe('Fills without a recorded market at the horizon'),
  bps: maybe('Price of the fill against the mid at the horizon; for options of the underlying'),
  standardError: maybe('Of the basis points, as if fills were independent'),
  perUnit: number('The same in the currency of the price'),
  makerBps: maybe('Of maker fills'),
  takerBps: maybe('Of taker fills'),
});

const option = z.object({
  reference: z.enum(['mid', 'mark']).describe('What the fills are compared with'),
  premium: number('In the currency of the premium'),
  usd: number('In USD, at the forward of each fill'),
  bpsOfUnderlying: number('In basis points of the underlying'),
  bpsOfPremium: maybe('In basis points of the premium; null where it is below twenty ticks'),
  volPoints: maybe('Volatility points per unit of gross vega'),
  vegaUsd: maybe('Gross vega of the fills in USD per volatility point'),
  underlyingUsd: number('Value of the underlying of the measured fills'),
  coverage: number('Share of the filled quantity that is measured'),
});

const leg = z.object({
  leg: z.int().describe('Index of the leg, from 0'),
  instrument: text('Instrument name'),
  kind: text('Kind of the instrument'),
  side: z.enum(['buy', 'sell']),
  hedge: z.boolean().describe('Sized by the fills of the other legs'),
  isInverse: z.boolean().describe('Sized in USD and paid in coin'),
  unit: text('Unit of the quantities'),
  tickSize: text('Step of its prices'),
  asked: text('Requested quantity'),
  filled: text('Filled quantity'),
  residual: text('Quantity not filled'),
  averagePrice: maybeText('Average price of the fills; harmonic for amounts in USD'),
  benchmarks: z.object({
    decision: maybeText('Mid at the submit'),
    arrival: maybeText('Mid at the start, or the first within a minute'),
    arrivalLateMs: maybe('How long after the start it was seen'),
    twap: maybeText('Time-weighted mean of the mid over the schedule'),
    twapCoverage: number('Share of the schedule with a recorded mid'),
    activeTwap: maybeText('The same until the end of the portfolio'),
    vwap: maybeText('Sum of price × size of the trades over the sum of their sizes'),
    final: maybeText('Mid at the end'),
    holes: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .describe('Times without a recorded market'),
  }),
  slippage: z
    .object({
      decisionBps: z.number().nullable(),
      arrivalBps: z.number().nullable(),
      twapBps: z.number().nullable(),
      vwapBps: z.number().nullable(),
    })
    .describe('Average price against the benchmarks'),
  participation: maybe('Filled over the volume traded meanwhile'),
  volume: maybeText('Volume traded from the start to the end'),
  shortfall,
  shortfallMissing: maybeText('Why there is no shortfall'),
  expected: z
    .object({ bps: z.number().nullable(), fee: z.string(), feeCurrency: z.string() })
    .nullable()
    .describe('What the plan expected at the submit'),
  spread: z.object({
    effectiveBps: maybe('Twice the distance from the mid'),
    quotedBps: maybe('Spread at the fills'),
    ratio: maybe('Effective over quoted: 1 pays the touch, 0 the mid'),
    realisedBps: maybe('Twice the markout after a minute'),
    fillsWithoutMid: z.int(),
    fillsWithLateMid: z.int().describe('Fills whose mid was seen when they were booked'),
  }),
  improvement: z
    .object({ bps: z.number().nullable(), perUnit: z.number() })
    .nullable()
    .describe('Against the far touch at the decision; more is better'),
  markouts: z.array(markout),
  liquidity: z.object({
    makerShare: z.number().nullable(),
    takerShare: z.number().nullable(),
    fees: z.array(z.object({ currency: z.string(), amount: z.string() })),
  }),
  resting: z.object({
    children: z.int().describe('Children that rested'),
    posted: text('Their quantity'),
    filled: text('What of it was filled as maker'),
    fillRate: z.number().nullable(),
    adverseBps: maybe('How far the mid moved against maker fills in 10 s'),
    adverseShare: maybe('Share of maker fills with a cost after 10 s'),
    unfilledBps: maybe('Mid at the close against the price of what did not fill'),
  }),
  funding: z
    .object({
      currency: text('Coin for contracts sized in USD, else the quote currency'),
      paid: number('Positive was paid; an estimate from recorded rates and marks'),
      usd: maybe('The same in USD at the rate of the start'),
      coverage: number('Share of the time with a position in which a rate was recorded'),
    })
    .nullable()
    .describe('Perpetuals: funding of what was filled until the end; not in the shortfall'),
  schedule: z
    .object({ greatest: z.number(), at: z.string(), mean: z.number() })
    .nullable()
    .describe(
      'Fills against the line of the plan in force, as shares of the total; negative is behind',
    ),
  lateness: z.object({
    slices: z.int().describe('Slices that sent an order'),
    decidedMs: quantiles.describe('From due to decided'),
    answeredMs: quantiles.describe('From due to the first answer of the venue'),
  }),
  option: z.array(option).describe('Costs in the units of options'),
  course: z
    .array(z.object({ at: z.string(), bid: z.string().nullable(), ask: z.string().nullable() }))
    .describe(
      'Best bid and ask from the start to the end, thinned for charts; null where a hole begins',
    ),
  volatility: z
    .array(
      z.object({
        at: z.string(),
        bid: z.number().nullable(),
        ask: z.number().nullable(),
        mark: z.number().nullable(),
      }),
    )
    .describe('Options: volatilities that the touch implies, and that of the mark, as fractions'),
});

const slice = z.object({
  leg: z.int(),
  slice: z.int(),
  due: z.string().nullable(),
  lateMs: z.number().nullable(),
  planned: z.string(),
  asked: z.string(),
  filled: z.string(),
  children: z.int(),
  mid: z.string().nullable(),
  reasons: z.array(z.string()).describe('Why nothing was sent, or what it waited for'),
  isSent: z.boolean(),
  average: maybeText('Average price of its fills'),
  costBps: maybe('Average against the mid, in basis points; of the underlying for options'),
});

const child = z.object({
  leg: z.int(),
  slice: z.int(),
  label: z.string(),
  attempt: z.int(),
  quantity: z.string(),
  filled: z.string(),
  timeInForce: z.string(),
  decided: z.string(),
  live: maybeText('When the venue first said that it has it'),
  closed: z.string().nullable(),
  outcome: z.enum(['open', 'filled', 'cancelled', 'rejected', 'unsent']),
  prices: z
    .array(z.object({ at: z.string(), price: z.string() }))
    .describe('What was sent, and each price that an edit was confirmed with'),
  isBlock: z.boolean(),
});

const fill = z.object({
  leg: z.int(),
  slice: z.int(),
  label: z.string(),
  tradeId: z.string(),
  at: text('Time of the trade at the venue'),
  quantity: z.string(),
  price: z.string(),
  liquidity: z.enum(['maker', 'taker']),
  fee: z.string(),
  feeCurrency: z.string(),
  bid: z.string().nullable(),
  ask: z.string().nullable(),
  mid: z.string().nullable(),
  mark: z.string().nullable(),
  markIv: z.number().nullable(),
  iv: maybe('Options: volatility that the price implies, as a fraction'),
  underlying: z.string().nullable(),
  delta: z.number().nullable(),
  vega: z.number().nullable(),
  effective: maybeText('Distance from the mid before it'),
  improvement: maybeText('Against the far touch at the decision; more is better'),
  markouts: z.record(z.string(), z.string()).describe('Price against the mid, by horizon'),
  isBlock: z.boolean(),
});

const together = z.object({
  usd: maybe('Shortfall of all legs in USD'),
  shortfall: z
    .object({
      currency: z.literal('USD'),
      total: text('The sum of the parts that follow, exactly'),
      delay: z.string(),
      market: z.string(),
      schedule: z.string(),
      spread: z.string(),
      unsplit: z.string(),
      residual: z.string(),
      fees: z.string(),
    })
    .nullable()
    .describe('Shortfalls of all legs, each at the rate of its start'),
  slippage: z
    .object({
      decisionUsd: z.number().nullable(),
      arrivalUsd: z.number().nullable(),
      twapUsd: z.number().nullable(),
      vwapUsd: z.number().nullable(),
    })
    .describe('What was filled of all legs against the benchmarks, in USD'),
  participation: maybe('The greatest of the legs'),
  option: z
    .array(
      z.object({
        reference: z.enum(['mid', 'mark']).describe('What the fills are compared with'),
        usd: z.number(),
        bpsOfUnderlying: z.number(),
        volPoints: maybe('USD over the gross vega of all legs'),
        vegaUsd: z.number().nullable(),
      }),
    )
    .describe('All legs of options together'),
  imbalance: z
    .object({
      greatest: z.number(),
      at: z.string(),
      mean: z.number(),
      points: z
        .array(z.object({ at: z.string(), apart: z.number() }))
        .describe('After each fill, thinned for charts'),
    })
    .nullable()
    .describe('Difference between the filled shares of two legs'),
  delta: z
    .object({
      greatest: z.number(),
      mean: z.number(),
      final: z.number(),
      points: z.array(z.object({ at: z.string(), coins: z.number() })),
    })
    .nullable()
    .describe('Delta of what was filled so far, in coins'),
  hedges: z.array(
    z.object({
      leg: z.int(),
      covered: number('Covered delta in coins'),
      open: number('Delta left open, in coins; of the sign of the hedge if it hedged too much'),
      beyond: number('The most that was hedged beyond the delta open at that time, in coins'),
      costBps: maybe('Against the mid at the fill that is covered'),
      lagMs: quantiles.describe('From that fill to the hedge'),
    }),
  ),
});

export const reportSchema = z
  .object({
    schema: z.literal('twapd.tca/1'),
    portfolio: text('Portfolio id'),
    account: z.string(),
    strategy: z.string().nullable(),
    type: z.enum(['TWAP', 'BALANCE']),
    status: z.string(),
    reason: z.string().nullable(),
    submitted: z.string(),
    start: z.string(),
    end: text('End of the schedule; without one, of the portfolio'),
    over: maybeText('When the portfolio ended'),
    until: text('How far the figures go: the end of the portfolio, or when the report was made'),
    isProvisional: z.boolean().describe('The portfolio or its markouts are not over'),
    legs: z.array(leg),
    package: together,
    slices: z.array(slice),
    children: z.array(child),
    fills: z.array(fill),
    notes: z.array(z.string()).describe('How to read it, and what is missing'),
  })
  .describe('What the portfolio cost; positive is a cost');
