// The combos among the legs of a strategy, for a recording: their legs are those of `combos.csv` next to it, or follow from their
// names; their terms follow from those of the legs, and their grid from their own book where one is recorded.
import type { Survey } from '../../../adapters/recorded-market/survey-recordings.ts';
import type { LegForm } from '../../../core/terms/form.ts';
import { comboInstrument } from '../../../exchange/combos/combo-terms.ts';
import type { RecordedInstrument } from '../../../exchange/market/recorded-symbol.ts';
import { legsOfName, type NameLeg } from '../../../exchange/structures/combo-name.ts';
import { gcdOf } from '../../../exchange/structures/structure-leg.ts';
import { isMultiple, type Price, price, text } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import { isCombo } from '../../../values/instrument.ts';
import { CommandFailure } from '../../command-failure.ts';
import {
  assumedLotsOf,
  type RecordedCombo,
  type RecordedTerms,
  type TermsSettings,
  tapeNotes,
} from '../../wiring/recorded/recorded-terms.ts';

/** The legs of each combo, by its name. */
export type RecordedCombos = ReadonlyMap<string, readonly NameLeg[]>;

/** `written` are those whose legs were recorded. @throws CommandFailure for a combo whose legs are not known. */
export function combosOf(
  legs: readonly LegForm[],
  symbolOf: (instrument: string) => string,
  written: RecordedCombos,
): RecordedCombos {
  const combos = new Map<string, readonly NameLeg[]>();
  for (const [index, { instrument, instrumentType }] of legs.entries()) {
    const symbol = symbolOf(instrument);
    const parts = written.get(symbol) ?? legsOfName(symbol);
    if (parts !== undefined) combos.set(symbol, checked(symbol, parts));
    else if (isCombo({ kind: instrumentType }) && symbol === instrument) {
      throw refused(
        `legs[${index}].instrument: ${instrument} is a combo whose name does not say its legs, and nor does combos.csv of the recording; ` +
          'accepted: a name such as BTC-FS-27MAR26_PERP or BTC-CS-27MAR26-90000_95000, a combo that twapd record recorded, ' +
          'or its legs as legs of the portfolio',
      );
    }
  }
  return combos;
}

/** Leg prices add up to every price of the combo, as the exchange demands of a new one. @throws CommandFailure */
function checked(name: string, legs: readonly NameLeg[]): readonly NameLeg[] {
  const ratios = legs.map(({ ratio }) => ratio);
  const hasSingle = ratios.some((ratio) => Math.abs(ratio) === 1);
  const isSpread = ratios.length === 2 && (ratios[0] ?? 0) * (ratios[1] ?? 0) < 0;
  if (legs.length > 1 && gcdOf(ratios.map(Math.abs)) === 1 && (hasSingle || isSpread)) return legs;
  throw refused(
    `${name}: combos.csv says the ratios ${ratios.join(', ')}; accepted: two or more legs in lowest terms, one of them with a ratio of 1 or -1`,
  );
}

interface Recorded {
  readonly described: RecordedTerms;
  readonly survey: Survey;
  readonly settings: TermsSettings;
}

/**
 * The terms of what is `described`, and of combos from those of their legs, which come before them. A combo with a book of its
 * own keeps that book. @throws CommandFailure
 */
export function comboTerms(
  combos: RecordedCombos,
  { described, survey, settings }: Recorded,
): RecordedTerms {
  const known = new Map(described.instruments.map((each) => [`${each.instrument.name}`, each]));
  const notes = [...described.notes];
  const instruments = [...combos].map(([name, parts]): RecordedInstrument => {
    const own = described.combos.get(name);
    const names = parts.map(({ instrument }) => instrument).join(', ');
    if (own === undefined) {
      notes.push(
        `${name}: its book is not recorded and follows from those of ${names}: ` +
          'prices that add up, for as much as each leg shows; orders of the combo take nothing from the books of its legs',
      );
      return { ...termsOf(name, parts, known), isImplied: true };
    }
    notes.push(
      `${name}: its own recorded book is used; its mark price and price limits follow from those of ${names}`,
      ...tapeNotes(own.seen),
    );
    const terms = onOwnGrid(termsOf(name, parts, known), own);
    const { price: legPrice } = survey.symbols.get(parts[0]?.instrument ?? '') ?? {};
    // The price of a combo may be zero or below: sizes that are worth something are taken from the price of a leg.
    const seen = { ...own.seen, price: legPrice };
    return { ...terms, assumedLots: assumedLotsOf(terms, seen, settings, notes) };
  });
  return { ...described, instruments: [...described.instruments, ...instruments], notes };
}

/** The grid that an instruments file says, or one that has every recorded price. */
function onOwnGrid(
  terms: RecordedInstrument,
  { seen, written }: RecordedCombo,
): RecordedInstrument {
  const { instrument } = terms;
  if (written !== undefined) {
    const { contractSize, amountStep, minAmount, tickSize } = written.instrument;
    const grid = { contractSize, amountStep, minAmount, tickSize };
    return { ...terms, instrument: { ...instrument, ...grid }, recordedStep: written.recordedStep };
  }
  const tickSize = commonStep(instrument.tickSize, price(seen.tick ?? text(instrument.tickSize)));
  return { ...terms, instrument: { ...instrument, tickSize } };
}

function termsOf(
  name: string,
  parts: readonly NameLeg[],
  known: ReadonlyMap<string, RecordedInstrument>,
): RecordedInstrument {
  const legs = parts.map(({ instrument, ratio }) => ({
    of: must(known.get(instrument), () => `${instrument} is recorded`).instrument,
    ratio,
  }));
  const terms = comboInstrument(name, legs);
  const { amountStep } = terms;
  const ticks = legs.map(({ of }) => of.tickSize);
  const tickSize = ticks.reduce(commonStep, terms.tickSize);
  const uneven = legs.find(({ of }) => !isMultiple(amountStep, of.amountStep));
  if (uneven !== undefined) {
    throw refused(
      `${name}: ${text(amountStep)} is the lot of one leg and no multiple of the lot ${text(uneven.of.amountStep)} of ${uneven.of.name}; ` +
        'accepted: lots of which one is a multiple of the others, such as those of an instruments file (--instruments)',
    );
  }
  return { instrument: { ...terms, tickSize }, recordedStep: amountStep, assumedLots: 1 };
}

/** The greatest step of which both are multiples. */
function commonStep(a: Price, b: Price): Price {
  return b.isZero() ? a : commonStep(b, a.mod(b) as Price);
}

const refused = (what: string): CommandFailure => new CommandFailure('refused', [what]);
