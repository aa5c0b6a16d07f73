// Passes child orders through the gate: they are checked while a slice is decided, and cleared at the moment of
// sending.

import type { Screen } from '../../core/portfolio/aggregate/draft.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { legSpec } from '../../core/portfolio/aggregate/positions.ts';
import { NO_LIMITS } from '../../core/risk/gate/control-limits.ts';
import type { GateOrder } from '../../core/risk/gate/gate-order.ts';
import { orderUsd } from '../../core/risk/order-check.ts';
import type { Refused, Venue } from '../../ports/venue.ts';
import type { Price, Quantity } from '../../values/amounts.ts';
import { must } from '../../values/assert.ts';
import { instrumentName } from '../../values/ids.ts';
import type { TimeInForce } from '../../values/order-terms.ts';
import { blockText, type Gate, type Passage, type Passing } from './gate.ts';

export interface ChildTerms {
  readonly leg: number;
  readonly slice: number;
  readonly quantity: Quantity;
  readonly price: Price;
  /** Absent for an edit, which does not change it. */
  readonly timeInForce?: TimeInForce | undefined;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  /** The label of the child; its edits have the same. */
  readonly label: string;
}

/** The check of a child at this moment; `undefined` if no limits are set. */
export function screenOf(gate: Gate, venue: Venue, state: PortfolioState): Screen | undefined {
  if (gate.limits === NO_LIMITS) return undefined;
  return (child) => {
    const order = childOrder(venue, state, child);
    const block = gate.look(order, { venue, stage: 'child' });
    return block && blockText(block);
  };
}

/** Checks the child for the last time and clears it. */
export function passChild<T>(
  gate: Gate,
  request: T,
  of: { readonly venue: Venue; readonly state: PortfolioState; readonly child: ChildTerms },
): Passage<T> {
  const { venue, state, child } = of;
  const passing = (): Passing => ({
    venue,
    account: state.spec.accountId,
    stage: 'child',
    orders: [childOrder(venue, state, child)],
    instrument: instrumentName(legSpec(state, child.leg).instrument),
    portfolio: state.id,
  });
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

function childOrder(venue: Venue, state: PortfolioState, child: ChildTerms): GateOrder {
  const { leg, slice, quantity, price, timeInForce, postOnly, reduceOnly, label } = child;
  const { side, instrument: name } = legSpec(state, leg);
  const instrument = must(state.instruments.get(name), () => `portfolio ${state.id} lacks ${name}`);
  const quote = venue.quote(instrumentName(name));
  return {
    ...{ account: state.spec.accountId, instrument, side, quantity, price, reduceOnly },
    usd: orderUsd({ instrument, quantity, price }, quote),
    takes: !postOnly,
    isImmediate: timeInForce === 'immediate_or_cancel' || timeInForce === 'fill_or_kill',
    waits: false,
    key: label,
    child: { portfolio: state.id, leg, slice },
  };
}
