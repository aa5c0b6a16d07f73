// The Block RFQ for the residual of a portfolio, as clients see it in the portfolio's record.
import { z } from 'zod';
import type { RfqSummary } from '../../core/portfolio/summary/portfolio-summary.ts';

const text = (description: string) => z.string().describe(description);

export const residualRfqRecord = z
  .object({
    stage: text('sending, unknown, refused, open, accepting, cancelling, over or skipped'),
    outcome: text('With over: traded, refused, unsent, cancelled, expired or failed').optional(),
    why: text('Why it was skipped or is being cancelled').optional(),
    blockRfqId: text("Taker's id of the Block RFQ").optional(),
    label: text('Label of the Block RFQ').optional(),
    quantity: text('Of the structure').optional(),
    legs: z
      .array(
        z.object({
          leg: z.int().describe('Index of the leg, from 0'),
          instrument: text('Instrument name'),
          side: z.union([z.literal(1), z.literal(2)]).describe('1 BUY, 2 SELL'),
          quantity: text('Requested quantity of this leg'),
          ratio: text('Leg size per quantity of the structure').optional(),
          hedgePrice: text('On the hedge leg: its fixed price').optional(),
        }),
      )
      .describe('What was requested')
      .optional(),
    accepts: z.int().describe('Accepts sent').optional(),
    bestPrice: text('Best price of the whole structure, for buying its legs as listed').optional(),
    bestMakers: z.int().describe('Makers needed for that price').optional(),
    price: text('Trade price').optional(),
    endTimestamp: text('When it is cancelled at the latest, Unix milliseconds').optional(),
    fallback: text('Treatment of what remains after it'),
  })
  .describe('The Block RFQ for the residual; with endAction rfq, after the end of the schedule');

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
  leg,
  instrument,
  side: side === 'buy' ? (1 as const) : (2 as const),
  quantity,
  ...(ratio !== undefined && { ratio }),
  ...(hedgePrice !== undefined && { hedgePrice }),
});
