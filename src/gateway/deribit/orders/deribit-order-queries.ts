// Order queries: open orders, order history, and single orders by id or label.
//
// Decisions: with `with_continuation` the answer is `{orders, continuation}`, and `continuation` is absent at the end (the
// venue does not publish the names); a token is text. `get_open_orders_by_label` without a label lists all of the currency.

import { openOrdersJson, orderJson, ordersJson } from '../../../ports/deribit-wire/order-rows.ts';
import type { HistoryQuery, OrderFilter } from '../../../ports/trading-desk.ts';
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
import { ifListed } from '../method/listed-instrument.ts';
import { countParam } from '../method/private-params.ts';

const open = ({ account, desk }: PrivateCall, filter: Omit<OrderFilter, 'account'>) =>
  answered(desk.openOrders({ ...filter, account }), openOrdersJson);

const openOrders = privateMethod({
  row: ROWS.getOpenOrders,
  params: { kind: kindParam, type: openTypeField },
  run: (call, { kind, type }) => open(call, { kinds: kind, types: type?.types }),
});

const openByCurrency = privateMethod({
  row: ROWS.getOpenOrdersByCurrency,
  params: { currency: currencyParam, kind: kindParam, type: openTypeField },
  run: (call, { currency, kind, type }) =>
    open(call, { currency: currency.code, kinds: kind, types: type?.types }),
});

const openByInstrument = privateMethod({
  row: ROWS.getOpenOrdersByInstrument,
  params: { instrument_name: instrumentParam, type: openTypeField },
  run: (call, { instrument_name: instrument, type }) =>
    ifListed(call, instrument, () => open(call, { instrument, types: type?.types })),
});

const label = labelField('Label');

const openByLabel = privateMethod({
  row: ROWS.getOpenOrdersByLabel,
  params: { currency: currencyParam, label: optional(label) },
  run: (call, params) => open(call, { currency: params.currency.code, label: params.label }),
});

const orderState = privateMethod({
  row: ROWS.getOrderState,
  params: { order_id: orderIdField },
  run: ({ account, desk }, { order_id: orderId }) =>
    answered(desk.order(account, orderId), orderJson),
});

const orderStateByLabel = privateMethod({
  row: ROWS.getOrderStateByLabel,
  params: { currency: currencyParam, label },
  run: ({ account, desk }, { currency, label: name }) =>
    answered(desk.ordersLabelled({ account, label: name, currency: currency.code }), ordersJson),
});

const historyShape = {
  count: countParam(20),
  offset: optionalOr(
    wholeParam({ min: 0, max: HISTORY_MAX.offset, description: 'How many to skip (default 0)' }),
    0,
  ),
  include_old: optionalOr(flagParam('Orders closed more than two days ago too'), false),
  include_unfilled: optionalOr(flagParam('Closed orders without a fill too'), false),
  with_continuation: optionalOr(flagParam('Answer a token to go on with'), false),
  continuation: optional(
    textField({ max: HISTORY_MAX.token, description: 'The token of an earlier answer' }),
  ),
  historical: optionalOr(flagParam('Only orders older than the recent ones'), false),
};

interface HistoryParams extends Pick<HistoryQuery, 'count' | 'offset' | 'historical'> {
  readonly include_old: boolean;
  readonly include_unfilled: boolean;
  readonly with_continuation: boolean;
  readonly continuation?: string | undefined;
}

function history(
  { account, desk }: PrivateCall,
  params: HistoryParams,
  filter: Omit<OrderFilter, 'account'>,
): DeribitAnswer {
  const { count, offset, historical, continuation, with_continuation: withToken } = params;
  const { include_old: includeOld, include_unfilled: includeUnfilled } = params;
  const page = { count, offset, historical, continuation, includeOld, includeUnfilled };
  return answered(desk.orderHistory({ ...filter, ...page, account }), (found) =>
    withToken
      ? { orders: ordersJson(found.orders), continuation: found.continuation }
      : ordersJson(found.orders),
  );
}

const historyByCurrency = privateMethod({
  row: ROWS.getOrderHistoryByCurrency,
  params: { currency: currencyParam, kind: kindParam, ...historyShape },
  run: (call, params) =>
    history(call, params, { currency: params.currency.code, kinds: params.kind }),
});

const historyByInstrument = privateMethod({
  row: ROWS.getOrderHistoryByInstrument,
  params: { instrument_name: instrumentParam, ...historyShape },
  run: (call, params) => {
    const instrument = params.instrument_name;
    return ifListed(call, instrument, () => history(call, params, { instrument }));
  },
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
