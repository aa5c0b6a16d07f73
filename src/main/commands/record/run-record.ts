// Records until a signal, the end of the requested time, or a folder that cannot be written.
import { join } from 'node:path';
import process from 'node:process';
import { RecordingFolder } from '../../../adapters/recording-files/recording-folder.ts';
import { SystemClock } from '../../../adapters/system/system-clock.ts';
import { GAPS_FILE } from '../../../recorder/gap-rows.ts';
import { MarketRecorder, type RecorderCounts } from '../../../recorder/market-recorder.ts';
import { isoText, later } from '../../../values/instant.ts';
import { printable } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { openRecordedVenue, type RecordedVenue } from '../../wiring/open-recorded-venue.ts';
import { jsonText, type Terminal } from '../command.ts';
import type { RecordSettings } from './record-options.ts';
import { bytesText, RecordProgress } from './record-progress.ts';

export interface RecordOptions {
  readonly config: Config;
  readonly settings: RecordSettings;
  readonly folder: string;
  readonly isJson: boolean;
}

const NOTHING: RecorderCounts = {
  rows: {},
  bytes: 0,
  gaps: 0,
  openGaps: 0,
  lost: 0,
  instruments: 0,
  doubles: 0,
};

/** Resolves at the end of the recording. @throws CommandFailure if it cannot begin or cannot go on. */
export async function runRecord(options: RecordOptions, terminal: Terminal): Promise<void> {
  const { config, settings, folder, isJson } = options;
  let recorder: MarketRecorder | undefined;
  const isShown = terminal.isLive && !isJson;
  const progress = new RecordProgress(terminal, isShown, () => recorder?.counts ?? NOTHING);
  const ended = Promise.withResolvers<void>();
  const clock = new SystemClock({
    onStep: (deltaMs) => progress.notice(`the wall clock jumped by ${deltaMs} ms`),
  });
  const startedAt = clock.now();
  const onHandled = (error: unknown): void => progress.notice((error as Error).message);
  const opened = await orRefused(
    openRecordedVenue({
      config,
      name: settings.venue,
      folder,
      clock,
      onHandled,
      onFault: ended.reject,
    }),
  );
  const leaveSignals = onSignals(ended.resolve);
  try {
    requireReachable(opened, settings);
    const store = await orRefused(RecordingFolder.open(folder));
    recorder = await orRefused(
      begun(
        () =>
          new MarketRecorder({
            ...settings,
            clock,
            store,
            venue: opened.venue,
            onNotice: (text) => progress.notice(text),
            onFatal: ended.reject,
          }),
      ),
    );
    progress.start();
    const stopTimer = endAfter(settings.forMs, clock, ended.resolve);
    try {
      await orRefused(ended.promise);
      await orRefused(recorder.drain());
    } finally {
      stopTimer?.();
      recorder.stop();
      progress.stop();
    }
  } finally {
    leaveSignals();
    await opened.close();
  }
  printEnd(options, terminal, recorder.counts, {
    from: isoText(startedAt),
    until: isoText(clock.now()),
  });
}

/** The clock's timer has no greatest delay; one of Node.js ends at once after 2^31 ms. */
const endAfter = (
  ms: number | undefined,
  clock: SystemClock,
  end: () => void,
): (() => void) | undefined =>
  ms === undefined ? undefined : clock.at(later(clock.now(), ms), end);

function printEnd(
  options: RecordOptions,
  terminal: Terminal,
  counts: MarketRecorder['counts'],
  span: { readonly from: string; readonly until: string },
): void {
  if (options.isJson) terminal.print(jsonText({ ...named(options), ...span, ...counts }));
  else for (const line of summary(options, counts)) terminal.print(line);
}

async function begun(make: () => MarketRecorder): Promise<MarketRecorder> {
  const recorder = make();
  try {
    await recorder.start();
    return recorder;
  } catch (error) {
    recorder.stop();
    throw error;
  }
}

/** Faults of folders and venues are messages for people. */
async function orRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CommandFailure || !(error instanceof Error)) throw error;
    throw new CommandFailure('refused', [error.message]);
  }
}

/** A signal ends the recording in order; a second one ends the process. */
function onSignals(end: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.removeListener(signal, end);
  };
}

function requireReachable({ venue }: RecordedVenue, settings: RecordSettings): void {
  const trouble = venue.trouble?.();
  if (trouble === undefined || venue.market.listed({ expired: false }).length > 0) return;
  throw new CommandFailure('unreachable', [
    `venue ${settings.venue} cannot be reached: ${trouble}`,
  ]);
}

const named = ({ settings, folder }: RecordOptions): object => ({
  venue: settings.venue,
  exchange: settings.exchange,
  folder,
});

function summary({ folder }: RecordOptions, counts: RecorderCounts): readonly string[] {
  const { rows, bytes, gaps, openGaps, lost } = counts;
  const kinds = Object.entries(rows).map(([kind, count]) => `${count} ${kind}`);
  const written = kinds.length === 0 ? 'no rows' : kinds.join(', ');
  const all = gaps + openGaps;
  const missing = lost === 0 ? '' : `, ${lost} rows lost`;
  return [
    `recorded ${written} (${bytesText(bytes)}) in ${printable(folder)}`,
    `${all} ${all === 1 ? 'gap' : 'gaps'}${missing}: ${printable(join(folder, GAPS_FILE))}`,
  ];
}
