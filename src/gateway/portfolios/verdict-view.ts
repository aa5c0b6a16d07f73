// The pre-trade estimate of a plan as clients see it: as of now, without any guarantee.
import { z } from 'zod';
import type { Verdict } from '../../core/plan/verdict.ts';
import { rounded, text } from '../../values/amounts.ts';

export const verdictSchema = z
  .object({
    canComplete: z.boolean().describe('False if there is a fault as of now'),
    findings: z.array(
      z.object({
        kind: z
          .enum(['fault', 'warning', 'note'])
          .describe(
            'fault: it cannot complete as of now; warning: it may not complete; note: for information',
          ),
        leg: z.int().optional().describe('Index of the leg concerned, from 0'),
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
          .describe('Subject'),
        message: z.string().describe('The finding'),
      }),
    ),
    legs: z.array(
      z.object({
        mid: z.string().optional().describe('Current mid price'),
        childPrice: z.string().optional().describe('Price of a child order now'),
        averagePrice: z
          .string()
          .optional()
          .describe('Expected average price, taking each slice from the current book'),
        costBps: z
          .string()
          .optional()
          .describe('Expected cost against the mid in basis points; negative is a gain'),
        cost: z.string().optional().describe('The same as an amount, in costCurrency'),
        costCurrency: z
          .string()
          .describe('The coin for contracts sized in USD, otherwise the quote currency'),
        fee: z.string().describe('Expected fees, in feeCurrency; negative is a rebate'),
        feeCurrency: z
          .string()
          .describe('Spot: the quote currency; otherwise the settlement currency'),
        resting: z.string().describe('Quantity that would rest instead of taking'),
        beyondDepth: z.string().describe('Quantity beyond the depth of the current book'),
      }),
    ),
    margin: z.array(
      z.object({
        currency: z.string().describe('Currency'),
        needed: z
          .string()
          .describe('Needed by the end, without netting against the current position'),
        available: z
          .string()
          .optional()
          .describe('Available on the account now; absent if unknown'),
      }),
    ),
    orders: z.object({
      children: z.int().describe('Child orders, with one per slice'),
      mostAtOnce: z.int().describe('Most of them due within one second'),
      editsPerSecond: z.string().describe('Edits per second while every leg has a resting child'),
    }),
  })
  .describe('Estimated cost and requirements as of now, and possible obstacles');

type VerdictRecord = z.infer<typeof verdictSchema>;

/** Additional decimals of average prices beyond those of the requested prices. */
const AVERAGE_PLACES = 8;

/** Undefined fields are omitted in JSON. */
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
