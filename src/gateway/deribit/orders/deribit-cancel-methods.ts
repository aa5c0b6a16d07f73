// Cancel methods. Untriggered orders are included; a count of 0 is no error.
//
// Decisions: with `detailed` the answer is one report per instrument and kind of order, with the orders that this request
// cancelled: `{currency, type: "limit"|"trigger", instrument_name, result: [order]}`; the venue does not publish the
// form. `freeze_quotes` is read and has no effect, because there are no mass quotes to freeze. A currency pair is that of
// the price index (`btc_usd`); its orders are cancelled instrument by instrument. `cancel_by_label` draws on the pool of
// emergency cancels as `cancel_all` does, with a currency too.

import type { OrderRecord } from '../../../core/order/order-record.ts';
import { orderJson } from '../../../ports/deribit-wire/order-rows.ts';
import type { CancelOrders, Reply, TradingDesk } from '../../../ports/trading-desk.ts';
import type { Currency, InstrumentName } from '../../../values/ids.ts';
import type { Instrument, InstrumentKind } from '../../../values/instrument.ts';
import type { OrderType } from '../../../values/order-terms.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { answered, done } from '../../order-api/method.ts';
import { cancelTypeField, labelField, orderIdField } from '../../order-api/param-fields.ts';
import { textField } from '../../wire/field-kinds.ts';
import { optional, optionalOr } from '../../wire/fields.ts';
import {
  changeMethod,
  type DeribitAnswer,
  type DeribitMethod,
  type PrivateCall,
} from '../method/deribit-method.ts';
import { flagParam } from '../method/deribit-params.ts';
import { currencyParam, instrumentParam, kindParam } from '../method/instrument-params.ts';
import { listParam } from '../method/nested-params.ts';

const COMBO_KINDS = ['future_combo', 'option_combo'] as const;
/** Far more than there are currencies. */
const CURRENCIES_MAX = 50;

const report = {
  detailed: optionalOr(flagParam('Answer the cancelled orders instead of their number'), false),
  freeze_quotes: optional(flagParam('No effect: there are no mass quotes')),
};

const cancel = changeMethod({
  row: ROWS.cancel,
  params: { orderId: orderIdField },
  about: ({ orderId: id }) => ({ id }),
  run: (call, params) => answered(ROWS.cancel.run(call, params), orderJson),
});

const cancelByLabel = changeMethod({
  row: ROWS.cancelByLabel,
  params: { label: labelField('Label'), currency: optional(currencyParam) },
  about: ({ label }) => ({ label }),
  run: ROWS.cancelByLabel.run,
});

const cancelAll = changeMethod({
  row: ROWS.cancelAll,
  params: report,
  about: () => ({}),
  run: (call, { detailed }) => cancelling(call, {}, detailed),
});

const cancelByCurrency = changeMethod({
  row: ROWS.cancelAllByCurrency,
  params: { currency: currencyParam, kind: kindParam, type: cancelTypeField, ...report },
  about: () => ({}),
  run: (call, { currency, kind, type, detailed }) =>
    cancelling(call, { currency: currency.code, kinds: kind, types: type?.types }, detailed),
});

const cancelByInstrument = changeMethod({
  row: ROWS.cancelAllByInstrument,
  params: {
    instrumentName: instrumentParam,
    type: cancelTypeField,
    include_combos: optionalOr(flagParam('Orders of combos with this leg too'), false),
    ...report,
  },
  about: ({ instrumentName: instrument }) => ({ instrument }),
  run: (call, { instrumentName: instrument, type, detailed, include_combos: withCombos }) => {
    const types = type?.types;
    const own = cancelled(call, { instrument, types }, detailed);
    if (!withCombos) return together(call, [own], detailed);
    const isWanted = ({ legs = [] }: Instrument): boolean =>
      legs.some((leg) => leg.instrument === instrument);
    const combos = { kinds: COMBO_KINDS, types };
    return cancellingSome(call, combos, { isWanted, detailed, others: [own] });
  },
});

const cancelByKindOrType = changeMethod({
  row: ROWS.cancelAllByKindOrType,
  params: {
    currency: listParam(currencyParam, {
      min: 1,
      max: CURRENCIES_MAX,
      description: 'One or several currencies, or any',
      of: 'currencies',
    }),
    kind: kindParam,
    type: cancelTypeField,
    ...report,
  },
  about: () => ({}),
  run: (call, { currency, kind: kinds, type, detailed }) => {
    const codes = [...new Set(currency.map(({ code }) => code))];
    const wanted = codes.includes(undefined) ? [undefined] : codes;
    return together(
      call,
      wanted.map((code) =>
        cancelled(call, { currency: code, kinds, types: type?.types }, detailed),
      ),
      detailed,
    );
  },
});

