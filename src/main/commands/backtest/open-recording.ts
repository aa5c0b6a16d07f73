// Opens the recordings that a backtest runs on: which files, what they cover, and the terms of their instruments. Opened once,
// they serve any number of runs.
import { DamagedBlocks } from '../../../adapters/recorded-market/block-file.ts';
import { readCombos } from '../../../adapters/recorded-market/combos-file.ts';
import { type RecordedGap, readGaps } from '../../../adapters/recorded-market/gaps-file.ts';
import { listedSymbols } from '../../../adapters/recorded-market/listed-symbols.ts';
import { type OpenedRows, openRows } from '../../../adapters/recorded-market/open-rows.ts';
import { RecordingFault } from '../../../adapters/recorded-market/recording-fault.ts';
import {
  instrumentsBeside,
  isGrouped,
  type RecordingFile,
} from '../../../adapters/recorded-market/recording-files.ts';
import type { Survey } from '../../../adapters/recorded-market/survey-recordings.ts';
import type { PortfolioForm } from '../../../core/terms/form.ts';
import { type Instant, instant, isoText, latest } from '../../../values/instant.ts';
import { CommandFailure } from '../../command-failure.ts';
import { describeRecorded, type RecordedTerms } from '../../wiring/recorded/recorded-terms.ts';
import { comboTerms } from './backtest-combos.ts';
import type { BacktestSettings } from './backtest-options.ts';
import { chooseRecordings } from './backtest-symbols.ts';

export interface Span {
  readonly from: Instant;
  readonly to: Instant;
}

export interface OpenedRecording {
  readonly settings: BacktestSettings;
  readonly exchange: string;
  readonly files: readonly RecordingFile[];
  /** The file with the terms of the instruments; absent: inferred. */
  readonly instrumentsFile: string | undefined;
  /** Maps instruments of the strategy to recorded symbols. */
  readonly symbols: ReadonlyMap<string, string>;
  /** Those whose rows are read: of a combo its legs too. */
  readonly read: ReadonlySet<string>;
  readonly survey: Survey;
  /** The gaps that the recording itself knows of. */
  readonly gaps: readonly RecordedGap[];
  readonly terms: RecordedTerms;
  /** Covered for all symbols at once, within the bounds requested. */
  readonly span: Span;
  /** From the first row. */
  readonly rows: OpenedRows['rows'];
  /** Why the cache has nothing of it, where there was to be one. */
  readonly cacheTrouble: string | undefined;
}

/** @throws CommandFailure if there is nothing to run on, with the reason. */
export const openRecording = (
  asked: PortfolioForm,
  settings: BacktestSettings,
  onSurvey?: (rows: number) => void,
): Promise<OpenedRecording> => failing(open(asked, settings, onSurvey));

/** Faults of recordings as failures of the command. */
export async function failing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DamagedBlocks) {
      const message = `${error.message}, and was removed; accepted: the same command again`;
      throw new CommandFailure('refused', [message]);
    }
    if (error instanceof RecordingFault) throw new CommandFailure('refused', [error.message]);
    throw error;
  }
}

async function open(
  asked: PortfolioForm,
  settings: BacktestSettings,
  onSurvey: ((rows: number) => void) | undefined,
): Promise<OpenedRecording> {
  const gaps = await readGaps(settings.folder);
  const chosen = chooseRecordings(asked, settings, await readCombos(settings.folder));
  const { exchange, files, symbols, combos, read: wanted } = chosen;
  const { cache } = settings;
  const { survey, rows, trouble } = await openRows(files, {
    symbols: wanted,
    combos: new Set(combos.keys()),
    cache,
    onRows: onSurvey,
  });
  const missing = [...wanted].filter((symbol) => !survey.symbols.has(symbol));
  if (missing.length > 0) {
    throw await notInGroups(missing, files, settings);
  }
  checkSides(survey, files);
  const instrumentsFile = settings.instrumentsFile ?? instrumentsBeside(settings.folder);
  const isCombo = (symbol: string): boolean => combos.has(symbol);
  const known = { ...settings, instrumentsFile, isCombo };
  const described = await describeRecorded(exchange, survey, known);
  const terms = comboTerms(combos, { described, survey, settings: known });
  return {
    settings,
    exchange,
    files,
    instrumentsFile,
    symbols,
    read: wanted,
    survey,
    gaps,
    terms,
    rows,
    span: spanOf(survey, settings),
    cacheTrouble: trouble,
  };
}

const SHOWN_MAX = 12;

/** Files of many symbols may have others. */
async function notInGroups(
  missing: readonly string[],
  files: readonly RecordingFile[],
  { folder }: BacktestSettings,
): Promise<CommandFailure> {
  const { symbols } = await listedSymbols(files.filter(isGrouped), undefined);
  const others = [...symbols.keys()].slice(0, SHOWN_MAX);
  const rest = symbols.size - others.length;
  const more = rest > 0 ? `, and ${rest} more` : '';
  const accepted =
    symbols.size === 0
      ? 'accepted: files with rows below their header'
      : `files of several symbols have ${others.join(', ')}${more}; name one with --map LEG=SYMBOL`;
  return new CommandFailure('refused', [`${folder}: no row of ${missing.join(', ')}; ${accepted}`]);
}

/** Books that are crossed in most of their rows have their sides exchanged. @throws CommandFailure */
function checkSides({ symbols }: Survey, files: readonly RecordingFile[]): void {
  for (const { symbol, crossed, books, crossedUs = 0 } of symbols.values()) {
    if (crossed * 2 <= books) continue;
    const day = isoText(instant(Math.floor(crossedUs / 1_000))).slice(0, 10);
    const file = files.find(
      (one) => one.symbol === symbol && one.date === day && one.type !== 'trades',
    );
    const message =
      `in ${crossed} of ${books} rows of ${symbol} the bid is above the offer, first in that of local_timestamp ${crossedUs}; ` +
      'accepted: bids below offers (are the columns of bids and offers exchanged?)';
    throw new CommandFailure('refused', [
      file === undefined ? message : `${file.path}: ${message}`,
    ]);
  }
}

/**
 * From the first moment every symbol has quotes to the end of the first symbol, within the requested
 * bounds.
 */
function spanOf(survey: Survey, { from, to }: BacktestSettings): Span {
  const symbols = [...survey.symbols.values()];
  const first = Math.max(...symbols.map(({ firstAt }) => firstAt));
  const last = Math.min(...symbols.map(({ lastAt }) => lastAt));
  const span = { from: latest(from, instant(first)), to: instant(Math.min(to, last)) };
  if (span.from < span.to) return span;
  const message = `quotes of all legs at once: from ${isoText(instant(first))} to ${isoText(instant(last))}`;
  throw new CommandFailure('refused', [`nothing to replay; ${message}`]);
}
