// A new order from its owner: alone or with linked orders, with or without a trigger.

import { isCombo } from '../../values/instrument.ts';
import { checkLabel, checkRouted } from '../checks/order-checks.ts';
import type { OrderReply, PlaceCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import type { Listing } from '../model/instruments/listing.ts';
import { viewOf } from '../model/live-order.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { isTriggerType } from '../model/triggers/trigger.ts';
import { placeLinked } from './linked-placement.ts';
import { routeOrder } from './route-order.ts';

export function place(state: ExchangeState, command: PlaceCommand): OrderReply {
  const account = state.accounts.get(command.account);
  if (account === undefined) return refusal.unauthorized();
  const wrongLabel = checkLabel(command.label);
  if (wrongLabel !== undefined) return wrongLabel;
  const listing = state.listings.get(command.instrument);
  if (listing === undefined) return refusal.invalidParam('instrument_name', 'instrument not found');
  const unavailable = checkCombo(listing, command) ?? checkRouted(listing, command);
  if (unavailable !== undefined) return unavailable;
  const entry = { account, listing, command };
  if (command.link !== undefined) return placeLinked(state, entry, command.link);
  const entered = routeOrder(state, entry, undefined);
  if ('code' in entered) return entered;
  return { kind: 'order', order: viewOf(entered.order), trades: entered.trades };
}

/**
 * What the book of a combo does not offer: orders that wait for a trigger or for another order, and orders that the
 * exchange prices. Icebergs and reduce-only orders are refused where they are checked.
 */
function checkCombo(
  { instrument }: Listing,
  { type, link, advanced }: PlaceCommand,
): Refusal | undefined {
  if (!isCombo(instrument)) return undefined;
  if (isTriggerType(type)) {
    const accepted = 'accepted: limit, market or market_limit';
    return refusal.unavailableForCombos('type', `no ${type} orders there; ${accepted}`);
  }
  if (link !== undefined) {
    return refusal.unavailableForCombos('linked_order_type', 'no linked orders there');
  }
  return advanced === undefined
    ? undefined
    : refusal.unavailableForCombos('advanced', 'prices there are in the quote currency');
}
