// Opens a recording as the market of a paper exchange: it is surveyed in full before anything trades, so that a bad file is
// reported at the start.
import { RecordingFeed } from '../../../adapters/paper/journal/recording-feed.ts';
import { readCombos } from '../../../adapters/recorded-market/combos-file.ts';
import { mergeRecordings } from '../../../adapters/recorded-market/merge-recordings.ts';
import { RecordingFault } from '../../../adapters/recorded-market/recording-fault.ts';
import {
  instrumentsBeside,
  type RecordingFile,
  recordingFiles,
  recordingsOf,
} from '../../../adapters/recorded-market/recording-files.ts';
import {
  type Shift,
  shiftedInstant,
  shiftedRows,
} from '../../../adapters/recorded-market/shifted-rows.ts';
import {
  type Survey,
  surveyRecordings,
} from '../../../adapters/recorded-market/survey-recordings.ts';
import { RecordedMarket } from '../../../exchange/market/recorded-market.ts';
import type { RecordedInstrument } from '../../../exchange/market/recorded-symbol.ts';
import { legsOfName } from '../../../exchange/structures/combo-name.ts';
import type { Clock } from '../../../ports/clock.ts';
import { instant, isoText } from '../../../values/instant.ts';
import type { RecordedMarketSection } from '../../config/sections/market-section.ts';
import { describeRecorded, type RecordedTerms, withoutIndex } from './recorded-terms.ts';
import { recordingStart } from './recording-start.ts';

export { RecordingFault };

export interface RecordedMarketOptions {
  readonly clock: Clock;
  /** Folder with the files of this venue. */
  readonly folder: string;
  /** Called if a recording becomes unreadable. */
  readonly onFault: (error: unknown) => void;
}

/** @throws {@link RecordingFault} for a recording that cannot be replayed. */
export async function openRecorded(
  section: RecordedMarketSection,
  { clock, folder, onFault }: RecordedMarketOptions,
): Promise<{ readonly market: () => RecordedMarket; close(): Promise<void> }> {
  const files = chosenFiles(section);
  const exchange = files[0]?.exchange ?? '';
  const wanted = section.symbols && new Set(section.symbols);
  const isCombo = await comboTest(section);
  const isWanted = (symbol: string): boolean => !isCombo(symbol) && (wanted?.has(symbol) ?? true);
  const survey = quoted(await surveyRecordings(files, { isWanted }), section);
  const span = spanOf(survey, section);
  const identity = `of ${exchange} from ${isoText(span.from)} to ${isoText(span.to)}`;
  const described = await describeRecorded(exchange, survey, {
    instrumentsFile: section.instruments ?? instrumentsBeside(section.folder),
  });
  requireIndexes(described, survey, section);
  const now = clock.now();
  const startAt = recordingStart(folder, identity, now);
  const { speed } = section;
  const shift: Shift = { ...span, startAt, speed, loops: section.atEnd === 'loop' };
  const holeMs = section.maxGapSec * 1_000;
  const instruments = described.instruments.map((each) => expiringLater(each, shift));
  const market = new RecordedMarket({ instruments, holeMs });
  const isKnown = (symbol: string): boolean => survey.symbols.has(symbol);
  const open = () => mergeRecordings(files, { isWanted: isKnown });
  const rows = shiftedRows(open, shift, now);
  const feed = await RecordingFeed.open({ clock, market, rows, onFault });
  return { market: () => market, close: () => feed.close() };
}

/** The exchange has combos of its own, which its accounts create: recorded ones are left out. @throws RecordingFault */
async function comboTest({
  folder,
  symbols = [],
}: RecordedMarketSection): Promise<(symbol: string) => boolean> {
  const written = await readCombos(folder);
  const isCombo = (symbol: string): boolean =>
    written.has(symbol) || legsOfName(symbol) !== undefined;
  const combo = symbols.find(isCombo);
  if (combo === undefined) return isCombo;
  const message = `${combo} is a combo; accepted as symbols: its legs, of which accounts create combos`;
  throw new RecordingFault(folder, undefined, message);
}

function chosenFiles({
  folder,
  exchange,
  symbols,
}: RecordedMarketSection): readonly RecordingFile[] {
  const all = recordingFiles(folder).filter(
    (file) => exchange === undefined || file.exchange === exchange,
  );
  const exchanges = [...new Set(all.map((file) => file.exchange))];
  if (exchanges.length !== 1) {
    const found = exchanges.length === 0 ? 'no recording' : `recordings of ${exchanges.join(', ')}`;
    const accepted =
      exchanges.length === 0 ? 'files as tardis.dev names them' : 'say which by exchange';
    const of = exchange === undefined ? '' : ` of ${exchange}`;
    throw new RecordingFault(folder, undefined, `holds ${found}${of}; accepted: ${accepted}`);
  }
  return recordingsOf(all, symbols && new Set(symbols));
}

/** Leaves out symbols that have only trades; requested symbols must have quotes. */
function quoted(survey: Survey, { folder, symbols = [] }: RecordedMarketSection): Survey {
  const known = [...survey.symbols].filter(([, { books }]) => books > 0);
  const names = new Set(known.map(([name]) => name));
  const missing = symbols.filter((symbol) => !names.has(symbol));
  if (missing.length === 0 && known.length > 0) return { ...survey, symbols: new Map(known) };
  const shown = [...names].slice(0, 12).join(', ') || 'none';
  const what = missing.length > 0 ? ` of ${missing.join(', ')}` : '';
  throw new RecordingFault(folder, undefined, `has no quotes${what}; quoted are ${shown}`);
}

/** Accounts are valued, and options settled, at an index. @throws RecordingFault */
function requireIndexes(
  terms: RecordedTerms,
  survey: Survey,
  { folder }: RecordedMarketSection,
): void {
  const blind = withoutIndex(terms, survey);
  if (blind.length === 0) return;
  const message = `has no index price of ${blind.slice(0, 12).join(', ')}; accepted: options with underlying_price, in a file of type options_chain`;
  throw new RecordingFault(folder, undefined, message);
}

/** From the first moment every symbol has quotes to the end of the first symbol. */
function spanOf(survey: Survey, { folder }: RecordedMarketSection): Pick<Shift, 'from' | 'to'> {
  const symbols = [...survey.symbols.values()];
  const from = instant(Math.max(...symbols.map(({ firstAt }) => firstAt)));
  const to = instant(Math.min(...symbols.map(({ lastAt }) => lastAt)));
  if (from < to) return { from, to };
  const message = `has no time at which all its symbols are quoted (${isoText(from)} to ${isoText(to)}); accepted: fewer symbols`;
  throw new RecordingFault(folder, undefined, message);
}

/** An instrument that expired in the recording expires after the same time here. */
function expiringLater(each: RecordedInstrument, shift: Shift): RecordedInstrument {
  const { expiresAt } = each.instrument;
  if (expiresAt === undefined) return each;
  const moved = shiftedInstant(expiresAt, shift);
  return { ...each, instrument: { ...each.instrument, expiresAt: moved } };
}
