// The residual of a portfolio as a Block RFQ, as clients read it in its record.
import { z } from 'zod';
import type { RfqSummary } from '../../core/portfolio/summary/portfolio-summary.ts';

const text = (description: string) => z.string().describe(description);

export const residualRfqRecord = z
  .object({
    stage: text('sending, unknown, refused, open, accepting, cancelling, over or skipped'),
    outcome: text('With over: traded, refused, unsent, cancelled, expired or failed').optional(),
    why: text('Why it was skipped or is being taken back').optional(),
    blockRfqId: text('Id of the Block RFQ, as its taker knows it').optional(),
    label: text('Label of the Block RFQ').optional(),
    quantity: text('Of the structure').optional(),
    legs: z
      .array(
        z.object({
          leg: z.int().describe('Index of the leg, from 0'),
          instrument: text('Instrument name'),
          side: z.union([z.literal(1), z.literal(2)]).describe('1 BUY, 2 SELL'),
          quantity: text('Asked for of this leg'),
          ratio: text('Leg size per quantity of the structure').optional(),
          hedgePrice: text('On the leg that goes as the hedge: its fixed price').optional(),
        }),
      )
      .describe('What was asked for')
      .optional(),
    accepts: z.int().describe('Accepts that were sent').optional(),
    bestPrice: text('What the whole can be had for, its legs bought as listed').optional(),
    bestMakers: z.int().describe('Makers that this takes').optional(),
    price: text('What it was traded at').optional(),
    endTimestamp: text('Taken back at the latest then, Unix milliseconds').optional(),
    fallback: text('What becomes of what it leaves'),
  })
  .describe('The residual as a Block RFQ; with endAction rfq, once the time is over');

export function residualRfqView(rfq: RfqSummary): z.infer<typeof residualRfqRecord> {
  const { stage, outcome, why, rfqId, label, quantity, legs, accepts, best, price, endsAt } = rfq;
  return {
    stage,
    ...(outcome !== undefined && { outcome }),
    ...(why !== undefined && { why }),
    ...(rfqId !== undefined && { blockRfqId: rfqId }),
    ...(label !== undefined && { label }),
    ...(quantity !== undefined && { quantity }),
    ...(legs && { legs: legs.map(legView) }),
    ...(accepts !== undefined && { accepts }),
    ...(best && { bestPrice: best.price, bestMakers: best.makers }),
    ...(price !== undefined && { price }),
    ...(endsAt !== undefined && { endTimestamp: String(endsAt) }),
    fallback: rfq.fallback,
  };
}

type Leg = NonNullable<RfqSummary['legs']>[number];

const legView = ({ leg, instrument, side, quantity, ratio, hedgePrice }: Leg) => ({
  ...{ leg, instrument, side: side === 'buy' ? (1 as const) : (2 as const), quantity },
  ...(ratio !== undefined && { ratio }),
  ...(hedgePrice !== undefined && { hedgePrice }),
});
