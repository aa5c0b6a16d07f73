// What the controls need to judge the children of one portfolio, as plain values read at one moment.

import type { Instant } from '../../../values/instant.ts';
import type { Quote } from '../../../values/quote.ts';
import { type AccountSnapshot, SnapshotView, withOrder } from './account-snapshot.ts';
import type { ControlLimits } from './control-limits.ts';
import type { GateOrder } from './gate-order.ts';
import { type GateBlock, judgeOrder } from './judge-order.ts';
import { type Unrest, unrestAt } from './market-unrest.ts';
import { type Override, overrideFor } from './overrides.ts';
import { type SentOrder, sentAmong, sentOrder } from './sent-orders.ts';

export interface GateInputs {
  readonly limits: ControlLimits;
  /** The grants of the account that can still be used. */
  readonly overrides: readonly Override[];
  /** Absent while unknown: controls that need it block. */
  readonly account?: AccountSnapshot | undefined;
  /** What the portfolio has sent lately; absent where that is not counted: the control that needs it blocks. */
  readonly sent?: readonly SentOrder[] | undefined;
  /** By instrument: the markets that must not be traded in. */
  readonly unrest: ReadonlyMap<string, Unrest>;
}

/** The first control that objects to the order at `now`. */
export function judgeByInputs(
  order: GateOrder,
  { limits, overrides, account, sent, unrest }: GateInputs,
  at: { readonly now: Instant; readonly quote: Quote | undefined },
): GateBlock | undefined {
  const { now } = at;
  const context = {
    ...at,
    limits,
    account: account && new SnapshotView(account, now),
    sent: sent && sentAmong(sent),
    unrest: unrestAt({ unrest: unrest.get(order.instrument.name) }, now)?.why,
  };
  return judgeOrder(
    order,
    context,
    (one, control) => overrideFor(overrides, { order: one, control, now }) !== undefined,
  );
}

/** The inputs for the orders judged after this one, in which it counts. */
export function countingOrder(gate: GateInputs, order: GateOrder, at: Instant): GateInputs {
  const { account, sent } = gate;
  const added = sentOrder(order, at);
  return {
    ...gate,
    account: account && withOrder(account, order),
    sent: sent === undefined || added === undefined ? sent : [...sent, added],
  };
}
