// Cancels one order, all orders with a label, or all orders that match filters. Mass cancels skip closed
// books and return a count.

import { cancel } from '../accounting/working-order.ts';
import { checkBookForCancel } from '../checks/order-checks.ts';
import type {
  CancelAllCommand,
  CancelByLabelCommand,
  CancelCommand,
  CountReply,
  OrderReply,
} from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { type LiveOrder, viewOf } from '../model/live-order.ts';
import * as refusal from '../model/refusal.ts';
import type { CancelReason } from '../order.ts';
import { ownOpenOrder } from './edit.ts';
import { isImmediate } from './execute-order.ts';

export function cancelOne(state: ExchangeState, command: CancelCommand): OrderReply {
  const order = ownOpenOrder(state, command.account, command.orderId);
  if ('code' in order) return order;
  const refused = checkBookForCancel(order.listing);
  if (refused !== undefined) return refused;
  if (isBeyondRecall(order)) return refusal.notOpenOrder(order.state);
  cancelForOwner(state, order, command.reason ?? 'user_request');
  return { kind: 'order', order: viewOf(order), trades: [] };
}

export function cancelByLabel(state: ExchangeState, command: CancelByLabelCommand): CountReply {
  const { currency, instrument } = command;
  if (command.label === '') return refusal.invalidParam('label', 'required');
  const matching = state.orders.byLabel(command.account, command.label).filter((order) => {
    const its = order.listing.instrument;
    return (
      (currency === undefined || its.settlement === currency) &&
      (instrument === undefined || its.name === instrument)
    );
  });
  return cancelEach(state, matching, command.reason ?? 'user_request');
}

export function cancelAll(state: ExchangeState, command: CancelAllCommand): CountReply {
  const account = state.accounts.get(command.account);
  if (account === undefined) return refusal.unauthorized();
  const { currency, instrument, kinds, types } = command;
  const matching = [...account.exposures()].filter(({ listing: { instrument: its } }) => {
    if (currency !== undefined && its.settlement !== currency) return false;
    if (instrument !== undefined && its.name !== instrument) return false;
    return kinds === undefined || kinds.includes(its.kind);
  });
  const orders = matching
    .flatMap(({ openOrders, dormantOrders }) => [...openOrders, ...dormantOrders])
    .filter(({ originalType }) => types === undefined || types.includes(originalType));
  return cancelEach(state, orders, command.reason ?? 'user_request');
}

function cancelEach(
  state: ExchangeState,
  orders: readonly LiveOrder[],
  reason: CancelReason,
): CountReply {
  const open = orders.filter(
    (order) =>
      order.isLive && !isBeyondRecall(order) && checkBookForCancel(order.listing) === undefined,
  );
  for (const order of open) cancelForOwner(state, order, reason);
  return { kind: 'count', count: open.length };
}

/** An order in its speed bump becomes immediate-or-cancel: it may still fill when it is released. */
function cancelForOwner(state: ExchangeState, order: LiveOrder, reason: CancelReason): void {
  const bump = order.conditions?.bump;
  if (bump === undefined) return cancel(state, order, reason);
  order.conditions = { ...order.conditions, bump: { ...bump, cancelReason: reason } };
  order.updatedAt = state.now;
  state.outbox.orderChanged(order);
}

/** It is released soon and never rests: a cancel changes nothing any more. */
function isBeyondRecall(order: LiveOrder): boolean {
  const bump = order.conditions?.bump;
  return bump !== undefined && (bump.cancelReason !== undefined || isImmediate(order));
}
