// Runs cells in processes of their own, as many at a time as there are workers. What a worker does is in its file; it gets the
// work once and cells one after the other. Workers end with this process, however it ends.
import { type ChildProcess, fork } from 'node:child_process';
import process from 'node:process';
import { must } from '../../../values/assert.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { CellOutcome, SweepCell } from './sweep-cells.ts';

/** What a worker is sent: first the work, then cells. */
export type ToWorker =
  | { readonly kind: 'work'; readonly work: unknown }
  | { readonly kind: 'cell'; readonly cell: SweepCell };

export type FromWorker =
  | { readonly kind: 'done'; readonly key: string; readonly outcome: CellOutcome }
  /** The whole sweep cannot be run. */
  | { readonly kind: 'failed'; readonly lines: readonly string[] };

export interface CellWork {
  /** The file that the processes run; it calls `serveCells`. */
  readonly file: URL;
  /** Passed to each; anything that can be cloned. */
  readonly work: unknown;
  readonly workers: number;
  readonly cells: readonly SweepCell[];
  readonly onDone: (cell: SweepCell, outcome: CellOutcome) => void;
}

/** Resolves once every cell is done. @throws CommandFailure for the first that cannot be run; the others stop then. */
export async function runCells(given: CellWork): Promise<void> {
  const waiting = [...given.cells];
  const children = new Set<ChildProcess>();
  try {
    const count = Math.min(given.workers, waiting.length);
    await Promise.all(Array.from({ length: count }, () => serve(given, waiting, children)));
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

/** One process, until no cell is waiting. */
function serve(
  { file, work, onDone }: CellWork,
  waiting: SweepCell[],
  children: Set<ChildProcess>,
): Promise<void> {
  const child = fork(file, [], {
    execArgv: [...process.execArgv],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  children.add(child);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let cell: SweepCell | undefined;
  const send = (message: ToWorker): void => {
    // A process that has ended is reported by its exit.
    child.send(message, () => undefined);
  };
  const next = (): void => {
    cell = waiting.shift();
    if (cell === undefined) child.disconnect();
    else send({ kind: 'cell', cell });
  };
  child.on('message', (message: FromWorker) => {
    if (message.kind === 'failed') {
      reject(new CommandFailure('refused', message.lines));
      return;
    }
    try {
      onDone(must(cell, 'a worker answers what it was asked'), message.outcome);
      next();
    } catch (error) {
      reject(error);
    }
  });
  child.once('error', reject);
  child.once('exit', (code, signal) => {
    children.delete(child);
    if (cell === undefined) return resolve();
    const of = `${cell.settings.join(' ') || 'the file as written'}, window ${cell.window + 1}`;
    reject(
      new CommandFailure('refused', [
        `the process that ran ${of} ended with ${code ?? signal}; what was done before is kept, and the same command goes on from there`,
      ]),
    );
  });
  send({ kind: 'work', work });
  next();
  return promise;
}
