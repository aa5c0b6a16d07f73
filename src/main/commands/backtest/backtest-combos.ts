// The combos among the legs of a strategy, for a recording: their legs follow from their names, their terms from those of the
// legs.
import type { LegForm } from '../../../core/terms/form.ts';
import { comboInstrument } from '../../../exchange/combos/combo-terms.ts';
import type { RecordedInstrument } from '../../../exchange/market/recorded-symbol.ts';
import { legsOfName, type NameLeg } from '../../../exchange/structures/combo-name.ts';
import { isMultiple, type Price, text } from '../../../values/amounts.ts';
import { must } from '../../../values/assert.ts';
import { isCombo } from '../../../values/instrument.ts';
import { CommandFailure } from '../../command-failure.ts';

/** The legs of each combo, by its name. */
export type RecordedCombos = ReadonlyMap<string, readonly NameLeg[]>;

/** @throws CommandFailure for a combo whose name does not say its legs. */
export function combosOf(
  legs: readonly LegForm[],
  symbolOf: (instrument: string) => string,
): RecordedCombos {
  const combos = new Map<string, readonly NameLeg[]>();
  for (const [index, { instrument, instrumentType }] of legs.entries()) {
    const symbol = symbolOf(instrument);
    const parts = legsOfName(symbol);
    if (parts !== undefined) combos.set(symbol, parts);
    else if (isCombo({ kind: instrumentType }) && symbol === instrument) {
      throw refused(
        `legs[${index}].instrument: ${instrument} is a combo whose name does not say its legs; ` +
          'accepted: a name such as BTC-FS-27MAR26_PERP or BTC-CS-27MAR26-90000_95000, or its legs as legs of the portfolio',
      );
    }
  }
  return combos;
}

interface ComboTerms {
  readonly instruments: readonly RecordedInstrument[];
  /** For people. */
  readonly notes: readonly string[];
}

/**
 * The terms of combos from those of their legs, which are among `recorded`. A combo with a book of its own among them keeps
 * that book. @throws CommandFailure
 */
export function comboTerms(
  combos: RecordedCombos,
  recorded: readonly RecordedInstrument[],
): ComboTerms {
  const known = new Map(recorded.map((each) => [each.instrument.name as string, each]));
  const notes: string[] = [];
  const instruments = [...combos].map(([name, parts]): RecordedInstrument => {
    const own = known.get(name);
    const described = termsOf(name, parts, known);
    if (own === undefined) {
      notes.push(
        `${name}: its book is not recorded and follows from those of ${parts.map(({ instrument }) => instrument).join(', ')}: ` +
          'prices that add up, for as much as each leg shows; orders of the combo take nothing from the books of its legs',
      );
    }
    return own === undefined
      ? { ...described, isImplied: true }
      : { ...described, assumedLots: own.assumedLots };
  });
  return { instruments, notes };
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
