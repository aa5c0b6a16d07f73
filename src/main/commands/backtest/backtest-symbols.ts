// Chooses the recording for each leg of a strategy: by equal name, or by the mapping given.

import {
  isGrouped,
  mayHave,
  RECORDING_TYPES,
  type RecordingFile,
  recordingFiles,
  recordingsOf,
} from '../../../adapters/recorded-market/recording-files.ts';
import type { PortfolioForm } from '../../../core/terms/form.ts';
import { DAY_MS } from '../../../values/instant.ts';
import { CommandFailure } from '../../command-failure.ts';
import { combosOf, type RecordedCombos } from './backtest-combos.ts';
import type { BacktestSettings } from './backtest-options.ts';

export interface ChosenRecordings {
  readonly exchange: string;
  readonly files: readonly RecordingFile[];
  /** Maps instruments of the strategy to recorded symbols; one entry per instrument. */
  readonly symbols: ReadonlyMap<string, string>;
  /** Those among the symbols that are combos. */
  readonly combos: RecordedCombos;
  /** The symbols whose rows are read: of a combo its legs, and its own where they are recorded. */
  readonly read: ReadonlySet<string>;
}

const SHOWN_MAX = 12;

export function chooseRecordings(
  form: PortfolioForm,
  settings: BacktestSettings,
  written: RecordedCombos,
): ChosenRecordings {
  const found = recordingFiles(settings.folder);
  const all = found.filter((file) => isInDays(file, settings));
  if (all.length === 0) throw refused(settings, nothingOf(found));
  const symbols = new Map(
    form.legs.map(({ instrument }) => [instrument, symbolOf(instrument, settings)]),
  );
  const combos = combosOf(form.legs, (instrument) => symbolOf(instrument, settings), written);
  const wanted = new Set(
    [...symbols.values()].flatMap((symbol) => {
      const legs = combos.get(symbol);
      return legs === undefined ? [symbol] : legs.map(({ instrument }) => instrument);
    }),
  );
  const exchange = chooseExchange(all, wanted, settings);
  const ofExchange = all.filter((file) => file.exchange === exchange);
  const withBook = [...combos.keys()].filter((combo) =>
    ofExchange.some(({ symbol, type }) => symbol === combo && type !== 'trades'),
  );
  const read = new Set([...wanted, ...withBook]);
  return { exchange, files: recordingsOf(ofExchange, read), symbols, combos, read };
}

/** Why none of the recordings is used; they are sorted by date. */
function nothingOf(found: readonly RecordingFile[]): string {
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) {
    return (
      'holds no recording; accepted: a folder with files named ' +
      '<exchange>_<type>_<YYYY-MM-DD>_<SYMBOL>.csv or .csv.gz, of the types ' +
      RECORDING_TYPES.join(', ')
    );
  }
  return `holds no recording of that time; recorded are days from ${first.date} to ${last.date}`;
}

const symbolOf = (instrument: string, { map, symbol }: BacktestSettings): string =>
  map.get(instrument) ?? symbol ?? instrument;

export function isInDays(
  { date }: RecordingFile,
  { from, to }: Pick<BacktestSettings, 'from' | 'to'>,
): boolean {
  const day = Date.parse(`${date}T00:00:00Z`);
  return day + DAY_MS > from && day <= to;
}

function chooseExchange(
  files: readonly RecordingFile[],
  wanted: ReadonlySet<string>,
  settings: BacktestSettings,
): string {
  const isThere = (exchange: string, symbol: string): boolean =>
    files.some(
      (file) => file.exchange === exchange && file.type !== 'trades' && mayHave(file, symbol),
    );
  const exchanges = [...new Set(files.map(({ exchange }) => exchange))]
    .filter((exchange) => settings.exchange === undefined || exchange === settings.exchange)
    .filter((exchange) => [...wanted].every((symbol) => isThere(exchange, symbol)));
  const [only, ...others] = exchanges;
  if (only === undefined) throw notRecorded(files, wanted, settings);
  if (others.length === 0) return only;
  const message = `${[...wanted].join(', ')} is recorded on ${exchanges.join(' and ')}; say which with --exchange`;
  throw new CommandFailure('refused', [`${settings.folder}: ${message}`]);
}

function notRecorded(
  files: readonly RecordingFile[],
  wanted: ReadonlySet<string>,
  settings: BacktestSettings,
): CommandFailure {
  const own = files.filter((file) => !isGrouped(file));
  const known = [...new Set(own.map(({ exchange, symbol }) => `${exchange} ${symbol}`))];
  const more = known.length > SHOWN_MAX ? `, and ${known.length - SHOWN_MAX} more` : '';
  const where = settings.exchange === undefined ? '' : ` on ${settings.exchange}`;
  return refused(
    settings,
    `has no quotes of ${[...wanted].join(', ')}${where}; recorded are ` +
      `${known.slice(0, SHOWN_MAX).join(', ')}${more}; name one with --map LEG=SYMBOL`,
  );
}

const refused = ({ folder }: BacktestSettings, what: string): CommandFailure =>
  new CommandFailure('refused', [`${folder}: ${what}`]);
