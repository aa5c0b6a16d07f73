// A combo on Deribit's wire, which lists combos apart from the instruments, and the prices of the legs of a structure.
//
// Decisions: `instrument_id` is the one of `public/get_instrument`; `legs` are from the side that buying the combo takes, and a
// negative `amount` is a leg that is sold. A combo in an unknown state is read as active: whether an order in it is taken is the
// venue's to say.
import type { InstrumentName } from '../../values/ids.ts';
import type { ComboLeg } from '../../values/instrument.ts';
import type { Combo, LegPrices } from '../combo-desk.ts';
import { PRICED_LEGS } from './block-rfq-rows.ts';
import { INSTANT, INSTRUMENT, QUANTITY, WHOLE, wordOf } from './field-forms.ts';
import type { Fields } from './message-fields.ts';
import { type JsonObject, listOf, recordTable } from './record-table.ts';
import { numberOfName } from './wire-instrument-rows.ts';

/** A combo as it is listed, without the terms of its instrument. */
export interface ListedCombo extends Omit<Combo, 'instrument'> {
  readonly name: InstrumentName;
  readonly legs: readonly ComboLeg[];
}

const leg = recordTable<ComboLeg>();
const LEGS = listOf([
  leg.field('instrument_name', 'instrument', INSTRUMENT),
  leg.field('amount', 'ratio', WHOLE),
]);

const combo = recordTable<ListedCombo, undefined>();
const COMBO_ROWS = [
  combo.field('id', 'name', INSTRUMENT),
  combo.field('instrument_id', 'number', {
    write: (_, { name }) => numberOfName(name),
    read: (of, name) => of.wholeIf(name) ?? 0,
  }),
  combo.field('state', 'state', wordOf(['active', 'inactive'] as const, 'active')),
  combo.field('state_timestamp', 'changedAt', {
    read: (of, name) => of.instantIf(name) ?? of.instant('creation_timestamp'),
  }),
  combo.field('creation_timestamp', 'createdAt', INSTANT),
  combo.field('legs', 'legs', LEGS),
];

const writeCombo = combo.writer(COMBO_ROWS);
const readCombo = combo.reader(COMBO_ROWS);

export const comboJson = ({ instrument, ...listed }: Combo): JsonObject =>
  writeCombo({ ...listed, name: instrument.name, legs: instrument.legs ?? [] }, undefined);

/** `undefined` for what is no combo of several legs. @throws MalformedMessage */
export function comboIn(of: Fields): ListedCombo | undefined {
  const read = readCombo(of, undefined);
  return isCombo(read.legs) ? read : undefined;
}

/** `undefined` for what is no combo of several legs. @throws MalformedMessage */
export function comboLegsIn(of: Fields): readonly ComboLeg[] | undefined {
  const legs = LEGS.read(of, 'legs', undefined);
  return isCombo(legs) ? legs : undefined;
}

const isCombo = (legs: readonly ComboLeg[]): boolean =>
  legs.length >= 2 && legs.every(({ ratio }) => ratio !== 0);

const structure = recordTable<LegPrices, undefined>();
const STRUCTURE_ROWS = [
  structure.field('amount', 'quantity', QUANTITY),
  structure.field('legs', 'legs', PRICED_LEGS),
];
const writeStructure = structure.writer(STRUCTURE_ROWS);
const readStructure = structure.reader(STRUCTURE_ROWS);

export const legPricesJson = (prices: LegPrices): JsonObject => writeStructure(prices, undefined);

/** @throws MalformedMessage */
export const legPricesIn = (of: Fields): LegPrices => readStructure(of, undefined);
