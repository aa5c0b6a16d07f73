// Combos: structures of futures or options that trade as one instrument, listed and created.

import { z } from 'zod';
import type { Combo } from '../../../ports/combo-desk.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { quantityField, textField } from '../../wire/field-kinds.ts';
import { list, mapped, optional, record } from '../../wire/fields.ts';
import { comboLegSchema, comboLegsView } from '../market/instrument-view.ts';
import { accountMethod, answered, done, type Method, publicMethod } from '../method.ts';
import { currencyField, instrumentField } from '../param-fields.ts';
import { notFound } from '../refusals.ts';
import { instant, text, whole } from '../result-fields.ts';
import { sideField } from '../rfq-parts.ts';
import { COMBO_LEGS_MAX, comboStateField, combosWithin, readCombos } from './find-combos.ts';

const comboSchema = z
  .object({
    id: text('Name of the combo, which is also its instrument name'),
    instrumentId: whole("The venue's number of the combo"),
    state: z.enum(['active', 'inactive']).describe('An inactive combo takes no orders'),
    stateTimestamp: instant('When it got into its state'),
    creationTimestamp: instant('Created'),
    legs: z.array(comboLegSchema).describe('From the side that buying the combo takes'),
  })
  .describe('A combo');

const comboView = (combo: Combo): z.infer<typeof comboSchema> => ({
  id: combo.instrument.name,
  instrumentId: combo.number,
  state: combo.state,
  stateTimestamp: combo.changedAt,
  creationTimestamp: combo.createdAt,
  legs: comboLegsView(combo.instrument) ?? [],
});

const combos = publicMethod({
  row: ROWS.getCombos,
  summary: 'Combos of a settlement currency',
  params: { currency: currencyField },
  result: z.array(comboSchema),
  example: { currency: 'BTC' },
  run: (call, { currency }) =>
    readCombos(call, (all) => done(combosWithin(all, currency).map(comboView))),
});

const comboIds = publicMethod({
  row: ROWS.getComboIds,
  summary: 'Names of the combos of a settlement currency',
  params: {
    currency: currencyField,
    state: comboStateField,
  },
  result: z.array(text('Name')),
  example: { currency: 'BTC', state: 'active' },
  run: (call, { currency, state }) =>
    readCombos(call, (all) =>
      done(combosWithin(all, { ...currency, state }).map(({ instrument }) => instrument.name)),
    ),
});

const comboDetails = publicMethod({
  row: ROWS.getComboDetails,
  summary: 'One combo',
  params: { comboId: textField({ max: 64, description: 'Name of the combo' }) },
  result: comboSchema,
  example: { comboId: 'BTC-FS-25DEC26_PERP' },
  run: (call, { comboId }) =>
    readCombos(call, (all) => {
      const found = all.find(({ instrument }) => instrument.name === comboId);
      return found === undefined
        ? notFound('comboId', 'is not known; accepted: an id of public/get_combos')
        : done(comboView(found));
    }),
});

const trade = mapped(
  record(
    {
      instrumentName: instrumentField,
      quantity: optional(
        quantityField({ description: 'Size of the leg; one contract when absent' }),
      ),
      side: sideField('Side of the leg'),
    },
    'A leg of the combo',
  ),
  ({ instrumentName: instrument, ...rest }) => ({ ...rest, instrument }),
);

const createCombo = accountMethod({
  row: ROWS.createCombo,
  summary: 'Create the combo of these legs; one that exists already is returned',
  params: {
    trades: list(trade, {
      min: 1,
      max: COMBO_LEGS_MAX,
      description: 'Two to four futures or options; only the relation of their sizes matters',
      of: 'legs',
    }),
  },
  result: comboSchema,
  example: {
    trades: [
      { instrumentName: 'BTC-25DEC26', quantity: '10', side: 'buy' },
      { instrumentName: 'BTC-PERPETUAL', quantity: '10', side: 'sell' },
    ],
  },
  run: ({ account, orders }, { trades }) =>
    answered(orders.createCombo({ account, trades }), comboView),
});

export const COMBO_METHODS = [
  combos,
  comboIds,
  comboDetails,
  createCombo,
] as const satisfies readonly Method[];
