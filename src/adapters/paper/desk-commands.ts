// Maps requests of the order API to commands of the exchange.
import type {
  CancelAllCommand,
  CancelByLabelCommand,
  CancelCommand,
  EditByLabelCommand,
  EditCommand,
  PlaceCommand,
} from '../../exchange/exchange-command.ts';
import type {
  ChildCancelReason,
  NewOrder,
  OrderChange,
  OrderFilter,
} from '../../ports/trading-desk.ts';
import type { AccountId, OrderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

export const enterCommand = (order: NewOrder, now: Instant): PlaceCommand => ({
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

export interface CancelOne {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly reason?: ChildCancelReason | undefined;
}

export type CancelMany = OrderFilter & Pick<CancelOne, 'reason'>;

export const cancelOneCommand = (request: CancelOne, now: Instant): CancelCommand => ({
  ...request,
  kind: 'cancel',
  now,
});

/** `undefined` if the filter cannot be expressed as one command. */
export function cancelAllCommand(
  filter: CancelMany,
  now: Instant,
): CancelAllCommand | CancelByLabelCommand | undefined {
  const { account, currency, instrument, kinds, types, label, reason } = filter;
  if (label === undefined) {
    return { kind: 'cancel_all', now, account, currency, instrument, kinds, types, reason };
  }
  if (kinds !== undefined || types !== undefined) return undefined;
  return { kind: 'cancel_by_label', now, account, label, currency, instrument, reason };
}
