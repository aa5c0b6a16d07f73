// A portfolio's residual RFQ for readers: plain JSON, amounts as text.
import { text } from '../../../values/amounts.ts';
import type { PortfolioState } from '../aggregate/portfolio-state.ts';
import { legSpec } from '../aggregate/positions.ts';
import { type ResidualRfqState, requestedRfq } from '../aggregate/residual-rfq-state.ts';
import type { RfqSummary } from './portfolio-summary.ts';

/** Once the end action has started. */
export function rfqSummary(state: PortfolioState): RfqSummary | undefined {
  const { rfq } = state;
  const fallback = state.spec.execution.rfq?.fallback ?? 'cancel';
  if (rfq?.stage === 'skipped') return { stage: 'skipped', why: rfq.why, fallback };
  const asked = requestedRfq(state);
  if (asked === undefined) return undefined;
  const { number, label, id, best, price, outcome, quantity, endsAt, cancel } = asked;
  return {
    stage: stageOf(asked),
    ...(outcome && { outcome }),
    number,
    label,
    ...(id !== undefined && { rfqId: id }),
    ...(quantity && { quantity: text(quantity) }),
    legs: asked.parts.map((part) => {
      const { instrument, side } = legSpec(state, part.leg);
      return {
        leg: part.leg,
        instrument,
        side,
        quantity: text(part.quantity),
        ...(part.ratio && { ratio: text(part.ratio) }),
        ...(part.hedgePrice && { hedgePrice: text(part.hedgePrice) }),
      };
    }),
    accepts: asked.accepts,
    ...(best && { best: { price: text(best.price), makers: best.makers } }),
    ...(cancel && { why: cancel.reason }),
    ...(price && { price: text(price) }),
    endsAt,
    fallback,
  };
}

function stageOf({ stage, accept, cancel }: ResidualRfqState): string {
  if (stage !== 'open') return stage;
  if (cancel !== undefined) return 'cancelling';
  return accept === undefined ? 'open' : 'accepting';
}
