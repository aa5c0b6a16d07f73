// The history of trigger orders that have ended: recent ones first, then older ones, in pages.
//
// Source: the venue's trigger order history, with one entry for each trigger order that was triggered or
// cancelled, and the order it created.

import { z } from 'zod';
import { text as decimalText } from '../../../values/amounts.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { accountMethod, answered, type Method } from '../method.ts';
import { countField, currencyField, instrumentField } from '../param-fields.ts';
import { decimal, flag, instant, text } from '../result-fields.ts';
import { type EndedTrigger, requestOf, typeBehind } from './ended-triggers.ts';
import { HISTORY_MAX } from './order-queries.ts';

const entrySchema = z
  .object({
    timestamp: instant('When it was placed'),
    lastUpdateTimestamp: instant('When it was triggered or cancelled'),
    triggerOrderId: text('The trigger order'),
    orderId: text('The order it created').optional(),
    orderState: z
      .enum(['triggered', 'cancelled'])
      .describe('How the trigger order ended; query the created order by its id for its state'),
    request: z.enum(['trigger:order', 'cancel']).describe('What ended the trigger order'),
    instrumentName: text('Instrument name'),
    side: z.enum(['buy', 'sell']).describe('Side of the order'),
    quantity: decimal('In the amount unit'),
    price: decimal('Limit price; market_price for none'),
    orderType: z.enum(['limit', 'market']).describe('Type of the created order'),
    trigger: z.enum(['index_price', 'mark_price', 'last_price']).describe('Watched'),
    triggerPrice: decimal('Trailing stops: the final trigger price').optional(),
    triggerOffset: decimal('Trailing stops: distance from the best price').optional(),
    reduceOnly: flag('Only reduces the position'),
    postOnly: flag('Maker only'),
    label: text('Label of the client; empty for none'),
    isSecondaryOto: z.literal(true).describe('Waited for its primary order').optional(),
    ocoRef: text('Shared by the two orders of a one-cancels-other pair').optional(),
  })
  .describe('The end of a trigger order');

const resultSchema = z.object({
  entries: z.array(entrySchema).describe('Newest first'),
  continuation: text('Token to continue after the last entry').optional(),
});

type Entry = z.infer<typeof entrySchema>;

function entryOf(order: EndedTrigger): Entry {
  const { trigger, state } = order;
  return {
    timestamp: order.createdAt,
    lastUpdateTimestamp: order.updatedAt,
    triggerOrderId: order.orderId,
    orderId: order.firedOrderId,
    orderState: state,
    request: requestOf(order),
    instrumentName: order.instrument,
    side: order.side,
    quantity: decimalText(order.quantity),
    price: order.price === undefined ? 'market_price' : decimalText(order.price),
    orderType: typeBehind(order),
    trigger: trigger.source,
    triggerPrice: trigger.price && decimalText(trigger.price),
    triggerOffset: trigger.offset && decimalText(trigger.offset),
    reduceOnly: order.reduceOnly,
    postOnly: order.postOnly,
    label: order.label,
    isSecondaryOto: order.isSecondaryOto === true ? true : undefined,
    ocoRef: order.ocoRef,
  };
}

const triggerOrderHistory = accountMethod({
  row: ROWS.getTriggerOrderHistory,
  summary: 'History of trigger orders that were triggered or cancelled',
  params: {
    currency: currencyField,
    instrumentName: optional(instrumentField),
    count: countField(20),
    continuation: optional(
      textField({ max: HISTORY_MAX.token, description: 'The token of an earlier answer' }),
    ),
  },
  result: resultSchema,
  example: { currency: 'BTC', count: 10 },
  run: (call, params) =>
    answered(ROWS.getTriggerOrderHistory.run(call, params), ({ orders, continuation }) => ({
      entries: orders.map(entryOf),
      continuation,
    })),
});

export const TRIGGER_QUERIES = [triggerOrderHistory] as const satisfies readonly Method[];
