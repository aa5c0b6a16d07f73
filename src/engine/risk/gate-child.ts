// Passes child orders through the gate at the moment of sending, whatever was found when they were decided.
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import { type ChildTerms, childOrder } from '../../core/portfolio/slices/judge-child.ts';
import { NO_LIMITS } from '../../core/risk/gate/control-limits.ts';
import { blockText } from '../../core/risk/gate/judge-order.ts';
import type { Refused, Venue } from '../../ports/venue.ts';
import { instrumentName } from '../../values/ids.ts';
import type { Gate, Passage, Passing } from './gate.ts';

/** Checks the child for the last time and clears it. */
export function passChild<T>(
  gate: Gate,
  request: T,
  of: { readonly venue: Venue; readonly state: PortfolioState; readonly child: ChildTerms },
): Passage<T> {
  const { venue, state, child } = of;
  const passing = (): Passing => {
    const instrument = instrumentName(legSpec(state, child.leg).instrument);
    return {
      venue,
      account: state.spec.accountId,
      stage: 'child',
      orders: [childOrder(state, child, venue.quote(instrument))],
      instrument,
      portfolio: state.id,
    };
  };
  return gate.pass(request, gate.limits === NO_LIMITS ? NOT_JUDGED(venue, state) : passing());
}

const NOT_JUDGED = (venue: Venue, { spec }: PortfolioState): Passing => ({
  ...{ venue, account: spec.accountId, stage: 'child', orders: [] },
});

/** The block as a venue's refusal, so that the slice may try again. */
export const asRefused = (passage: Extract<Passage<unknown>, { kind: 'blocked' }>): Refused => ({
  kind: 'refused',
  code: 0,
  message: `not sent: ${blockText(passage.block)}`,
  class: 'later',
});
