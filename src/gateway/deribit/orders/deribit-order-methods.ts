// Methods that place and edit orders. Each makes one call to the account's desk before the first await, so that the
// requests of an account keep their order; only an edit in contracts looks its order up first.

import { orderJson } from '../../../ports/deribit-wire/order-rows.ts';
import { tradeJson } from '../../../ports/deribit-wire/trade-rows.ts';
import type { NewOrder, Reply, Worked } from '../../../ports/trading-desk.ts';
import { absolute, isPositive, isZero } from '../../../values/amounts.ts';
import type { InstrumentName } from '../../../values/ids.ts';
import type { Side } from '../../../values/instrument.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { ifListed } from '../../order-api/find-instrument.ts';
import { answered } from '../../order-api/method.ts';
import { newOrder } from '../../order-api/orders/requested-order.ts';
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
import {
  editByIdShape,
  editLabelledShape,
  DERIBIT_NAMES as names,
  placeShape,
  wishOf,
} from './deribit-order-params.ts';

const workedJson = ({ order, trades }: Worked) => ({
  order: orderJson(order),
  trades: trades.map(tradeJson),
});

const placing = (side: Side) =>
  changeMethod({
    row: ROWS[side],
    params: placeShape,
    about: ({ instrumentName: instrument, label }) => ({ instrument, label }),
    run: (call, { instrumentName, ...wish }) =>
      ifListed(call, instrumentName, (instrument) => {
        const { account, desk } = call;
        const asked = newOrder(wishOf(wish), { account, side, instrument, names });
        return 'refusal' in asked ? asked.refusal : worked(call, desk.place(asked.value));
      }),
  });

const edit = changeMethod({
  row: ROWS.edit,
  params: editByIdShape,
  about: ({ orderId: id }) => ({ id }),
  run: (call, { orderId, ...wish }) =>
    worked(call, ROWS.edit.run(call, { of: { orderId }, change: wishOf(wish), names })),
});

const editByLabel = changeMethod({
  row: ROWS.editByLabel,
  params: editLabelledShape,
  about: ({ instrumentName: instrument, label }) => ({ instrument, label }),
  run: (call, { label, instrumentName: instrument, ...wish }) =>
    ifListed(call, instrument, () =>
      worked(
        call,
        ROWS.editByLabel.run(call, { of: { label, instrument }, change: wishOf(wish), names }),
      ),
    ),
});

/** The position is looked up first; what was traded meanwhile cannot turn it, as the order only reduces. */
const closePosition = changeMethod({
  row: ROWS.closePosition,
  params: {
    instrumentName: instrumentParam,
    type: choiceField({ limit: 'limit', market: 'market' } as const, 'Type of the order'),
    price: optional(priceParam({ description: 'Of a limit order' })),
  },
  about: ({ instrumentName: instrument }) => ({ instrument }),
  run: (call, { instrumentName: name, ...terms }) =>
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

function worked(call: PrivateCall, asked: Refusal | Promise<Reply<Worked>>): DeribitAnswer {
  return answered(asked, (work) => {
    call.session?.created(work.order);
    return workedJson(work);
  });
}
