// The end of a dormant order: it is closed, and its owner's original request becomes an order of its own.

import { steps } from '../../values/amounts.ts';
import type { OrderType } from '../../values/order-terms.ts';
import { stopWaiting } from '../accounting/dormant-order.ts';
import { close } from '../accounting/working-order.ts';
import type { PlaceCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { LiveOrder } from '../model/live-order.ts';

export function leaveAsTriggered(state: ExchangeState, order: LiveOrder): void {
  stopWaiting(state, order);
  order.state = 'triggered';
  close(state, order);
}

/** The request that a dormant order's owner would make now, for `lots` of it. */
export function requestOf(
  state: ExchangeState,
  order: LiveOrder,
  { type, lots }: { readonly type: OrderType; readonly lots: number },
): PlaceCommand {
  const { account, side, label, timeInForce, listing } = order;
  return {
    kind: 'place',
    now: state.now,
    account,
    instrument: listing.instrument.name,
    side,
    type,
    quantity: listing.grid.quantityOf(lots),
    price: listing.grid.hasPrice(order.ticks) ? order.price : undefined,
    timeInForce,
    postOnly: order.postOnly,
    rejectPostOnly: order.rejectPostOnly,
    reduceOnly: order.reduceOnly,
    label,
  };
}

/** The same, with the trigger that was not armed yet. */
export function triggerRequestOf(
  state: ExchangeState,
  order: LiveOrder,
  lots: number,
): PlaceCommand {
  const request = requestOf(state, order, { type: order.originalType, lots });
  const trigger = order.conditions?.trigger;
  if (trigger === undefined) return request;
  const { source, unit, ticks, offsetTicks } = trigger;
  return {
    ...request,
    trigger: source,
    triggerPrice: ticks === undefined ? undefined : steps(unit, ticks),
    triggerOffset: offsetTicks === undefined ? undefined : steps(unit, offsetTicks),
  };
}
