// Order queries: open orders, order history, and single orders by id or label.
//
// Decisions: with `with_continuation` the answer is `{orders, continuation}`, and `continuation` is absent at the end (the
// venue does not publish the names); a token is text. `get_open_orders_by_label` without a label lists all of the currency.

import { openOrdersJson, orderJson, ordersJson } from '../../../ports/deribit-wire/order-rows.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { answered } from '../../order-api/method.ts';
import { HISTORY_MAX } from '../../order-api/orders/order-queries.ts';
import { labelField, openTypeField, orderIdField } from '../../order-api/param-fields.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import {
  type DeribitAnswer,
  type DeribitMethod,
  type PrivateCall,
  privateMethod,
} from '../method/deribit-method.ts';
import { flagParam, wholeParam } from '../method/deribit-params.ts';
import { currencyParam, instrumentParam, kindParam } from '../method/instrument-params.ts';
import { countParam } from '../method/private-params.ts';

const open = (call: PrivateCall, wanted: Parameters<typeof ROWS.getOpenOrders.run>[1]) =>
  answered(ROWS.getOpenOrders.run(call, wanted), openOrdersJson);

const openOrders = privateMethod({
  row: ROWS.getOpenOrders,
  params: { kind: kindParam, type: openTypeField },
  run: open,
});

const openByCurrency = privateMethod({
  row: ROWS.getOpenOrdersByCurrency,
  params: { currency: currencyParam, kind: kindParam, type: openTypeField },
  run: open,
});

const openByInstrument = privateMethod({
  row: ROWS.getOpenOrdersByInstrument,
  params: { instrumentName: instrumentParam, type: openTypeField },
  run: open,
});

const label = labelField('Label');

const openByLabel = privateMethod({
  row: ROWS.getOpenOrdersByLabel,
  params: { currency: currencyParam, label: optional(label) },
  run: open,
});

const orderState = privateMethod({
  row: ROWS.getOrderState,
  params: { orderId: orderIdField },
  run: (call, params) => answered(ROWS.getOrderState.run(call, params), orderJson),
});

const orderStateByLabel = privateMethod({
  row: ROWS.getOrderStateByLabel,
  params: { currency: currencyParam, label },
  run: (call, params) => answered(ROWS.getOrderStateByLabel.run(call, params), ordersJson),
});

const historyShape = {
  count: countParam(20),
  offset: optionalOr(
    wholeParam({ min: 0, max: HISTORY_MAX.offset, description: 'How many to skip (default 0)' }),
    0,
  ),
  includeOld: optionalOr(flagParam('Orders closed more than two days ago too'), false),
  includeUnfilled: optionalOr(flagParam('Closed orders without a fill too'), false),
  withContinuation: optionalOr(flagParam('Answer a token to go on with'), false),
  continuation: optional(
    textField({ max: HISTORY_MAX.token, description: 'The token of an earlier answer' }),
  ),
  historical: optionalOr(flagParam('Only orders older than the recent ones'), false),
};

type HistoryParams = Parameters<typeof ROWS.getOrderHistoryByCurrency.run>[1] & {
  readonly withContinuation: boolean;
};

const history = (call: PrivateCall, params: HistoryParams): DeribitAnswer =>
  answered(ROWS.getOrderHistoryByCurrency.run(call, params), ({ orders, continuation }) =>
    params.withContinuation ? { orders: ordersJson(orders), continuation } : ordersJson(orders),
  );

const historyByCurrency = privateMethod({
  row: ROWS.getOrderHistoryByCurrency,
  params: { currency: currencyParam, kind: kindParam, ...historyShape },
  run: history,
});

const historyByInstrument = privateMethod({
  row: ROWS.getOrderHistoryByInstrument,
  params: { instrumentName: instrumentParam, ...historyShape },
  run: history,
});

export const DERIBIT_ORDER_QUERIES: readonly DeribitMethod[] = [
  openOrders,
  openByCurrency,
  openByInstrument,
  openByLabel,
  orderState,
  orderStateByLabel,
  historyByCurrency,
  historyByInstrument,
];