const cancelByPair = changeMethod({
  row: ROWS.cancelAllByCurrencyPair,
  params: {
    currency_pair: textField({ max: 32, description: 'Price index, such as btc_usd' }),
    kind: kindParam,
    type: cancelTypeField,
    ...report,
  },
  about: () => ({}),
  run: (call, { currency_pair: pair, kind: kinds, type, detailed }) => {
    const isWanted = ({ indexName }: Instrument): boolean => indexName === pair;
    return cancellingSome(call, { kinds, types: type?.types }, { isWanted, detailed });
  },
});

export const DERIBIT_CANCEL_METHODS: readonly DeribitMethod[] = [
  cancel,
  cancelByLabel,
  cancelAll,
  cancelByCurrency,
  cancelByInstrument,
  cancelByKindOrType,
  cancelByPair,
];

interface Wanted {
  readonly instrument?: InstrumentName | undefined;
  readonly currency?: Currency | undefined;
  readonly kinds?: readonly InstrumentKind[] | undefined;
  readonly types?: readonly OrderType[] | undefined;
}

interface Cancelled {
  readonly count: number;
  /** Empty unless it is requested. */
  readonly orders: readonly OrderRecord[];
}

const cancelling = (call: PrivateCall, wanted: Wanted, detailed: boolean): DeribitAnswer =>
  together(call, [cancelled(call, wanted, detailed)], detailed);

interface Some {
  /** Of the instruments with open orders. */
  readonly isWanted: (instrument: Instrument) => boolean;
  readonly detailed: boolean;
  /** Cancels under way that belong to the same answer. */
  readonly others?: readonly Promise<Reply<Cancelled>>[] | undefined;
}

/** Instrument by instrument, where the venue has no filter for them. */
async function cancellingSome(
  call: PrivateCall,
  filter: Wanted,
  { isWanted, detailed, others = [] }: Some,
): Promise<Reply<unknown>> {
  const { account, desk } = call;
  const open = await desk.openOrders({ ...filter, account });
  if (open.kind !== 'done') return open;
  const names = [...new Set(open.value.map(({ instrument }) => instrument))];
  const wanted = names.filter((name) => {
    const instrument = desk.instrument(name);
    return instrument !== undefined && isWanted(instrument);
  });
  const each = wanted.map((instrument) => cancelled(call, { ...filter, instrument }, detailed));
  return await together(call, [...others, ...each], detailed);
}

/** What was open when the request arrived is compared with what became of it. */
async function cancelled(
  { account, desk }: PrivateCall,
  wanted: Wanted,
  detailed: boolean,
): Promise<Reply<Cancelled>> {
  const filter: CancelOrders = { ...wanted, account };
  const before = detailed ? desk.openOrders(filter) : undefined;
  const count = await desk.cancelAll(filter);
  if (count.kind !== 'done') return count;
  const open = await before;
  if (open === undefined) return done({ count: count.value, orders: [] });
  if (open.kind !== 'done') return open;
  const orders: OrderRecord[] = [];
  for (const { orderId } of open.value) {
    const now = await desk.order(account, orderId);
    if (now.kind === 'unknown') return now;
    if (now.kind === 'done' && now.value.state === 'cancelled') orders.push(now.value);
  }
  return done({ count: count.value, orders });
}

/** All are sent before the first is awaited; the first failure is the answer. */
async function together(
  { desk }: PrivateCall,
  asked: readonly Promise<Reply<Cancelled>>[],
  detailed: boolean,
): Promise<Reply<unknown>> {
  const replies = await Promise.all(asked);
  const all: Cancelled[] = [];
  for (const reply of replies) {
    if (reply.kind !== 'done') return reply;
    all.push(reply.value);
  }
  if (detailed)
    return done(
      reportsJson(
        desk,
        all.flatMap(({ orders }) => orders),
      ),
    );
  return done(all.reduce((sum, { count }) => sum + count, 0));
}

function reportsJson(desk: TradingDesk, orders: readonly OrderRecord[]) {
  const groups = Map.groupBy(orders, (order) => `${typeOf(order)} ${order.instrument}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return {
      currency: desk.instrument(first.instrument)?.settlement,
      type: typeOf(first),
      instrument_name: first.instrument,
      result: group.map(orderJson),
    };
  });
}

const typeOf = ({ trigger }: OrderRecord) => (trigger === undefined ? 'limit' : 'trigger');
