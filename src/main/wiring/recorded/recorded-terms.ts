// The recorded instruments with their terms, from a file or inferred, and the size assumed if the recording
// has none.
import type { DescribedInstrument } from '../../../adapters/recorded-market/described-instrument.ts';
import { inferInstrument } from '../../../adapters/recorded-market/infer-instrument.ts';
import { readInstruments } from '../../../adapters/recorded-market/instruments-file.ts';
import type { Survey, SymbolSurvey } from '../../../adapters/recorded-market/survey-recordings.ts';
import type { RecordedInstrument } from '../../../exchange/market/recorded-symbol.ts';
import { quantity, ratio, stepsIn, toNumber } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { CommandFailure } from '../../command-failure.ts';

export interface RecordedTerms {
  readonly instruments: readonly RecordedInstrument[];
  /** The combos with a book of their own, by symbol: their terms follow from those of their legs. */
  readonly combos: ReadonlyMap<string, RecordedCombo>;
  /** What was inferred or assumed, for people. */
  readonly notes: readonly string[];
}

export interface RecordedCombo {
  readonly seen: SymbolSurvey;
  /** As the instruments file has it. */
  readonly written: DescribedInstrument | undefined;
}

/** If only prices were recorded, this much is assumed at each; a round figure, not a measurement. */
const ASSUMED_USD = 50_000;
/** The same for options, in coins. */
const ASSUMED_COINS = 10;

export interface TermsSettings {
  readonly instrumentsFile?: string | undefined;
  /** Whether a symbol is a combo. Default: none is one. */
  readonly isCombo?: ((symbol: string) => boolean) | undefined;
  /** Fractions of the value, which replace those of the instruments. */
  readonly fees?: { readonly maker: string; readonly taker: string } | undefined;
  /** In the instrument's unit, at each price recorded without a size. */
  readonly assumeSize?: string | undefined;
}

export async function describeRecorded(
  exchange: string,
  survey: Survey,
  settings: TermsSettings,
): Promise<RecordedTerms> {
  const { instrumentsFile, fees, isCombo } = settings;
  const written =
    instrumentsFile === undefined ? undefined : await readInstruments(instrumentsFile);
  const notes: string[] = [];
  const instruments: RecordedInstrument[] = [];
  const combos = new Map<string, RecordedCombo>();
  for (const seen of survey.symbols.values()) {
    if (seen.books === 0) throw new CommandFailure('refused', [`${seen.symbol} has no quotes`]);
    const known = written?.get(`${exchange} ${seen.symbol}`);
    if (isCombo?.(seen.symbol) === true) {
      combos.set(seen.symbol, { seen, written: known });
      continue;
    }
    const described = known ?? inferInstrument(exchange, seen);
    const { recordedStep } = described;
    const instrument = withFees(described.instrument, fees);
    notes.push(...notesOf(described, seen, fees !== undefined));
    notes.push(...indexNotes(instrument, seen));
    const assumedLots = assumedLotsOf(described, seen, settings, notes);
    instruments.push({ instrument, recordedStep, assumedLots });
  }
  return { instruments, combos, notes };
}

function withFees(instrument: Instrument, fees: TermsSettings['fees']): Instrument {
  if (fees === undefined) return instrument;
  return { ...instrument, makerFee: ratio(fees.maker), takerFee: ratio(fees.taker) };
}

function notesOf(
  described: DescribedInstrument,
  seen: SymbolSurvey,
  areFeesGiven: boolean,
): readonly string[] {
  const kept = described.notes.filter((note) => !areFeesGiven || !note.includes(': fees '));
  return [...kept, ...tapeNotes(seen)];
}

/** The premium of an option tells nothing of its index. */
const isWithoutIndex = (
  { kind }: Pick<Instrument, 'kind'>,
  { hasIndex }: Pick<SymbolSurvey, 'hasIndex'>,
): boolean => kind === 'option' && !hasIndex;

/** The options whose index is not recorded. */
export const withoutIndex = (
  { instruments }: Pick<RecordedTerms, 'instruments'>,
  { symbols }: Survey,
): readonly string[] =>
  instruments.flatMap(({ instrument }) => {
    const seen = symbols.get(instrument.name);
    return seen !== undefined && isWithoutIndex(instrument, seen) ? [instrument.name] : [];
  });

const indexNotes = (instrument: Instrument, seen: SymbolSurvey): readonly string[] =>
  isWithoutIndex(instrument, seen)
    ? [
        `${instrument.name}: no index and no underlying_price is recorded: values in USD are unknown, and it expires unsettled`,
      ]
    : [];

export const tapeNotes = ({ symbol, trades }: SymbolSurvey): readonly string[] =>
  trades > 0
    ? []
    : [`${symbol}: no trades are recorded, so resting orders fill only where quotes cross them`];

/** What is assumed at a price without a size, with a note; 1 if all have sizes. */
export function assumedLotsOf(
  { instrument, recordedStep }: Pick<DescribedInstrument, 'instrument' | 'recordedStep'>,
  seen: SymbolSurvey,
  { assumeSize }: TermsSettings,
  notes: string[],
): number {
  if (seen.hasSizes) return 1;
  const isOption = instrument.kind === 'option' || instrument.kind === 'option_combo';
  const perUsd = instrument.amountUnit === 'usd' ? 1 : 1 / Number(seen.price ?? '1');
  const units = isOption ? ASSUMED_COINS : ASSUMED_USD * perUsd;
  const lots =
    assumeSize === undefined
      ? Math.max(1, Math.round(units / toNumber(instrument.amountStep)))
      : Math.max(1, stepsIn(quantity(assumeSize), recordedStep));
  const byDefault = isOption
    ? `${ASSUMED_COINS} ${instrument.base}`
    : `the worth of ${ASSUMED_USD} USD`;
  const shown = assumeSize ?? byDefault;
  notes.push(
    `${seen.symbol}: no sizes are recorded; ${shown} is assumed at each price of each row`,
  );
  return lots;
}
