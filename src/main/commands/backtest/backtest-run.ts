// Runs a backtest from a strategy file and a folder of recordings.
import { mergeRecordings } from '../../../adapters/recorded-market/merge-recordings.ts';
import { RecordingFault } from '../../../adapters/recorded-market/recording-fault.ts';
import { instrumentsBeside } from '../../../adapters/recorded-market/recording-files.ts';
import {
  type Survey,
  surveyRecordings,
} from '../../../adapters/recorded-market/survey-recordings.ts';
import type { PortfolioReport } from '../../../core/report/report-shapes.ts';
import type { PortfolioForm } from '../../../core/terms/form.ts';
import { reportsFrom } from '../../../gateway/portfolios/read-report.ts';
import { type Instant, instant, isoText, latest } from '../../../values/instant.ts';
import {
  type BacktestOutcome,
  backtest,
  type Progress,
} from '../../../virtual/backtest/run-backtest.ts';
import { CommandFailure } from '../../command-failure.ts';
import { describeRecorded } from '../../wiring/recorded-terms.ts';
import { recordedForm } from './backtest-legs.ts';
import type { BacktestSettings } from './backtest-options.ts';
import { chooseRecordings } from './backtest-symbols.ts';
import { gapNotes } from './gap-notes.ts';
import { supportNotes } from './support-notes.ts';

export interface RunHooks {
  /** Also makes the report on costs that a daemon would make. */
  readonly recordsCosts?: boolean | undefined;
  readonly onSurvey?: ((rows: number) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface BacktestRun {
  readonly outcome: BacktestOutcome;
  /** Set if it was asked for. */
  readonly costs: PortfolioReport | undefined;
  readonly exchange: string;
  readonly files: readonly string[];
  /** The time span the recording covers for all symbols at once. */
  readonly dataFrom: Instant;
  readonly dataTo: Instant;
  /** Everything that was inferred, assumed or corrected. */
  readonly notes: readonly string[];
}

/**
 * One turn of the event loop: work in virtual time consists of promises, which all run before the turn
 * ends.
 */
const settle = (): Promise<void> => new Promise((done) => setImmediate(done));

/** @throws CommandFailure if the backtest cannot be run, with the reason. */
export async function runBacktest(
  asked: PortfolioForm,
  settings: BacktestSettings,
  hooks: RunHooks = {},
): Promise<BacktestRun> {
  try {
    return await run(asked, settings, hooks);
  } catch (error) {
    if (error instanceof RecordingFault) throw new CommandFailure('refused', [error.message]);
    throw error;
  }
}

async function run(
  asked: PortfolioForm,
  settings: BacktestSettings,
  hooks: RunHooks,
): Promise<BacktestRun> {
  const { exchange, files, symbols } = chooseRecordings(asked, settings);
  const wanted = new Set(symbols.values());
  const isWanted = (symbol: string): boolean => wanted.has(symbol);
  const survey = await surveyRecordings(files, { isWanted, onRows: hooks.onSurvey });
  const missing = [...wanted].filter((symbol) => !survey.symbols.has(symbol));
  if (missing.length > 0) {
    throw new CommandFailure('refused', [`${settings.folder}: no row of ${missing.join(', ')}`]);
  }
  const instrumentsFile = settings.instrumentsFile ?? instrumentsBeside(settings.folder);
  const terms = await describeRecorded(exchange, survey, { ...settings, instrumentsFile });
  const known = new Map(
    terms.instruments.map(({ instrument }) => [instrument.name as string, instrument]),
  );
  const { form, notes } = recordedForm(asked, symbols, known);
  const span = spanOf(survey, settings);
  const startAt = startOf(asked, span);
  const outcome = await backtest({
    form,
    instruments: terms.instruments,
    rows: mergeRecordings(files, { isWanted }),
    startAt,
    dataTo: span.to,
    rowsUntil: settings.to,
    holeMs: settings.holeMs,
    latency: settings.latency,
    queue: settings.queue,
    settle,
    recordsCosts: hooks.recordsCosts,
    onProgress: hooks.onProgress,
  });
  return {
    outcome,
    costs: await costsOf(outcome),
    exchange,
    files: files.map(({ path }) => path),
    dataFrom: span.from,
    dataTo: span.to,
    notes: [
      ...notes,
      ...startNotes(asked, startAt, { ...span, holeMs: settings.holeMs }),
      ...terms.notes,
      ...cutNotes(outcome, span),
      ...disorderNotes(survey),
      ...(await gapNotes(settings.folder, { exchange, symbols: wanted, startAt, to: span.to })),
      latencyNote(settings),
      ...(outcome.kind === 'done' ? supportNotes(outcome.report) : []),
      'recorded sizes are all there is: an order takes what is shown, and nothing is assumed behind it',
    ],
  };
}

/** By the same rules as on a daemon. */
function costsOf(outcome: BacktestOutcome): Promise<PortfolioReport | undefined> | undefined {
  if (outcome.kind === 'refused' || outcome.recorded === undefined) return undefined;
  const { stored, costs, venue, now } = outcome.recorded;
  const reportOn = reportsFrom({
    ledger: { load: () => Promise.resolve(stored) },
    costs,
    accounts: { describe: () => ({ name: 'backtest', exchange: venue }) },
    now: () => now,
  });
  return reportOn(stored.portfolio);
}

interface Span {
  readonly from: Instant;
  readonly to: Instant;
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

const isInside = (at: Instant, { from, to }: Span): boolean => at >= from && at < to;

const startOf = ({ startAt }: PortfolioForm, span: Span): Instant =>
  startAt !== undefined && isInside(startAt, span) ? startAt : span.from;

function startNotes(
  form: PortfolioForm,
  startAt: Instant,
  { to, holeMs }: Span & { readonly holeMs: number },
): readonly string[] {
  const notes: string[] = [];
  if (form.startAt !== undefined && form.startAt !== startAt) {
    notes.push(
      `startTimestamp ${isoText(form.startAt)} is not in the recording: started at ${isoText(startAt)}`,
    );
  }
  const lastsMs = (form.twapTrade?.durationSec ?? 0) * 1_000;
  const limitMs = form.balanceTrade?.totalLimitMs ?? 0;
  if (startAt + Math.max(lastsMs, limitMs) > to + holeMs) {
    const what = form.balanceTrade === undefined ? 'schedule does' : 'time limit is reached';
    notes.push(`the recording ends at ${isoText(to)}, before the ${what}`);
  }
  return notes;
}

const cutNotes = (outcome: BacktestOutcome, { to }: Span): readonly string[] =>
  outcome.kind === 'done' && outcome.isCutShort
    ? [`the recording ends at ${isoText(to)} with parts left: cancelled there`]
    : [];

function latencyNote({ latency: { minMs, maxMs, seed } }: BacktestSettings): string {
  return minMs === maxMs
    ? `requests took ${minMs} ms from request to answer`
    : `requests took ${minMs} to ${maxMs} ms from request to answer, drawn for each with seed ${seed}`;
}

const disorderNotes = ({ disorders }: Survey): readonly string[] =>
  disorders.map(
    ({ path, rows, worstUs }) =>
      `${path}: ${rows} rows were out of order by up to ${worstUs / 1_000_000} s and were put in order`,
  );
