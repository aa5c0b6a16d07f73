// Instruments that a strategy chooses, chosen as a daemon does from what the recording lists when the portfolio starts.
import { inferInstrument } from '../../../adapters/recorded-market/infer-instrument.ts';
import { readInstruments } from '../../../adapters/recorded-market/instruments-file.ts';
import {
  listedSymbols,
  type RecordedListing,
} from '../../../adapters/recorded-market/listed-symbols.ts';
import {
  instrumentsBeside,
  type RecordingFile,
  recordingFiles,
  recordingsOf,
} from '../../../adapters/recorded-market/recording-files.ts';
import { withNames } from '../../../core/terms/chosen-names.ts';
import type { PortfolioForm } from '../../../core/terms/form.ts';
import { isChoice, type Market } from '../../../core/terms/instrument-choice.ts';
import { type Price, price } from '../../../values/amounts.ts';
import { type Instant, isoText } from '../../../values/instant.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { BacktestSettings } from './backtest-options.ts';
import { isInDays } from './backtest-symbols.ts';
import { failing } from './open-recording.ts';

interface ChosenForm {
  readonly form: PortfolioForm;
  /** Which instruments were chosen, and when. */
  readonly notes: readonly string[];
}

/** Legs with `--map` or `--symbol` are left as they are. @throws CommandFailure if nothing meets a choice */
export async function withRecordedNames(
  asked: PortfolioForm,
  settings: BacktestSettings,
): Promise<ChosenForm> {
  const isOpen = ({ instrument }: { readonly instrument: string }): boolean =>
    isChoice(instrument) && settings.symbol === undefined && !settings.map.has(instrument);
  if (!asked.legs.some(isOpen)) return { form: asked, notes: [] };
  const market = await failing(marketAt(asked, settings));
  const choosing = asked.legs.map((leg) => (isOpen(leg) ? leg : { ...leg, instrument: '' }));
  const named = withNames({ ...asked, legs: choosing }, market);
  if (named.kind === 'refused') {
    const lines = named.rejections.map(({ field, message }) => `${field}: ${message}`);
    throw new CommandFailure('refused', lines);
  }
  const at = isoText(market.now);
  const notes: string[] = [];
  const legs = asked.legs.map((leg, index) => {
    const { instrument = leg.instrument } = named.value.legs[index] ?? {};
    if (!isOpen(leg)) return leg;
    notes.push(`${leg.instrument}: ${instrument}, chosen at ${at} from what was recorded by then`);
    return { ...leg, instrument };
  });
  return { form: { ...asked, legs }, notes };
}

async function marketAt(asked: PortfolioForm, settings: BacktestSettings): Promise<Market> {
  const { folder, exchange: wanted, instrumentsFile = instrumentsBeside(folder) } = settings;
  const found = recordingFiles(folder).filter((file) => isInDays(file, settings));
  const exchanges = [...new Set(found.map(({ exchange }) => exchange))];
  const exchange = wanted ?? exchanges[0];
  if (exchange === undefined || (wanted === undefined && exchanges.length > 1)) {
    const several = `has recordings of ${exchanges.join(', ') || 'no exchange'}`;
    throw new CommandFailure('refused', [
      `${folder}: ${several}, from which instruments cannot be chosen; accepted: one exchange, named by --exchange`,
    ]);
  }
  const files = recordingsOf(found.filter((file) => file.exchange === exchange)).filter(
    ({ type }) => type !== 'trades',
  );
  const listing = await listedSymbols(files, startIn(asked, files, settings));
  const written =
    instrumentsFile === undefined ? undefined : await readInstruments(instrumentsFile);
  const instruments = [...listing.symbols.keys()].map(
    (symbol) => written?.get(`${exchange} ${symbol}`)?.instrument ?? inferred(exchange, symbol),
  );
  return { instruments, now: listing.at, index: (name) => indexIn(listing, instruments, name) };
}

/** A start beyond the recording is that of its first row, as for the run itself. */
function startIn(
  { startAt }: PortfolioForm,
  files: readonly RecordingFile[],
  settings: BacktestSettings,
): Instant | undefined {
  const { from } = settings;
  const isThere =
    startAt !== undefined &&
    files.some((file) => isInDays(file, { ...settings, from: startAt, to: startAt }));
  return isThere ? startAt : from;
}

/** Its kind, expiry and strike, which its name tells. */
const inferred = (exchange: string, symbol: string): Instrument =>
  inferInstrument(exchange, {
    symbol,
    books: 1,
    trades: 0,
    firstAt: 0,
    lastAt: 0,
    hasSizes: false,
    hasIndex: true,
    crossed: 0,
  }).instrument;

/** The recorded index of what does not expire, then that of anything else; last of all the price of a perpetual itself. */
function indexIn(
  { symbols }: RecordedListing,
  instruments: readonly Instrument[],
  name: string,
): Price | undefined {
  const own = instruments.filter(({ indexName }) => indexName === name);
  const lasting = own.filter(({ expiresAt }) => expiresAt === undefined);
  const known = [...lasting, ...own].flatMap((each) => symbols.get(each.name)?.index ?? []);
  const [index = lasting.flatMap((each) => symbols.get(each.name)?.bid ?? [])[0]] = known;
  return index === undefined ? undefined : price(index);
}
