// A new order from its owner: alone or with linked orders, with or without a trigger.

import { checkCombo } from '../checks/combo-checks.ts';
import { checkLabel } from '../checks/order-checks.ts';
import type { OrderReply, PlaceCommand } from '../exchange-command.ts';
import type { ExchangeState } from '../exchange-state.ts';
import { viewOf } from '../model/live-order.ts';
import * as refusal from '../model/refusal.ts';
import { placeLinked } from './linked-placement.ts';
import { routeOrder } from './route-order.ts';

export function place(state: ExchangeState, command: PlaceCommand): OrderReply {
  const account = state.accounts.get(command.account);
  if (account === undefined) return refusal.unauthorized();
  const wrongLabel = checkLabel(command.label);
  if (wrongLabel !== undefined) return wrongLabel;
  const listing = state.listings.get(command.instrument);
  if (listing === undefined) return refusal.invalidParam('instrument_name', 'instrument not found');
  const unavailable = checkCombo(listing, command);
  if (unavailable !== undefined) return unavailable;
  const entry = { account, listing, command };
  if (command.link !== undefined) return placeLinked(state, entry, command.link);
  const entered = routeOrder(state, entry, undefined);
  if ('code' in entered) return entered;
  return { kind: 'order', order: viewOf(entered.order), trades: entered.trades };
}
