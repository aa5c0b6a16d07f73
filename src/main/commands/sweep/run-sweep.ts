// Runs what is missing of a sweep, keeps it, and makes the table from what is kept. The table is a function of the cells: it
// does not depend on the number of workers, nor on how often the sweep was interrupted.
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import process from 'node:process';
import type { Sweep, SweepOrigin, SweptRun } from '../../../core/report/sweep/sweep-shapes.ts';
import { type SweepOptions, sweepTable } from '../../../core/report/sweep/sweep-table.ts';
import { sweepPage } from '../../../gateway/report/sweep-page.ts';
import { must } from '../../../values/assert.ts';
import { CommandFailure } from '../../command-failure.ts';
import { VERSION } from '../../version.ts';
import { jsonText, type Terminal } from '../command.ts';
import { type OutputFile, outputFile } from '../output-path.ts';
import type { CellFolder } from './cell-folder.ts';
import { runCells } from './cell-workers.ts';
import { CELL_FORMAT, digestOf, type KeptCell, type SweepCell } from './sweep-cells.ts';
import { removeSweepFiles, writeSweepFiles } from './sweep-files.ts';
import { SweepProgress } from './sweep-progress.ts';
import type { CellRun } from './sweep-tables.ts';
import { sweepText } from './sweep-text.ts';

/** How a sweep is run and shown, as written on the command line. */
export interface SweepSettings {
  /** Title of the report. */
  readonly title: string;
  readonly folder: CellFolder;
  readonly workers: number;
  readonly report: OutputFile | undefined;
  readonly json: boolean;
}

export interface SweepPlan extends SweepOptions {
  readonly cells: readonly SweepCell[];
  /** What the processes run, and the work that they are sent. */
  readonly file: URL;
  readonly work: unknown;
}

const WORKERS_MAX = 64;

/** @throws CommandFailure */
export function workersOf(written: string | undefined): number {
  if (written === undefined) return Math.min(WORKERS_MAX, availableParallelism());
  const count = Number(written);
  if (/^\d{1,2}$/.test(written) && count >= 1 && count <= WORKERS_MAX) return count;
  throw new CommandFailure('usage', [
    `--workers is ${JSON.stringify(written)}; accepted: a whole number from 1 to ${WORKERS_MAX}`,
  ]);
}

/** Tried before the runs. @throws CommandFailure if it cannot be written, or its name does not end in .html. */
export function sweepReport(name: string | undefined): OutputFile | undefined {
  if (name === undefined) return undefined;
  if (extname(name).toLowerCase() === '.html') return outputFile({ option: '--report', name });
  throw new CommandFailure('usage', [
    `--report is ${JSON.stringify(name)}; accepted for a sweep: a name that ends in .html`,
  ]);
}

/** Prints the table and writes the files. @throws CommandFailure; what was done before is kept. */
export async function runSweep(
  plan: SweepPlan,
  settings: SweepSettings,
  terminal: Terminal,
): Promise<void> {
  const { folder, report } = settings;
  await runMissing(plan, { settings, terminal });
  const runs = function* (): Generator<CellRun> {
    for (const cell of plan.cells) {
      const variant = must(plan.variants[cell.variant], 'a cell is of a variant');
      yield { cell, variant, kept: folder.read(cell.key) };
    }
  };
  const sweep = { ...sweepTable([...sweptRuns(runs())], plan), origin: originOf(plan, runs()) };
  await writeSweepFiles(folder.path, sweep, runs);
  if (report !== undefined) {
    report.write(sweepPage(sweep, settings.title));
    terminal.complain(`written: ${report.path}`);
  }
  terminal.complain(`written: ${folder.path}`);
  show(sweep, settings, terminal);
  if (sweep.variants.some(({ runs: all, refused }) => refused < all)) return;
  throw new CommandFailure('refused', [
    `nothing ran: every run was refused${settings.json ? ', for the reasons in notes' : ''}`,
  ]);
}

interface Surroundings {
  readonly settings: SweepSettings;
  readonly terminal: Terminal;
}

async function runMissing(
  { cells, file, work }: SweepPlan,
  { settings, terminal }: Surroundings,
): Promise<void> {
  const { folder } = settings;
  const missing = cells.filter(({ key }) => !folder.has(key));
  // Tables of the sweep before would pass for those of this one if it is interrupted.
  if (missing.length > 0) removeSweepFiles(folder.path);
  const progress = new SweepProgress(terminal, terminal.isLive && !settings.json);
  const moment = { of: missing.length, before: cells.length - missing.length };
  let done = 0;
  progress.show({ ...moment, done });
  const forget = onInterruption(() => {
    progress.clear();
    const kept = `${moment.before + done} of ${cells.length} runs are kept in ${folder.path}`;
    terminal.complain(
      `interrupted: ${kept}; there is no table yet: the same command makes the others and prints it`,
    );
  });
  try {
    await runCells({
      file,
      work,
      workers: settings.workers,
      cells: missing,
      onDone: ({ key, settings: own, startAt }, outcome) => {
        const kept: KeptCell = {
          format: CELL_FORMAT,
          key,
          version: VERSION,
          settings: own,
          startAt,
          outcome,
        };
        folder.write(kept);
        done += 1;
        progress.show({ ...moment, done });
      },
    });
  } finally {
    forget();
    progress.clear();
  }
}

/** Says something before a signal ends the process; workers end with it. */
function onInterruption(say: () => void): () => void {
  const end = (signal: NodeJS.Signals): void => {
    forget();
    say();
    process.kill(process.pid, signal);
  };
  const forget = (): void => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  return forget;
}

function originOf({ cells }: SweepPlan, runs: Iterable<CellRun>): SweepOrigin {
  const traces = [...runs].map(({ kept: { outcome } }) =>
    outcome.kind === 'done' ? outcome.traceHash : null,
  );
  return {
    version: VERSION,
    inputs: digestOf(cells.map(({ key }) => key)),
    trace: digestOf(traces),
  };
}

function* sweptRuns(runs: Iterable<CellRun>): Generator<SweptRun> {
  for (const { cell, kept } of runs) {
    const { variant, window } = cell;
    const { outcome } = kept;
    if (outcome.kind === 'refused') {
      yield { variant, window, legs: undefined, reasons: outcome.reasons };
      continue;
    }
    const legs = outcome.report.legs.map(
      ({ instrument, side, slippage, filledShare, makerShare, fills }) => ({
        instrument,
        side,
        measured: {
          arrival: slippage.arrivalBps,
          twap: slippage.twapBps,
          vwap: slippage.vwapBps,
          filled: filledShare,
          maker: fills === 0 ? null : makerShare,
        },
      }),
    );
    yield { variant, window, legs };
  }
}

function show(sweep: Sweep, { json }: SweepSettings, terminal: Terminal): void {
  terminal.print(json ? jsonText(sweep) : sweepText(sweep, terminal.columns()));
}
