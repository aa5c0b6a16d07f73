// What the book of a combo does not offer: orders that wait for a trigger or for another order, and orders that the
// exchange prices. Icebergs and reduce-only orders are refused where they are checked.
import { isCombo } from '../../values/instrument.ts';
import type { PlaceCommand } from '../exchange-command.ts';
import type { Listing } from '../model/instruments/listing.ts';
import type { Refusal } from '../model/refusal.ts';
import * as refusal from '../model/refusal.ts';
import { isTriggerType } from '../model/triggers/trigger.ts';

export function checkCombo(
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
