// How requests without a result ended, in the words of the venue port.
import { answerOfCode, refusalText } from '../../core/order/venue-report-mapping.ts';
import type { OrderAnswer } from '../../ports/venue.ts';
import type { Outcome } from './outcome.ts';

/** What never left may be tried again. */
export function noResult(outcome: Exclude<Outcome, { readonly kind: 'result' }>): OrderAnswer {
  if (outcome.kind === 'unknown') return outcome;
  if (outcome.kind === 'unsent') return notSent(outcome.reason);
  return answerOfCode(outcome.code, refusalText(outcome.message, outcome.details));
}

export const notSent = (why: string): OrderAnswer => ({
  kind: 'refused',
  code: 0,
  message: `not sent: ${why}`,
  class: 'later',
});
