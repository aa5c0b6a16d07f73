// The life of a process that runs until it is told to stop: a signal ends it in order, a second one or
// the deadline as it is, and what only a new start can mend at once. The next start recovers.
import process from 'node:process';
import type { Log } from '../../adapters/telemetry/log/logger.ts';

/** Exit codes beside 0: what an operator's supervisor may tell apart. */
export const EXIT = { refused: 1, broken: 70 } as const;
/** After a signal nothing may keep the process longer than this. */
const HARD_STOP_MS = 9_800;
const SAME_WISH_MS = 1_000;

export interface Course {
  /** Rejects when it cannot start; whoever reads the log gets the message. */
  readonly open: () => Promise<void>;
  /** Ends in order what was opened. */
  readonly drain: () => Promise<void>;
  /** The last thing on every way out. */
  readonly release: () => void;
  /** SIGHUP: read again what may be read again; not called before `open` has resolved. */
  readonly onHangUp?: (() => void) | undefined;
  /** SIGUSR2: stop trading, and go on running. Called at any time: what is not open yet has to open halted. */
  readonly onHalt?: (() => void) | undefined;
}

export class ProcessLife {
  readonly #log: Log;
  readonly #course: Course;
  #isOpen = false;
  #isHangUpDue = false;
  #endingSince: number | undefined;
  /** Something failed while it was ending. */
  #isBroken = false;

  constructor(log: Log, course: Course) {
    this.#log = log;
    this.#course = course;
  }

  async start(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => void this.#end(signal));
    }
    const { onHangUp, onHalt } = this.#course;
    if (onHangUp !== undefined) process.on('SIGHUP', () => this.#hungUp());
    if (onHalt !== undefined) process.on('SIGUSR2', onHalt);
    process.on('uncaughtException', (error) => this.fatal(error));
    process.on('unhandledRejection', (error) => this.fatal(error));
    try {
      await this.#course.open();
      this.#isOpen = true;
      if (this.#isHangUpDue) this.#hungUp();
    } catch (error) {
      if (this.#endingSince !== undefined) {
        // What was still being opened finds closed what it needs.
        this.#log.logger.debug({ err: error }, 'ended while it was starting');
        return;
      }
      this.#log.logger.fatal(error instanceof Error ? error.message : String(error));
      this.#log.logger.debug({ err: error }, 'not started');
      this.#exit(EXIT.refused);
    }
  }

  /** While it is ending that goes on: it is bounded, and what was started has to be stopped. */
  fatal(error: unknown): void {
    if (this.#endingSince !== undefined) {
      this.#isBroken = true;
      this.#log.logger.error({ err: error }, 'failed while ending');
      return;
    }
    this.#log.logger.fatal({ err: error }, 'cannot go on; the next start recovers');
    this.#exit(EXIT.broken);
  }

  /** What comes before everything is open counts as soon as it is. */
  #hungUp(): void {
    this.#isHangUpDue = !this.#isOpen;
    if (this.#isOpen) this.#course.onHangUp?.();
  }

  async #end(signal: string): Promise<void> {
    const { logger } = this.#log;
    if (this.#endingSince !== undefined) {
      // A terminal and a supervisor may both deliver the same wish.
      if (performance.now() - this.#endingSince < SAME_WISH_MS) return;
      logger.warn(`${signal} again: ending at once`);
      this.#exit(EXIT.broken);
    }
    this.#endingSince = performance.now();
    logger.info(`${signal}: draining`);
    setTimeout(() => this.#exit(EXIT.broken), HARD_STOP_MS).unref();
    try {
      await this.#course.drain();
    } catch (error) {
      this.fatal(error);
    }
    logger.info('ended');
    this.#exit(this.#isBroken ? EXIT.broken : 0);
  }

  #exit(code: number): never {
    this.#course.release();
    this.#log.flushSync();
    process.exit(code);
  }
}
