// Folds the events of a portfolio's residual RFQ.
import { price, quantity } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import { childLabelOf, type RfqLabel } from '../../../values/ids.ts';
import { instant } from '../../../values/instant.ts';
import type { RfqEvent } from './residual-rfq-event.ts';
import { type ResidualRfqState, type RfqStory, requestedRfq } from './residual-rfq-state.ts';

type Stamped = RfqEvent & { readonly at: number };
type Of<K extends RfqEvent['kind']> = Extract<Stamped, { kind: K }>;

/** The RFQ's state after the event. */
export function evolveRfq(before: RfqStory | undefined, event: Stamped): RfqStory {
  if (event.kind === 'rfq_skipped') {
    return { stage: 'skipped', why: event.why, overAt: instant(event.at) };
  }
  if (event.kind === 'rfq_intended') return intended(requestedRfq({ rfq: before }), event);
  return changed(must(requestedRfq({ rfq: before }), `${event.kind} of no RFQ`), event);
}

const intended = (
  before: ResidualRfqState | undefined,
  event: Of<'rfq_intended'>,
): ResidualRfqState => ({
  number: event.number,
  label: event.rfqLabel as RfqLabel,
  stage: 'sending',
  parts: event.legs.map(({ leg, quantity: size, hedgePrice }) => ({
    leg,
    quantity: quantity(size),
    hedgePrice: hedgePrice === undefined ? undefined : price(hedgePrice),
  })),
  intendedAt: instant(event.at),
  validUntil: instant(event.validUntil),
  endsAt: instant(event.endsAt),
  accepts: before?.accepts ?? 0,
});

function changed(
  rfq: ResidualRfqState,
  event: Exclude<Stamped, { kind: 'rfq_skipped' | 'rfq_intended' }>,
): RfqStory {
  switch (event.kind) {
    case 'rfq_refused':
      return event.retryAt === undefined
        ? { ...rfq, stage: 'over', outcome: 'refused', overAt: instant(event.at) }
        : { ...rfq, stage: 'refused', retryAt: instant(event.retryAt), cancel: undefined };
    case 'rfq_unknown':
      return { ...rfq, stage: 'unknown' };
    case 'rfq_absent':
      return { ...rfq, absentSince: rfq.absentSince ?? instant(event.at) };
    case 'rfq_opened':
      return opened(rfq, event);
    case 'rfq_quoted':
      return {
        ...rfq,
        best:
          event.price === undefined
            ? undefined
            : { price: price(event.price), makers: event.makers, isWhole: event.isWhole },
      };
    case 'rfq_accept_intended':
      return {
        ...rfq,
        accepts: event.accept,
        accept: {
          number: event.accept,
          price: price(event.price),
          labels: event.labels.map(childLabelOf),
          validUntil: instant(event.validUntil),
          state: 'sending',
        },
      };
    case 'rfq_accept_refused':
      // The offer of that time is gone or not for us: wait for a new one.
      return { ...rfq, accept: undefined, best: undefined };
    case 'rfq_accept_unknown':
      return { ...rfq, accept: rfq.accept && { ...rfq.accept, state: 'unknown' } };
    case 'rfq_cancel_intended':
      return { ...rfq, cancel: { reason: event.reason, retryAt: instant(event.retryAt) } };
    case 'rfq_over':
      return over(rfq, event);
  }
}

const opened = (rfq: ResidualRfqState, event: Of<'rfq_opened'>): ResidualRfqState => ({
  ...rfq,
  stage: 'open',
  id: event.rfqId,
  quantity: quantity(event.quantity),
  absentSince: undefined,
  parts: rfq.parts.map((part) => {
    const found = event.ratios.find(({ leg }) => leg === part.leg);
    return found === undefined ? part : { ...part, ratio: quantity(found.ratio) };
  }),
});

const over = (rfq: ResidualRfqState, event: Of<'rfq_over'>): RfqStory => ({
  ...rfq,
  stage: 'over',
  outcome: event.outcome,
  ...(event.price !== undefined && { price: price(event.price) }),
  accept: undefined,
  best: undefined,
  cancel: undefined,
  overAt: instant(event.at),
});
