// Order queries: open orders, order history, and single orders by id or label.

import { z } from 'zod';
import type { OrderRecord } from '../../../core/order/order-record.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { switchField, textField, wholeField } from '../../wire/field-kinds.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import {
  type AccountCall,
  accountMethod,
  answered,
  type Method,
  type MethodAnswer,
} from '../method.ts';
import {
  countField,
  currencyField,
  historicalField,
  instrumentField,
  kindField,
  labelField,
  openTypeField,
  orderIdField,
} from '../param-fields.ts';
import { orderSchema } from './order-schema.ts';
import { orderView } from './order-view.ts';

export const HISTORY_MAX = { token: 256, offset: 1_000_000 } as const;

const ordersSchema = z.array(orderSchema).describe('Newest first');
const historySchema = z.union([
  ordersSchema,
  z
    .object({
      orders: ordersSchema,
      continuation: z.string().describe('Token to continue after the last order').optional(),
    })
    .describe('If withContinuation is true'),
]);

const views = (orders: readonly OrderRecord[]) => orders.map(orderView);
const open = (call: AccountCall, wanted: Parameters<typeof ROWS.getOpenOrders.run>[1]) =>
  answered(ROWS.getOpenOrders.run(call, wanted), views);

const openOrders = accountMethod({
  row: ROWS.getOpenOrders,
  summary: 'Open orders of every currency',
  params: { kind: kindField, type: openTypeField },
  result: ordersSchema,
  example: {},
  run: open,
});

const openOrdersByCurrency = accountMethod({
  row: ROWS.getOpenOrdersByCurrency,
  summary: 'Open orders of a settlement currency',
  params: { currency: currencyField, kind: kindField, type: openTypeField },
  result: ordersSchema,
  example: { currency: 'BTC' },
  run: open,
});

const openOrdersByInstrument = accountMethod({
  row: ROWS.getOpenOrdersByInstrument,
  summary: 'Open orders of an instrument',
  params: { instrumentName: instrumentField, type: openTypeField },
  result: ordersSchema,
  example: { instrumentName: 'BTC-PERPETUAL' },
  run: open,
});

const historyShape = {
  count: countField(20),
  offset: optionalOr(
    wholeField({ min: 0, max: HISTORY_MAX.offset, description: 'How many to skip (default 0)' }),
    0,
  ),
  includeOld: optionalOr(switchField('Include orders closed more than two days ago'), false),
  includeUnfilled: optionalOr(switchField('Include closed orders without a fill'), false),
  withContinuation: optionalOr(switchField('Include a continuation token in the answer'), false),
  continuation: optional(
    textField({ max: HISTORY_MAX.token, description: 'The token of an earlier answer' }),
  ),
  historical: historicalField,
};

type HistoryParams = Parameters<typeof ROWS.getOrderHistoryByCurrency.run>[1] & {
  readonly withContinuation: boolean;
};

const history = (call: AccountCall, params: HistoryParams): MethodAnswer =>
  answered(ROWS.getOrderHistoryByCurrency.run(call, params), ({ orders, continuation }) =>
    params.withContinuation ? { orders: views(orders), continuation } : views(orders),
  );

const historyByCurrency = accountMethod({
  row: ROWS.getOrderHistoryByCurrency,
  summary: 'Closed orders of a settlement currency',
  params: { currency: currencyField, kind: kindField, ...historyShape },
  result: historySchema,
  example: { currency: 'BTC', count: 10, includeUnfilled: true },
  run: history,
});

const historyByInstrument = accountMethod({
  row: ROWS.getOrderHistoryByInstrument,
  summary: 'Closed orders of an instrument',
  params: { instrumentName: instrumentField, ...historyShape },
  result: historySchema,
  example: { instrumentName: 'BTC-PERPETUAL', withContinuation: true },
  run: history,
});

const orderState = accountMethod({
  row: ROWS.getOrderState,
  summary: 'One order, in any state',
  params: { orderId: orderIdField },
  result: orderSchema,
  example: { orderId: '1' },
  run: (call, params) => answered(ROWS.getOrderState.run(call, params), orderView),
});

const orderStateByLabel = accountMethod({
  row: ROWS.getOrderStateByLabel,
  summary: 'Orders with a label, in any state',
  params: { currency: currencyField, label: labelField('Label') },
  result: ordersSchema,
  example: { currency: 'BTC', label: 'example' },
  run: (call, params) => answered(ROWS.getOrderStateByLabel.run(call, params), views),
});

export const ORDER_QUERIES = [
  openOrders,
  openOrdersByCurrency,
  openOrdersByInstrument,
  historyByCurrency,
  historyByInstrument,
  orderState,
  orderStateByLabel,
] as const satisfies readonly Method[];
