// The side of a worker: takes the work, then cells one after the other, and answers each.
import process from 'node:process';
import { must } from '../../../values/assert.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { FromWorker, ToWorker } from './cell-workers.ts';
import type { CellOutcome, SweepCell } from './sweep-cells.ts';

/** `open` makes from the work what runs a cell. Ends with the process that asks. */
export function serveCells(
  open: (work: unknown) => (cell: SweepCell) => Promise<CellOutcome>,
): void {
  let run: ((cell: SweepCell) => Promise<CellOutcome>) | undefined;
  const answer = (message: FromWorker): void => void process.send?.(message);
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'work') {
      run = open(message.work);
      return;
    }
    const { cell } = message;
    try {
      const outcome = await must(run, 'the work comes before the cells')(cell);
      answer({ kind: 'done', key: cell.key, outcome });
    } catch (error) {
      // Unexamined: what is no refusal is passed with its stack, and ends the sweep.
      const lines =
        error instanceof CommandFailure
          ? error.lines
          : [error instanceof Error ? (error.stack ?? error.message) : String(error)];
      answer({ kind: 'failed', lines });
    }
  });
  process.once('disconnect', () => process.exit(0));
}
