// Methods that place and edit orders. Each makes one call to the account's order API before the first await, so
// that the requests of an account keep their order.

import { z } from 'zod';
import type { Reply, Worked } from '../../../ports/trading-desk.ts';
import type { Side } from '../../../values/instrument.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import { ifListed } from '../find-instrument.ts';
import { placeIdempotently } from '../idempotent-placement.ts';
import { type AccountCall, accountMethod, answered, done, type Method } from '../method.ts';
import { tradeSchema, tradeView } from '../trades/trade-view.ts';
import { editByLabelShape, editShape, orderShape } from './order-params.ts';
import { orderSchema } from './order-schema.ts';
import { orderView } from './order-view.ts';
import { OWN_NAMES as names, newOrder } from './requested-order.ts';

const workedSchema = z.object({
  order: orderSchema,
  trades: z.array(tradeSchema).describe('Trades made by this request'),
});

const workedView = ({ order, trades }: Worked) => ({
  order: orderView(order),
  trades: trades.map(tradeView),
});

const idempotencyKey = optional(
  textField({
    max: 64,
    description: 'Places the order once; a repetition of the request gets the first answer',
  }),
);

const placing = <S extends Side>(side: S) =>
  accountMethod({
    row: ROWS[side],
    summary: side === 'buy' ? 'Place an order to buy' : 'Place an order to sell',
    params: { ...orderShape, idempotencyKey },
    result: workedSchema,
    example: {
      instrumentName: 'BTC-PERPETUAL',
      quantity: '100',
      type: 'limit',
      price: side === 'buy' ? '60000' : '80000',
      label: 'example',
      timeInForce: 'good_til_cancelled',
    },
    run: (call, params) =>
      ifListed(call, params.instrumentName, (instrument) => {
        const asked = newOrder(params, { account: call.account, side, instrument, names });
        if ('refusal' in asked) return asked.refusal;
        const act = () => shownWork(call.desk.place(asked.value), call.session);
        return placeIdempotently(call, { method: side, params, act });
      }),
  });

const edit = accountMethod({
  row: ROWS.edit,
  summary: 'Edit an open order',
  params: editShape,
  result: workedSchema,
  example: { orderId: '1', quantity: '200', price: '59000' },
  run: (call, { orderId, ...change }) =>
    answered(ROWS.edit.run(call, { of: { orderId }, change, names }), workedView),
});

const editByLabel = accountMethod({
  row: ROWS.editByLabel,
  summary: 'Edit the only open order of an instrument with a label',
  params: editByLabelShape,
  result: workedSchema,
  example: { label: 'example', instrumentName: 'BTC-PERPETUAL', quantity: '200', price: '59000' },
  run: (call, { label, instrumentName: instrument, ...change }) =>
    ifListed(call, instrument, () =>
      answered(
        ROWS.editByLabel.run(call, { of: { label, instrument }, change, names }),
        workedView,
      ),
    ),
});

export const ORDER_METHODS = [
  placing('buy'),
  placing('sell'),
  edit,
  editByLabel,
] as const satisfies readonly Method[];

async function shownWork(
  asked: Promise<Reply<Worked>>,
  session?: AccountCall['session'],
): Promise<Reply<unknown>> {
  const reply = await asked;
  if (reply.kind !== 'done') return reply;
  session?.created(reply.value.order);
  return done(workedView(reply.value));
}
