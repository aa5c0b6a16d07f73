// The recorded instruments with their terms, from a file or inferred, and the size assumed if the recording
// has none.
import type { DescribedInstrument } from '../../adapters/recorded-market/described-instrument.ts';
import { inferInstrument } from '../../adapters/recorded-market/infer-instrument.ts';
import { readInstruments } from '../../adapters/recorded-market/instruments-file.ts';
import type { Survey, SymbolSurvey } from '../../adapters/recorded-market/survey-recordings.ts';
import type { RecordedInstrument } from '../../exchange/market/recorded-symbol.ts';
import { quantity, ratio, stepsIn, toNumber } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';
import { CommandFailure } from '../command-failure.ts';

export interface RecordedTerms {
  readonly instruments: readonly RecordedInstrument[];
  /** What was inferred or assumed, for people. */
  readonly notes: readonly string[];
}

/** If only prices were recorded, this much is assumed at each; a round figure, not a measurement. */
const ASSUMED_USD = 50_000;
/** The same for options, in coins. */
const ASSUMED_COINS = 10;

export interface TermsSettings {
  readonly instrumentsFile?: string | undefined;
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
  const { instrumentsFile, fees } = settings;
  const written =
    instrumentsFile === undefined ? undefined : await readInstruments(instrumentsFile);
  const notes: string[] = [];
  const instruments: RecordedInstrument[] = [];
  for (const seen of survey.symbols.values()) {
    if (seen.books === 0) throw new CommandFailure('refused', [`${seen.symbol} has no quotes`]);
    const described = written?.get(`${exchange} ${seen.symbol}`) ?? inferInstrument(exchange, seen);
    const { recordedStep } = described;
    const instrument = withFees(described.instrument, fees);
    notes.push(...notesOf(described, seen, fees !== undefined));
    const assumedLots = seen.hasSizes ? 1 : assumed(described, seen, settings, notes);
    instruments.push({ instrument, recordedStep, assumedLots });
  }
  return { instruments, notes };
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
  if (seen.trades > 0) return kept;
  return [
    ...kept,
    `${seen.symbol}: no trades are recorded, so resting orders fill only where quotes cross them`,
  ];
}

function assumed(
  { instrument, recordedStep }: DescribedInstrument,
  seen: SymbolSurvey,
  { assumeSize }: TermsSettings,
  notes: string[],
): number {
  const isOption = instrument.kind === 'option';
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
