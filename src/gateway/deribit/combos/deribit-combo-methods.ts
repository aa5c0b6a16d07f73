// Combos on Deribit's wire: listed and created. Orders, books and trades of a combo are those of an instrument.
//
// Decisions: `legs` are from the side that buying the combo takes, whichever side was requested; a leg without
// `amount` is one contract; a combo that is not known is refused with 13020. `get_leg_prices` takes any legs that a Block RFQ
// may have, and its price is on the grid of block trades.

import { comboJson, legPricesJson } from '../../../ports/deribit-wire/wire-combo-rows.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import {
  COMBO_LEGS_MAX,
  comboStateField,
  combosWithin,
  readCombos,
} from '../../order-api/combos/find-combos.ts';
import { answered, done } from '../../order-api/method.ts';
import { notFound } from '../../order-api/refusals.ts';
import { textField } from '../../wire/field-kinds.ts';
import { mapped, optional } from '../../wire/fields.ts';
import {
  changeMethod,
  type DeribitMethod,
  privateMethod,
  publicMethod,
} from '../method/deribit-method.ts';
import { amountParam, priceParam } from '../method/deribit-params.ts';
import { currencyParam, directionParam, instrumentParam } from '../method/instrument-params.ts';
import { listParam, objectParam } from '../method/nested-params.ts';

const combos = publicMethod({
  row: ROWS.getCombos,
  params: { currency: currencyParam },
  run: (call, { currency }) =>
    readCombos(call, (all) => done(combosWithin(all, currency).map(comboJson))),
});

const comboIds = publicMethod({
  row: ROWS.getComboIds,
  params: { currency: currencyParam, state: comboStateField },
  run: (call, { currency, state }) =>
    readCombos(call, (all) =>
      done(combosWithin(all, { ...currency, state }).map(({ instrument }) => instrument.name)),
    ),
});

const comboDetails = publicMethod({
  row: ROWS.getComboDetails,
  params: { combo_id: textField({ max: 64, description: 'Name of the combo' }) },
  run: (call, { combo_id: id }) =>
    readCombos(call, (all) => {
      const found = all.find(({ instrument }) => instrument.name === id);
      return found === undefined
        ? notFound('combo_id', 'is not known; accepted: an id of public/get_combos')
        : done(comboJson(found));
    }),
});

const trade = mapped(
  objectParam(
    {
      instrument_name: instrumentParam,
      amount: optional(amountParam({ description: 'Size of the leg; one contract when absent' })),
      direction: directionParam,
    },
    'A leg',
  ),
  ({ instrument_name: instrument, amount: quantity, direction: side }) => ({
    instrument,
    quantity,
    side,
  }),
);

const legPrices = privateMethod({
  row: ROWS.getLegPrices,
  params: {
    legs: listParam(trade, {
      min: 1,
      max: COMBO_LEGS_MAX,
      description: 'The legs of a structure',
      of: 'legs',
    }),
    price: priceParam({ description: 'Price of the structure' }),
  },
  run: ({ account, orders }, { legs, price }) =>
    answered(orders.legPrices({ account, legs, price }), legPricesJson),
});

const createCombo = changeMethod({
  row: ROWS.createCombo,
  params: {
    trades: listParam(trade, {
      min: 1,
      max: COMBO_LEGS_MAX,
      description: 'Two to four futures or options; only the relation of their amounts matters',
      of: 'legs',
    }),
  },
  about: ({ trades: [first] }) => ({ instrument: first?.instrument }),
  run: ({ account, orders }, { trades }) =>
    answered(orders.createCombo({ account, trades }), comboJson),
});

export const DERIBIT_COMBO_METHODS: readonly DeribitMethod[] = [
  combos,
  comboIds,
  comboDetails,
  createCombo,
  legPrices,
];
