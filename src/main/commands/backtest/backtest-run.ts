// Runs a backtest from a strategy file and a folder of recordings.
import process from 'node:process';
import type { RecordedGap } from '../../../adapters/recorded-market/gaps-file.ts';
import type { Survey } from '../../../adapters/recorded-market/survey-recordings.ts';
import type { PortfolioReport } from '../../../core/report/report-shapes.ts';
import type { PortfolioForm } from '../../../core/terms/form.ts';
import { reportsFrom } from '../../../gateway/portfolios/read-report.ts';
import { type Instant, instant, isoText } from '../../../values/instant.ts';
import {
  type BacktestOutcome,
  backtest,
  type Progress,
} from '../../../virtual/backtest/run-backtest.ts';
import { withoutIndex } from '../../wiring/recorded/recorded-terms.ts';
import { courseLimits, limitsNote, unvaluedNotes } from '../deployment-limits.ts';
import { recordedForm } from './backtest-legs.ts';
import type { BacktestSettings } from './backtest-options.ts';
import { failing, type OpenedRecording, openRecording, type Span } from './open-recording.ts';
import { withRecordedNames } from './recorded-choices.ts';
import { supportNotes } from './support-notes.ts';

export interface RunHooks {
  /** Also makes the report on costs that a daemon would make. */
  readonly recordsCosts?: boolean | undefined;
  /** Shows the exchange every row in its time: the same run, slower. */
  readonly showsEachRow?: boolean | undefined;
  readonly onSurvey?: ((rows: number) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface BacktestRun {
  readonly outcome: BacktestOutcome;
  /** Set if it was requested. */
  readonly costs: PortfolioReport | undefined;
  readonly exchange: string;
  readonly files: readonly string[];
  /** The time span the recording covers for all symbols at once. */
  readonly dataFrom: Instant;
  readonly dataTo: Instant;
  /** Everything that was inferred, assumed or corrected. */
  readonly notes: readonly string[];
}

/** The event loop turns each time so much work has completed: signals and progress wait no longer. */
const WORK_PER_TURN = 64;
let completed = 0;

/**
 * Work in virtual time consists of promises alone. Node runs a next tick when no promise has anything left to do, which
 * costs a fraction of a turn of the event loop.
 */
export const settle = (): Promise<void> => {
  completed = (completed + 1) % WORK_PER_TURN;
  return new Promise((done) => {
    if (completed === 0) setImmediate(done);
    else process.nextTick(done);
  });
};

/** @throws CommandFailure if the backtest cannot be run, with the reason. */
export async function runBacktest(
  asked: PortfolioForm,
  settings: BacktestSettings,
  hooks: RunHooks = {},
): Promise<BacktestRun> {
  const { form, notes } = await withRecordedNames(asked, settings);
  const run = await runOn(await openRecording(form, settings, hooks.onSurvey), form, hooks);
  return { ...run, notes: [...notes, ...run.notes] };
}

/** Runs on a recording that was opened for the same instruments. @throws CommandFailure */
export async function runOn(
  recording: OpenedRecording,
  asked: PortfolioForm,
  hooks: RunHooks = {},
): Promise<BacktestRun> {
  const { settings, exchange, files, symbols, survey, terms, span } = recording;
  const known = new Map(
    terms.instruments.map(({ instrument }) => [instrument.name as string, instrument]),
  );
  const { form, notes } = recordedForm(asked, symbols, known);
  const startAt = startOf(asked, span);
  const unvalued = withoutIndex(terms, survey);
  const outcome = await failing(
    backtest({
      form,
      instruments: terms.instruments,
      rows: recording.rows(),
      startAt,
      dataTo: span.to,
      rowsUntil: settings.to,
      holeMs: settings.holeMs,
      latency: settings.latency,
      limits:
        settings.deployment &&
        courseLimits(settings.deployment, { holeMs: settings.holeMs, unvalued }),
      queue: settings.queue,
      impact: settings.impact,
      settle,
      showsEachRow: hooks.showsEachRow,
      recordsCosts: hooks.recordsCosts,
      onProgress: hooks.onProgress,
    }),
  );
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
      ...surveyNotes(survey),
      ...gapNotes(recording.gaps, { exchange, symbols: recording.read, startAt, to: span.to }),
      ...cacheNotes(recording),
      latencyNote(settings),
      ...(settings.deployment === undefined
        ? []
        : [limitsNote(settings.deployment), ...unvaluedNotes(unvalued)]),
      ...impactNotes(settings),
      ...(outcome.kind === 'done' ? supportNotes(outcome.report) : []),
      'recorded sizes are all there is: an order takes what is shown, and nothing is assumed behind it',
    ],
  };
}

