// Edits an untriggered or dormant order: its terms change in place, and it keeps its rank. An edit must not
// meet the trigger by itself, unless the exchange rules allow such orders to be triggered.

import { text } from '../../values/amounts.ts';
import type { EditTerms } from '../../values/order-terms.ts';
import { startWaiting, stopWaiting, waitsForPrimary } from '../accounting/dormant-order.ts';
import {
  checkAmount,
  checkBook,
  checkFlags,
  checkPrice,
  checkValidity,
} from '../checks/order-checks.ts';
import { ALREADY_MET, isMetNow, OFFSET_TOO_WIDE, triggerTicks } from '../checks/trigger-checks.ts';
import type { OrderReply } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { type LiveOrder, type LiveTerms, viewOf } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import {
  childTypeOf,
  isTriggerType,
  type Trigger,
  trailingFrom,
} from '../model/triggers/trigger.ts';

export function editDormant(state: ExchangeState, order: LiveOrder, edit: EditTerms): OrderReply {
  const terms = wantedTerms(state, order, edit);
  if ('code' in terms) return terms;
  const trigger = wantedTrigger(order, edit);
  if (trigger !== undefined && 'code' in trigger) return trigger;
  const isArmed = trigger !== undefined && !waitsForPrimary(order);
  const isMet = isArmed && isMetNow(order.listing, trigger);
  if (isMet && state.settings.triggerAlreadyMet === 'refuse')
    return refusal.invalidTriggerPrice('trigger_price', ALREADY_MET);
  stopWaiting(state, order);
  order.setTerms(terms);
  order.conditions = { ...order.conditions, trigger };
  order.replaced = true;
  order.updatedAt = state.now;
  startWaiting(state, order);
  state.outbox.orderChanged(order);
  if (isMet) state.pending.met([order]);
  return { kind: 'order', order: viewOf(order), trades: [] };
}

function wantedTerms(state: ExchangeState, order: LiveOrder, edit: EditTerms): LiveTerms | Refusal {
  const { listing } = order;
  const { originalType: type, timeInForce } = order;
  const postOnly = edit.postOnly ?? order.postOnly;
  const reduceOnly = edit.reduceOnly ?? order.reduceOnly;
  if (edit.advanced !== undefined || edit.displayQuantity !== undefined) {
    const param = edit.advanced === undefined ? 'display_amount' : 'advanced';
    const reason = 'cannot be set on an order that waits; accepted: leave it out';
    return refusal.unsupportedCombination(param, reason);
  }
  if (edit.mmp) return refusal.invalidParam('mmp', 'editing mmp flag is not supported');
  if (edit.price && order.ticks === 0) {
    const reason = `a ${type} order has no limit; accepted: leave it out`;
    return refusal.unsupportedCombination('price', reason);
  }
  const becomes = isTriggerType(type) ? childTypeOf(type) : type;
  const flags = { type: becomes, timeInForce, postOnly, reduceOnly, mmp: false };
  const refused =
    checkBook(listing, state.now) ??
    checkValidity(state.now, edit.validUntil) ??
    (edit.quantity && checkAmount(listing, edit.quantity)) ??
    (edit.price && checkPrice(listing, edit.price)) ??
    checkFlags(listing, flags, state.settings.marketOrdersOnOptions);
  if (refused !== undefined) return refused;
  const ticks = (edit.price && listing.grid.ticksOf(edit.price)) ?? order.ticks;
  const totalLots = (edit.quantity && listing.grid.lotsOf(edit.quantity)) ?? order.totalLots;
  const placed = placedLots(order);
  if (totalLots <= placed) return refusal.alreadyFilled(text(listing.grid.quantityOf(placed)));
  const rejectPostOnly = edit.rejectPostOnly ?? order.rejectPostOnly;
  return { ticks, totalLots, postOnly, rejectPostOnly, reduceOnly };
}

/** The quantity that a dormant linked order has already released. */
const placedLots = (order: LiveOrder): number =>
  waitsForPrimary(order) ? (order.conditions?.seat?.share.placedLots ?? 0) : 0;

function wantedTrigger(order: LiveOrder, edit: EditTerms): Trigger | Refusal | undefined {
  const trigger = order.conditions?.trigger;
  const { triggerPrice, triggerOffset } = edit;
  if (triggerPrice === undefined && triggerOffset === undefined) return trigger;
  const isTrailing = trigger?.offsetTicks !== undefined;
  const meant = isTrailing ? triggerOffset : triggerPrice;
  const isBoth = triggerPrice !== undefined && triggerOffset !== undefined;
  if (trigger === undefined || meant === undefined || isBoth) {
    return refusal.unsupportedCombination(...notOfTrigger(order, edit));
  }
  const ticks = triggerTicks(order.listing, trigger.source, meant);
  if (typeof ticks !== 'number') return ticks;
  if (!isTrailing) return { ...trigger, ticks };
  const wider = { ...trigger, offsetTicks: ticks };
  if (trigger.extremeTicks === undefined) return wider;
  const moved = trailingFrom(wider, trigger.extremeTicks);
  return (moved.ticks ?? 0) > 0
    ? moved
    : refusal.invalidTriggerPrice('trigger_offset', OFFSET_TOO_WIDE);
}

/** Which trigger field of the edit the order does not have, and the one it has. */
function notOfTrigger(
  { originalType, conditions }: LiveOrder,
  { triggerPrice }: Pick<EditTerms, 'triggerPrice'>,
): readonly [param: string, reason: string] {
  const trigger = conditions?.trigger;
  if (trigger === undefined) {
    const param = triggerPrice === undefined ? 'trigger_offset' : 'trigger_price';
    return [param, 'the order waits for no trigger; accepted: leave it out'];
  }
  return trigger.offsetTicks === undefined
    ? [
        'trigger_offset',
        `a ${originalType} order has a trigger price; accepted: triggerPrice alone`,
      ]
    : ['trigger_price', `a ${originalType} order has an offset; accepted: triggerOffset alone`];
}
