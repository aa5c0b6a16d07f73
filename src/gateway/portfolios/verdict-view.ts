// The verdict on a plan as clients read it: estimates of now, never promises.
import { z } from 'zod';
import type { Verdict } from '../../core/plan/verdict.ts';
import { rounded, text } from '../../values/amounts.ts';

export const verdictSchema = z
  .object({
    canComplete: z.boolean().describe('False when a fault stands against it as things are'),
    findings: z.array(
      z.object({
        kind: z
          .enum(['fault', 'warning', 'note'])
          .describe(
            'fault: it cannot complete as things are; warning: it may not; note: good to know',
          ),
        leg: z.int().optional().describe('Index of the leg it is about, from 0'),
        about: z
          .enum([
            'schedule',
            'price',
            'depth',
            'margin',
            'settlement',
            'expiry',
            'rate',
            'participation',
            'end',
          ])
          .describe('What it is about'),
        message: z.string().describe('What was found'),
      }),
    ),
    legs: z.array(
      z.object({
        mid: z.string().optional().describe('Middle of the market now'),
        childPrice: z.string().optional().describe('Price a child would have now'),
        averagePrice: z
          .string()
          .optional()
          .describe('Expected average, taking each slice from the book as it is shown now'),
        costBps: z
          .string()
          .optional()
          .describe('Expected cost against the mid in basis points; negative is a gain'),
        cost: z.string().optional().describe('The same as an amount, in costCurrency'),
        costCurrency: z
          .string()
          .describe('The coin for contracts sized in USD, else the quote currency'),
        fee: z.string().describe('Expected fees, in feeCurrency; negative is a rebate'),
        feeCurrency: z
          .string()
          .describe('Spot: the quote currency; else what the leg is settled in'),
        resting: z.string().describe('Quantity that would rest instead of taking'),
        beyondDepth: z.string().describe('Quantity the book as shown has no room for'),
      }),
    ),
    margin: z.array(
      z.object({
        currency: z.string().describe('Currency'),
        needed: z.string().describe('Needed by the end, nothing netted against what is held'),
        available: z.string().optional().describe('Free on the account now; absent when unknown'),
      }),
    ),
    orders: z.object({
      children: z.int().describe('Child orders when each slice takes one'),
      mostAtOnce: z.int().describe('Most of them due within one second'),
      editsPerSecond: z.string().describe('Edits a second while every leg has a resting child'),
    }),
  })
  .describe('What it would cost and need as things are, and what stands against it');

type VerdictRecord = z.infer<typeof verdictSchema>;

/** Decimals an average price is told with beyond those that were asked for. */
const AVERAGE_PLACES = 8;

/** Undefined fields are left out where it is written. */
export function verdictRecord(verdict: Verdict): VerdictRecord {
  const { canComplete, findings, legs, margin, orders } = verdict;
  return {
    canComplete,
    findings: findings.map(({ kind, leg, about, message }) => ({ kind, leg, about, message })),
    legs: legs.map(legRecord),
    margin: margin.map(marginRecord),
    orders: {
      children: orders.children,
      mostAtOnce: orders.mostAtOnce,
      editsPerSecond: orders.perSecond.toFixed(2),
    },
  };
}

const marginRecord = ({
  currency,
  needed,
  available,
}: Verdict['margin'][number]): VerdictRecord['margin'][number] => ({
  currency,
  needed: text(rounded(needed, AVERAGE_PLACES, 'up')),
  available: available && text(available),
});

const legRecord = (leg: Verdict['legs'][number]): VerdictRecord['legs'][number] => ({
  mid: leg.mid && text(leg.mid),
  childPrice: leg.price && text(leg.price),
  averagePrice: leg.average && text(rounded(leg.average, AVERAGE_PLACES, 'half_up')),
  costBps: leg.costBps?.toFixed(2),
  cost: leg.cost && text(leg.cost),
  costCurrency: leg.costCurrency,
  fee: text(leg.fee),
  feeCurrency: leg.feeCurrency,
  resting: text(leg.resting),
  beyondDepth: text(leg.beyondDepth),
});