/** A backtest has no market-maker protection. */
const UNPROTECTED = { exceeded: () => Promise.resolve([]) };

/** By the same rules as on a daemon. */
function costsOf(outcome: BacktestOutcome): Promise<PortfolioReport | undefined> | undefined {
  if (outcome.kind === 'refused' || outcome.recorded === undefined) return undefined;
  const { stored, costs, venue, now } = outcome.recorded;
  const reportOn = reportsFrom({
    ledger: { load: () => Promise.resolve(stored) },
    costs,
    mmp: UNPROTECTED,
    accounts: { describe: () => ({ name: 'backtest', exchange: venue }) },
    now: () => now,
  });
  return reportOn(stored.portfolio);
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

const cacheNotes = ({ cacheTrouble }: OpenedRecording): readonly string[] =>
  cacheTrouble === undefined
    ? []
    : [`the recording is not in the cache, and is read again by the next run: ${cacheTrouble}`];

const impactNotes = ({ impact }: BacktestSettings): readonly string[] =>
  impact === undefined
    ? []
    : [
        `own impact, a model: an order that takes the whole touch moves the quotes and trades of following rows by ${impact.coefficient} half-spreads, ` +
          `of which half is gone after ${impact.halfLifeMs / 1_000} s; benchmarks are those of the recording without it`,
      ];

const surveyNotes = ({ disorders, unended, symbols }: Survey): readonly string[] => [
  ...disorders.map(
    ({ path, rows, worstUs }) =>
      `${path}: ${rows} rows were out of order by up to ${worstUs / 1_000_000} s and were put in order`,
  ),
  ...unended.map(
    ({ path, line }) =>
      `${path}:${line}: the last row has no end of line and is left out: the file may be cut off`,
  ),
  ...[...symbols.values()]
    .filter(({ crossed }) => crossed > 0)
    .map(
      ({ symbol, crossed, books, crossedUs }) =>
        `${symbol}: in ${crossed} of ${books} rows the bid is above the offer, first in that of local_timestamp ${crossedUs}`,
    ),
];

/** What a backtest replays of a recording. */
interface ReplayedSpan {
  readonly exchange: string;
  readonly symbols: ReadonlySet<string>;
  readonly startAt: Instant;
  readonly to: Instant;
}

const GAPS_SHOWN_MAX = 10;

/** One note for each gap of the recording in the replayed span, the longest first. */
function gapNotes(recorded: readonly RecordedGap[], span: ReplayedSpan): readonly string[] {
  const gaps = recorded.filter((gap) => isIn(gap, span));
  const longest = gaps.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const notes = longest.slice(0, GAPS_SHOWN_MAX).map(noteOf);
  const more = gaps.length - notes.length;
  return more > 0 ? [...notes, `${more} shorter gaps of the recording: see its gaps.csv`] : notes;
}

const isIn = (gap: RecordedGap, { exchange, symbols, startAt, to }: ReplayedSpan): boolean =>
  gap.exchange === exchange &&
  (gap.symbol === '*' || symbols.has(gap.symbol)) &&
  gap.to > startAt &&
  gap.from < to;

function noteOf({ symbol, type, from, to, reason, detail }: RecordedGap): string {
  const what = symbol === '*' ? 'everything' : `${symbol} ${type}`;
  const seconds = ((to - from) / 1_000).toFixed(1);
  const at = isoText(instant(Math.floor(from)));
  return `the recording of ${what} has a gap of ${seconds} s from ${at}: ${reason}, ${detail}`;
}
