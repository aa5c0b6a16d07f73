// Cancel methods: one order, the orders with a label, or all that match. Untriggered trigger orders are
// included.

import { z } from 'zod';
import type { ChildCancelReason } from '../../../ports/trading-desk.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { choiceField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { accountMethod, answered, type Method } from '../method.ts';
import {
  cancelTypeField,
  currencyField,
  instrumentField,
  kindField,
  labelField,
  orderIdField,
} from '../param-fields.ts';
import { orderSchema } from './order-schema.ts';
import { orderView } from './order-view.ts';

const countSchema = z.int().describe('Number of cancelled orders; 0 is not an error');
const count = (cancelled: number): number => cancelled;

/** Reasons a client may give; all others are reserved for the exchange. */
const REASONS = {
  user_request: 'user_request',
  cancel_on_disconnect: 'cancel_on_disconnect',
  mmp_trigger: 'mmp_trigger',
  risk_mitigation: 'risk_mitigation',
} as const;

const reason = optional(
  choiceField<ChildCancelReason, keyof typeof REASONS>(
    REASONS,
    'Reason, shown as `cancelReason` (default user_request); has no other effect',
  ),
);

const cancel = accountMethod({
  row: ROWS.cancel,
  summary: 'Cancel one order',
  params: { orderId: orderIdField, reason },
  result: orderSchema,
  example: { orderId: '1' },
  run: (call, params) => answered(ROWS.cancel.run(call, params), orderView),
});

const cancelByLabel = accountMethod({
  row: ROWS.cancelByLabel,
  summary: 'Cancel every order that carries a label',
  params: { label: labelField('Label'), currency: optional(currencyField), reason },
  result: countSchema,
  example: { label: 'example' },
  run: ROWS.cancelByLabel.run,
});

const cancelAll = accountMethod({
  row: ROWS.cancelAll,
  summary: 'Cancel every order of the account',
  params: { reason },
  result: countSchema,
  example: {},
  run: ({ account, desk }, { reason: why }) =>
    answered(desk.cancelAll({ account, reason: why }), count),
});

const cancelAllByCurrency = accountMethod({
  row: ROWS.cancelAllByCurrency,
  summary: 'Cancel the orders of a settlement currency',
  params: { currency: currencyField, kind: kindField, type: cancelTypeField, reason },
  result: countSchema,
  example: { currency: 'BTC', kind: 'future', type: 'limit' },
  run: ({ account, desk }, { currency, kind, type, reason: why }) => {
    const filter = { account, currency: currency.code, kinds: kind, types: type?.types };
    return answered(desk.cancelAll({ ...filter, reason: why }), count);
  },
});

const cancelAllByInstrument = accountMethod({
  row: ROWS.cancelAllByInstrument,
  summary: 'Cancel the orders of an instrument',
  params: { instrumentName: instrumentField, type: cancelTypeField, reason },
  result: countSchema,
  example: { instrumentName: 'BTC-PERPETUAL' },
  run: ({ account, desk }, { instrumentName, type, reason: why }) => {
    const filter = { account, instrument: instrumentName, types: type?.types };
    return answered(desk.cancelAll({ ...filter, reason: why }), count);
  },
});

export const CANCEL_METHODS = [
  cancel,
  cancelByLabel,
  cancelAll,
  cancelAllByCurrency,
  cancelAllByInstrument,
] as const satisfies readonly Method[];
