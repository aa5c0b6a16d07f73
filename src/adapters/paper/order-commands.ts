// Maps requests of the venue port to commands of the exchange.
import type {
  CancelAllCommand,
  CancelByLabelCommand,
  CancelCommand,
  EditByLabelCommand,
  EditCommand,
  PlaceCommand,
} from '../../exchange/exchange-command.ts';
import type { CancelOrder, CancelOrders, NewOrder, OrderChange } from '../../ports/trading-desk.ts';
import type { OrderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

export const placeCommand = (order: NewOrder, now: Instant): PlaceCommand => ({
  ...order,
  kind: 'place',
  now,
});

export function changeCommand(change: OrderChange, now: Instant): EditCommand | EditByLabelCommand {
  const { of, ...terms } = change;
  return 'orderId' in of
    ? { ...terms, kind: 'edit', now, orderId: of.orderId }
    : { ...terms, kind: 'edit_by_label', now, label: of.label, instrument: of.instrument };
}

export const cancelCommand = (
  { account, reason }: Pick<CancelOrder, 'account' | 'reason'>,
  orderId: OrderId,
  now: Instant,
): CancelCommand => ({ kind: 'cancel', now, account, orderId, reason });

/** `undefined` if the filter cannot be expressed as one command. */
export function cancelAllCommand(
  filter: CancelOrders,
  now: Instant,
): CancelAllCommand | CancelByLabelCommand | undefined {
  const { account, currency, instrument, kinds, types, label, reason } = filter;
  if (label === undefined) {
    return { kind: 'cancel_all', now, account, currency, instrument, kinds, types, reason };
  }
  if (kinds !== undefined || types !== undefined) return undefined;
  return { kind: 'cancel_by_label', now, account, label, currency, instrument, reason };
}
