// `top`: shows the active portfolios full-screen, refreshed every second; an unreachable daemon is waited
// for. Without a terminal, or with --once, it prints the table once.

import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from 'commander';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { printable, printableData } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  type Daemon,
  reachDaemon,
  withConnection,
} from '../daemon-client.ts';
import { openFullScreen } from './full-screen.ts';
import { RateLimited, readTop, type TopReading } from './top-reading.ts';
import { type TopScreen, topLines } from './top-screen.ts';

interface Options extends ConnectionOptions {
  readonly every: number;
  readonly once?: boolean;
  readonly json?: boolean;
}

const EVERY_SEC_DEFAULT = 1;
/** Used without a screen to fit. */
const ROWS_UNBOUNDED = 10_000;

export const addTop: AddCommand = (program, terminal) => {
  withConnection(program.command('top'))
    .option('--every <sec>', 'refresh interval', readSeconds, EVERY_SEC_DEFAULT)
    .option('--once', 'print the table once')
    .option('--json', 'print one reading as JSON')
    .action(async (options: Options) => {
      const daemon = reachDaemon(options);
      if (options.json || options.once || !terminal.isLive)
        await printOnce(daemon, options, terminal);
      else await watchAll(daemon, options.every * 1_000, terminal);
    });
};

async function printOnce(daemon: Daemon, options: Options, terminal: Terminal): Promise<void> {
  const reading = await readTop(daemon).catch((error: Error) => {
    throwProgrammingError(error);
    if (error instanceof RateLimited) throw new CommandFailure('refused', [error.message]);
    throw new CommandFailure('unreachable', [
      `the daemon does not answer: ${printable(error.message)}`,
    ]);
  });
  if (options.json) return terminal.print(jsonText(reading));
  const screen = { nowMs: Date.now(), columns: terminal.columns(), rows: ROWS_UNBOUNDED };
  for (const line of topLines(printableData(reading), screen)) terminal.print(line);
}

async function watchAll(daemon: Daemon, everyMs: number, terminal: Terminal): Promise<void> {
  const screen = openFullScreen(terminal.draw);
  let reading: TopReading | undefined;
  let trouble: Error | undefined;
  let isLeaving = false;
  const redraw = (): void => {
    const at = { nowMs: Date.now(), columns: terminal.columns(), rows: screen.rows() };
    screen.show(topLines(reading, { ...at, ...noticeOf(trouble) }));
  };
  const left = screen.left.then(() => {
    isLeaving = true;
  });
  screen.onResize(redraw);
  try {
    while (!isLeaving) {
      const looked = readTop(daemon).then(
        (read) => {
          reading = printableData(read);
          trouble = undefined;
        },
        (error: Error) => {
          trouble = error;
        },
      );
      await Promise.race([looked, left]);
      if (isLeaving) break;
      redraw();
      await Promise.race([sleep(Math.max(everyMs, waitMsOf(trouble))), left]);
    }
  } finally {
    screen.close();
  }
}

/** A daemon that limits the rate is reachable, and says when to retry. */
export function noticeOf(trouble: Error | undefined): Pick<TopScreen, 'notice' | 'noticeState'> {
  if (trouble === undefined) return {};
  if (trouble instanceof RateLimited) {
    return { notice: trouble.message, noticeState: 'rate limited' };
  }
  const notice = `the daemon does not answer, waiting for it: ${printable(reasonOf(trouble))}`;
  return { notice, noticeState: 'away' };
}

/** How long the daemon asks to be left alone. */
export const waitMsOf = (trouble: Error | undefined): number =>
  trouble instanceof RateLimited ? trouble.retryAfterSec * 1_000 : 0;

/** The cause of a failed request is more informative than its message. */
const reasonOf = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message || error.message : error.message;

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds >= 0.2 && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError('accepted: 0.2 to 3600 seconds');
}
