// Maps requests of the venue port to commands of the exchange.
import type {
  CancelCommand,
  EditByLabelCommand,
  PlaceCommand,
} from '../../exchange/exchange-command.ts';
import type { ExchangeOrder } from '../../exchange/order.ts';
import type { CancelRequest, EditRequest, OrderRequest } from '../../ports/venue.ts';
import type { Instant } from '../../values/instant.ts';

/** A post-only order is refused rather than repriced, because the caller decided the price. */
export const placeCommand = (order: OrderRequest, now: Instant): PlaceCommand => ({
  kind: 'place',
  now,
  account: order.account,
  instrument: order.instrument,
  side: order.side,
  type: 'limit',
  quantity: order.quantity,
  price: order.price,
  timeInForce: order.timeInForce,
  postOnly: order.postOnly,
  rejectPostOnly: order.postOnly,
  reduceOnly: order.reduceOnly,
  ...(order.mmp && { mmp: true }),
  label: order.label,
  validUntil: order.validUntil,
});

export const editCommand = (edit: EditRequest, now: Instant): EditByLabelCommand => ({
  kind: 'edit_by_label',
  now,
  account: edit.account,
  instrument: edit.instrument,
  label: edit.label,
  quantity: edit.quantity,
  price: edit.price,
  postOnly: edit.postOnly,
  rejectPostOnly: edit.postOnly,
  reduceOnly: edit.reduceOnly,
  validUntil: edit.validUntil,
});

const NOT_FOUND = { code: 10004, message: 'order_not_found' } as const;
const NOT_UNIQUE = { code: 13032, message: 'non_unique_order_label' } as const;

/** By id if known; otherwise the one open order with the label, or the one closed last. */
export function cancelCommand(
  request: CancelRequest,
  labelled: readonly ExchangeOrder[],
  now: Instant,
): CancelCommand | typeof NOT_FOUND | typeof NOT_UNIQUE {
  const { account } = request;
  if (request.orderId !== undefined) {
    return { kind: 'cancel', now, account, orderId: request.orderId };
  }
  const open = labelled.filter(({ state }) => state === 'open' || state === 'untriggered');
  if (open.length > 1) return NOT_UNIQUE;
  const order = open[0] ?? labelled.at(-1);
  return order === undefined ? NOT_FOUND : { kind: 'cancel', now, account, orderId: order.orderId };
}
