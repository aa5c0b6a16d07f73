// The history of trigger orders that have ended. Decision: what an entry does not have is null, not absent.

import { decimalNumber, numberIf } from '../../../ports/deribit-wire/json-number.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { answered } from '../../order-api/method.ts';
import { type EndedTrigger, requestOf, typeBehind } from '../../order-api/orders/ended-triggers.ts';
import { HISTORY_MAX } from '../../order-api/orders/order-queries.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { type DeribitMethod, privateMethod } from '../method/deribit-method.ts';
import { currencyParam, instrumentParam } from '../method/instrument-params.ts';
import { countParam } from '../method/private-params.ts';

const entryJson = (order: EndedTrigger) => ({
  timestamp: order.createdAt,
  last_update_timestamp: order.updatedAt,
  trigger_order_id: order.orderId,
  order_id: order.firedOrderId ?? null,
  order_state: order.state,
  request: requestOf(order),
  instrument_name: order.instrument,
  direction: order.side,
  price: order.price === undefined ? 'market_price' : decimalNumber(order.price),
  amount: decimalNumber(order.quantity),
  order_type: typeBehind(order),
  trigger: order.trigger.source,
  trigger_price: numberIf(order.trigger.price) ?? null,
  trigger_offset: numberIf(order.trigger.offset) ?? null,
  reduce_only: order.reduceOnly,
  post_only: order.postOnly,
  label: order.label,
  is_secondary_oto: order.isSecondaryOto,
  oco_ref: order.ocoRef,
  source: 'api',
});

const triggerHistory = privateMethod({
  row: ROWS.getTriggerOrderHistory,
  params: {
    currency: currencyParam,
    instrumentName: optional(instrumentParam),
    count: countParam(20),
    continuation: optional(
      textField({ max: HISTORY_MAX.token, description: 'The token of an earlier answer' }),
    ),
  },
  run: (call, params) =>
    answered(ROWS.getTriggerOrderHistory.run(call, params), ({ orders, continuation }) => ({
      entries: orders.map(entryJson),
      continuation,
    })),
});

export const DERIBIT_TRIGGER_QUERIES: readonly DeribitMethod[] = [triggerHistory];
