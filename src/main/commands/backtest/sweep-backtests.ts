// `backtest --sweep`: one strategy with every combination of settings, on every window of a recording.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { recordingFiles } from '../../../adapters/recorded-market/recording-files.ts';
import { hasChoices } from '../../../core/terms/chosen-names.ts';
import type { PortfolioForm } from '../../../core/terms/form.ts';
import { must } from '../../../values/assert.ts';
import { instant } from '../../../values/instant.ts';
import { CommandFailure } from '../../command-failure.ts';
import { VERSION } from '../../version.ts';
import { limitsKey, limitsNote } from '../deployment-limits.ts';
import type { SweepPlan } from '../sweep/run-sweep.ts';
import { baseOf, requireCells, variantsOf } from '../sweep/sweep-axes.ts';
import { CELL_FORMAT, digestOf, type SweepCell } from '../sweep/sweep-cells.ts';
import { type BacktestWork, formOf, instrumentsOf } from './backtest-cells.ts';
import type { BacktestSettings } from './backtest-options.ts';
import { type OpenedRecording, openRecording, type Span } from './open-recording.ts';
import { withRecordedNames } from './recorded-choices.ts';
import { withFields } from './set-fields.ts';

export interface SweepAsked {
  readonly body: unknown;
  readonly settings: BacktestSettings;
  /** `--set`, each with one value or several. */
  readonly set: readonly string[];
  /** Time between two starts; absent: one window, which starts as the file says. */
  readonly startsMs: number | undefined;
  /** Number of the base among the variants, from 1. */
  readonly base: number;
}

/** Reads the recordings once, for the windows they allow and for their digest. @throws CommandFailure */
export async function planSweep(asked: SweepAsked): Promise<SweepPlan> {
  const { body, settings, set, startsMs } = asked;
  const { deployment } = settings;
  const variants = variantsOf(set);
  const base = baseOf(asked.base, variants);
  const written = variants.map((variant) => formOf(body, variant.settings));
  const forms: PortfolioForm[] = [];
  for (const form of written) forms.push((await withRecordedNames(form, settings)).form);
  const recordings = await openEach(forms, settings);
  const lengthMs = Math.max(...forms.map(lengthOf));
  const windows =
    startsMs === undefined
      ? [null]
      : windowsIn(commonSpan([...recordings.values()]), { everyMs: startsMs, lengthMs });
  requireCells(variants.length, windows.length);
  const digests = new Map<string, string>();
  // Another window may choose another instrument: then every recording counts.
  const all = written.some(hasChoices) ? recordingFiles(settings.folder) : undefined;
  for (const [name, recording] of recordings) {
    digests.set(
      name,
      await recordingDigest({ ...recording, files: all ?? recording.files }, settings),
    );
  }
  const cells = variants.flatMap((variant, number) => {
    const form = must(forms[number], 'a form per variant');
    const inputs = [
      VERSION,
      CELL_FORMAT,
      digests.get(instrumentsOf(form)),
      withFields(body, variant.settings),
      deployment && limitsKey(deployment),
    ];
    return windows.map(
      (startAt, window): SweepCell => ({
        key: digestOf([...inputs, startAt]),
        variant: number,
        window,
        settings: variant.settings,
        startAt,
        seed: settings.latency.seed,
      }),
    );
  });
  const own = import.meta.url;
  return {
    cells,
    base,
    windows: windows.length,
    variants: variants.map(({ name }) => name),
    isOverlapping: startsMs !== undefined && windows.length > 1 && startsMs < lengthMs,
    moreWindows: '--starts over a longer recording',
    notes: deployment === undefined ? [] : [limitsNote(deployment)],
    file: new URL(own.endsWith('.ts') ? './cell-worker.ts' : './cell-worker.js', own),
    work: { body, settings } satisfies BacktestWork,
  };
}

async function openEach(
  forms: readonly PortfolioForm[],
  settings: BacktestSettings,
): Promise<ReadonlyMap<string, OpenedRecording>> {
  const opened = new Map<string, OpenedRecording>();
  for (const form of forms) {
    const name = instrumentsOf(form);
    if (!opened.has(name)) opened.set(name, await openRecording(form, settings));
  }
  return opened;
}

/** Of the schedule, or of the parts; 0 for parts without a limit. Milliseconds. */
export const lengthOf = ({ twapTrade, balanceTrade }: PortfolioForm): number =>
  twapTrade === undefined ? (balanceTrade?.totalLimitMs ?? 0) : twapTrade.durationSec * 1_000;

function commonSpan(recordings: readonly OpenedRecording[]): Span {
  const spans = recordings.map(({ span }) => span);
  return {
    from: instant(Math.max(...spans.map(({ from }) => from))),
    to: instant(Math.min(...spans.map(({ to }) => to))),
  };
}

/** Every start from which the longest schedule ends within the recording. */
function windowsIn(
  { from, to }: Span,
  { everyMs, lengthMs }: { readonly everyMs: number; readonly lengthMs: number },
): readonly number[] {
  const starts: number[] = [];
  for (let at: number = from; at + lengthMs <= to && at < to; at += everyMs) starts.push(at);
  if (starts.length > 0) return starts;
  const seconds = (ms: number): string => `${Math.floor(ms / 1_000)} s`;
  throw new CommandFailure('refused', [
    `no window fits: the recording covers ${seconds(to - from)} of all legs at once, the longest schedule takes ${seconds(lengthMs)}`,
  ]);
}

/** Of the contents of the files and of how they are replayed; not of where they are. */
async function recordingDigest(
  { files, instrumentsFile, exchange }: OpenedRecording,
  settings: BacktestSettings,
): Promise<string> {
  const {
    folder: _folder,
    instrumentsFile: _file,
    cache: _cache,
    deployment: _deployment,
    map,
    ...model
  } = settings;
  const contents: (readonly [string, string])[] = [];
  const paths = files.map(({ path }) => path);
  for (const path of [...paths, ...(instrumentsFile === undefined ? [] : [instrumentsFile])]) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    contents.push([basename(path), hash.digest('hex')]);
  }
  return digestOf([exchange, contents, [...map], Object.entries(model).toSorted()]);
}
