// Methods that place and edit orders. Each makes one call to the account's desk before the first await, so that the
// requests of an account keep their order; only an edit in contracts looks its order up first.

import { orderJson } from '../../../ports/deribit-wire/order-rows.ts';
import { tradeJson } from '../../../ports/deribit-wire/trade-rows.ts';
import type {
  NewOrder,
  OrderChange,
  OrderKey,
  Reply,
  Worked,
} from '../../../ports/trading-desk.ts';
import { absolute, isPositive, isZero } from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Side } from '../../../values/instrument.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { done } from '../../order-api/method.ts';
import {
  type Asked,
  newOrder,
  orderChange,
  type RequestedChange,
} from '../../order-api/orders/requested-order.ts';
import { invalidParam, type Refusal } from '../../order-api/refusals.ts';
import { choiceField } from '../../wire/field-kinds.ts';
import { optional } from '../../wire/fields.ts';
import {
  changeMethod,
  type DeribitAnswer,
  type DeribitMethod,
  type PrivateCall,
} from '../method/deribit-method.ts';
import { priceParam } from '../method/deribit-params.ts';
import { instrumentParam } from '../method/instrument-params.ts';
import { ifListed } from '../method/listed-instrument.ts';
import {
  changeWish,
  editByIdShape,
  editLabelledShape,
  DERIBIT_NAMES as names,
  orderWish,
  placeShape,
} from './deribit-order-params.ts';

const workedJson = ({ order, trades }: Worked) => ({
  order: orderJson(order),
  trades: trades.map(tradeJson),
});

const placing = (side: Side) =>
  changeMethod({
    row: ROWS[side],
    params: placeShape,
    about: ({ instrument_name: instrument, label }) => ({ instrument, label }),
    run: (call, params) =>
      ifListed(call, params.instrument_name, (instrument) => {
        const { account, desk } = call;
        const asked = newOrder(orderWish(params), { account, side, instrument, names });
        return 'refusal' in asked ? asked.refusal : worked(call, desk.place(asked.value));
      }),
  });

const edit = changeMethod({
  row: ROWS.edit,
  params: editByIdShape,
  about: ({ order_id: id }) => ({ id }),
  run: (call, params) => {
    const of = { orderId: params.order_id };
    const wish = changeWish(params);
    return wish.contracts === undefined ? changed(call, of, wish) : editInContracts(call, of, wish);
  },
});

async function editInContracts(
  call: PrivateCall,
  of: Extract<OrderKey, { readonly orderId: unknown }>,
  wish: RequestedChange,
): Promise<Reply<unknown>> {
  const found = await call.desk.order(call.account, of.orderId);
  if (found.kind !== 'done') return found;
  return changed(call, { ...of, instrument: found.value.instrument }, wish);
}

const editByLabel = changeMethod({
  row: ROWS.editByLabel,
  params: editLabelledShape,
  about: ({ instrument_name: instrument, label }) => ({ instrument, label }),
  run: (call, params) => {
    const { instrument_name: instrument, label } = params;
    return ifListed(call, instrument, () =>
      changed(call, { label, instrument }, changeWish(params)),
    );
  },
});

/** The position is looked up first; what was traded meanwhile cannot turn it, as the order only reduces. */
const closePosition = changeMethod({
  row: ROWS.closePosition,
  params: {
    instrument_name: instrumentParam,
    type: choiceField({ limit: 'limit', market: 'market' } as const, 'Type of the order'),
    price: optional(priceParam({ description: 'Of a limit order' })),
  },
  about: ({ instrument_name: instrument }) => ({ instrument }),
  run: (call, { instrument_name: name, ...terms }) =>
    ifListed(call, name, () => closing(call, name, terms)),
});

async function closing(
  call: PrivateCall,
  instrument: InstrumentName,
  terms: Pick<NewOrder, 'type' | 'price'>,
): Promise<Reply<unknown>> {
  const { account, desk } = call;
  const reply = await desk.positions({ account, instrument });
  if (reply.kind !== 'done') return reply;
  const held = reply.value.find((position) => position.instrument === instrument)?.quantity;
  if (held === undefined || isZero(held)) return NO_POSITION;
  const price = terms.type === 'limit' ? terms.price : undefined;
  const order: NewOrder = {
    account,
    instrument,
    side: isPositive(held) ? 'sell' : 'buy',
    type: terms.type,
    price,
    quantity: absolute(held),
    timeInForce: 'good_til_cancelled',
    postOnly: false,
    rejectPostOnly: false,
    reduceOnly: true,
    label: '',
    mmp: false,
  };
  return worked(call, desk.place(order));
}

const NO_POSITION: Refusal = invalidParam(
  'instrument_name',
  'has no position; accepted: an instrument in which the account has one',
);

export const DERIBIT_ORDER_METHODS: readonly DeribitMethod[] = [
  placing('buy'),
  placing('sell'),
  edit,
  editByLabel,
  closePosition,
];

function changed(call: PrivateCall, of: OrderKey, wish: RequestedChange): DeribitAnswer {
  const { account, desk } = call;
  const instrument = of.instrument === undefined ? undefined : desk.instrument(of.instrument);
  const asked: Asked<OrderChange> = orderChange(wish, { account, of }, { instrument, names });
  return 'refusal' in asked ? asked.refusal : worked(call, desk.edit(asked.value));
}

async function worked(call: PrivateCall, asked: Promise<Reply<Worked>>): Promise<Reply<unknown>> {
  const reply = await asked;
  if (reply.kind !== 'done') return reply;
  call.session?.created(reply.value.order);
  return done(workedJson(reply.value));
}
