// Routes orders of every kind to the book or to the untriggered orders. Orders that the exchange itself has
// to place are never dropped: if refused, they stay on record as rejected.
import { orderId } from '../../values/ids.ts';
import { close } from '../accounting/working-order.ts';
import type { PlaceCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Conditions } from '../model/conditions.ts';
import { LiveOrder } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { isTriggerType } from '../model/triggers/trigger.ts';
import { enterDormant } from './dormant-placement.ts';
import { type Entered, type Entry, enter } from './place-order.ts';

export function routeOrder(
  state: ExchangeState,
  entry: Entry,
  conditions: Conditions | undefined,
): Entered | Refusal {
  const { type } = entry.command;
  if (isTriggerType(type)) return enterDormant(state, entry, { type, conditions });
  return checkUntriggered(entry.command) ?? enter(state, entry, conditions);
}

/** Refuses trigger fields on an order without a trigger: placed at once, it could do harm. */
export function checkUntriggered({
  type,
  trigger,
  triggerPrice,
  triggerOffset,
}: PlaceCommand): Refusal | undefined {
  const given: readonly (readonly [string, unknown])[] = [
    ['trigger', trigger],
    ['trigger_price', triggerPrice],
    ['trigger_offset', triggerOffset],
  ];
  const [param] = given.find(([, value]) => value !== undefined) ?? [];
  if (param === undefined) return undefined;
  const reason = `a ${type} order waits for no trigger; accepted: leave it out, or a stop, take or trailing type`;
  return refusal.unsupportedCombination(param, reason);
}

/** Returns the order in its resulting state. */
export function routeForOwner(
  state: ExchangeState,
  entry: Entry,
  conditions: Conditions,
): LiveOrder {
  const entered = routeOrder(state, entry, conditions);
  return 'code' in entered ? rejectForOwner(state, entry, conditions, entered) : entered.order;
}

export function rejectForOwner(
  state: ExchangeState,
  { account, listing, command }: Entry,
  conditions: Conditions,
  refused: Refusal,
): LiveOrder {
  const { side, label, type, timeInForce, postOnly, rejectPostOnly, reduceOnly } = command;
  const identity = {
    orderId: orderId(state.orderIds.next(listing.instrument)),
    listing,
    side,
    label,
    originalType: type,
    timeInForce,
    mmp: command.mmp ?? false,
    createdAt: state.now,
  };
  const terms = {
    ticks: (command.price && listing.grid.ticksOf(command.price)) ?? 0,
    totalLots: listing.grid.lotsOf(command.quantity) ?? 0,
    postOnly,
    rejectPostOnly,
    reduceOnly,
  };
  const order = new LiveOrder(identity, account, terms);
  order.rank = state.nextRank();
  order.state = 'rejected';
  order.conditions = { ...conditions, rejectReason: refused.message };
  state.orders.add(order);
  close(state, order);
  return order;
}
