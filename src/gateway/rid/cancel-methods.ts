// Taking orders back: one, those of a label, or all that match. Waiting trigger orders are orders too.
import { z } from 'zod';
import { choiceField } from '../field-kinds.ts';
import { optional } from '../fields.ts';
import { accountMethod, answered, type Method } from './method.ts';
import { orderSchema } from './order-schema.ts';
import { orderView } from './order-view.ts';
import {
  cancelTypeField,
  currencyField,
  instrumentField,
  kindField,
  labelField,
  orderIdField,
} from './param-fields.ts';

const countSchema = z.int().describe('How many orders were cancelled; 0 is no fault');
const count = (cancelled: number): number => cancelled;

const how = { needs: 'trade', lane: 'order_cancel' } as const;

/** What a client may give as its own reason; the others are the exchange's to say. */
const REASONS = {
  user_request: 'user_request',
  cancel_on_disconnect: 'cancel_on_disconnect',
  mmp_trigger: 'mmp_trigger',
} as const;

const reasonField = choiceField<keyof typeof REASONS>(
  REASONS,
  'Why, as `cancelReason` will show it (default user_request); changes nothing else',
);

const cancel = accountMethod({
  ...how,
  name: 'private/cancel',
  summary: 'Cancel one order',
  params: { orderId: orderIdField, reason: optional(reasonField) },
  result: orderSchema,
  example: { orderId: '1' },
  run: ({ account, desk }, { orderId, reason }) =>
    answered(desk.cancel({ account, orderId, reason }), orderView),
});

const cancelByLabel = accountMethod({
  ...how,
  name: 'private/cancel_by_label',
  summary: 'Cancel every order that carries a label',
  params: { label: labelField('Label'), currency: optional(currencyField) },
  result: countSchema,
  example: { label: 'example' },
  run: ({ account, desk }, { label, currency }) =>
    answered(desk.cancelAll({ account, label, currency: currency?.code }), count),
});

const cancelAll = accountMethod({
  ...how,
  name: 'private/cancel_all',
  summary: 'Cancel every order of the account',
  params: {},
  result: countSchema,
  example: {},
  run: ({ account, desk }) => answered(desk.cancelAll({ account }), count),
});

const cancelAllByCurrency = accountMethod({
  ...how,
  name: 'private/cancel_all_by_currency',
  summary: 'Cancel the orders of a settlement currency',
  params: { currency: currencyField, kind: kindField, type: cancelTypeField },
  result: countSchema,
  example: { currency: 'BTC', kind: 'future', type: 'limit' },
  run: ({ account, desk }, { currency, kind, type }) =>
    answered(
      desk.cancelAll({ account, currency: currency.code, kinds: kind, types: type?.types }),
      count,
    ),
});

const cancelAllByInstrument = accountMethod({
  ...how,
  name: 'private/cancel_all_by_instrument',
  summary: 'Cancel the orders of an instrument',
  params: { instrumentName: instrumentField, type: cancelTypeField },
  result: countSchema,
  example: { instrumentName: 'BTC-PERPETUAL' },
  run: ({ account, desk }, { instrumentName, type }) =>
    answered(desk.cancelAll({ account, instrument: instrumentName, types: type?.types }), count),
});

export const CANCEL_METHODS: readonly Method[] = [
  cancel,
  cancelByLabel,
  cancelAll,
  cancelAllByCurrency,
  cancelAllByInstrument,
];
