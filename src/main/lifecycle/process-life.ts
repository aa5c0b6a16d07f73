// The life cycle of a long-running process: a signal stops it in order; a second signal or the deadline stops
// it immediately, as does a failure that only a restart can repair. The next start recovers.

import process from 'node:process';
import type { Log } from '../../adapters/telemetry/log/logger.ts';
import { isProgrammingError } from '../../values/errors/programming-error.ts';
import { isSupervised, tellSupervisor } from './part-messages.ts';

/** Exit codes other than 0 that an operator's supervisor may distinguish. */
export const EXIT = { refused: 1, broken: 70 } as const;
/** After a signal nothing may keep the process alive longer than this. */
const HARD_STOP_MS = 9_800;
const SAME_WISH_MS = 1_000;

export interface Course {
  /** Rejects if the process cannot start; the message is logged. */
  readonly open: () => Promise<void>;
  /** Closes in order what was opened. */
  readonly drain: () => Promise<void>;
  /** The last call before every exit. */
  readonly release: () => void;
  /** SIGHUP: reloads what can be reloaded; not called before `open` has resolved. */
  readonly onHangUp?: (() => void) | undefined;
  /**
   * SIGUSR2: stops trading but keeps running. May be called at any time: what is not open yet must open
   * halted.
   */
  readonly onHalt?: (() => void) | undefined;
}

export class ProcessLife {
  readonly #log: Log;
  readonly #course: Course;
  #isOpen = false;
  #isHangUpDue = false;
  #endingSince: number | undefined;
  /** A failure occurred while stopping. */
  #isBroken = false;

  constructor(log: Log, course: Course) {
    this.#log = log;
    this.#course = course;
  }

  async start(): Promise<void> {
    process.on('SIGTERM', () => void this.#end('SIGTERM'));
    // A terminal sends Ctrl-C to every process of the daemon; parts are ended by their supervisor, in order.
    process.on('SIGINT', () => {
      if (!isSupervised()) void this.#end('SIGINT');
    });
    process.on('disconnect', () => this.#abandoned());
    const { onHangUp, onHalt } = this.#course;
    if (onHangUp !== undefined) process.on('SIGHUP', () => this.#hungUp());
    if (onHalt !== undefined) process.on('SIGUSR2', onHalt);
    process.on('uncaughtException', (error) => this.fatal(error));
    process.on('unhandledRejection', (error) => this.fatal(error));
    tellSupervisor({ kind: 'handling' });
    try {
      await this.#course.open();
      this.#isOpen = true;
      if (this.#isHangUpDue) this.#hungUp();
    } catch (error) {
      if (this.#endingSince !== undefined) {
        // A component that is still opening finds its dependencies closed.
        this.#log.logger.debug({ err: error }, 'ended while it was starting');
        return;
      }
      if (isProgrammingError(error)) {
        this.#log.logger.fatal(fieldsOf(error), 'not started: a mistake of the program');
        this.#exit(EXIT.broken);
      }
      this.#log.logger.fatal(error instanceof Error ? error.message : String(error));
      this.#log.logger.debug({ err: error }, 'not started');
      this.#exit(EXIT.refused);
    }
  }

  /** An ordered stop in progress continues: it is bounded, and started servers must be stopped. */
  fatal(error: unknown): void {
    if (this.#endingSince !== undefined) {
      this.#isBroken = true;
      this.#log.logger.error(fieldsOf(error), 'failed while ending');
      return;
    }
    this.#log.logger.fatal(fieldsOf(error), 'cannot continue; the next start recovers');
    this.#exit(EXIT.broken);
  }

  /** A part without its supervisor would stay behind unseen: it ends as if it had been killed with it. */
  #abandoned(): void {
    if (this.#endingSince !== undefined) return;
    this.#log.logger.warn('the supervisor of this process is gone; the next start recovers');
    this.#exit(EXIT.broken);
  }

  /** A signal that arrives before everything is open takes effect afterwards. */
  #hungUp(): void {
    this.#isHangUpDue = !this.#isOpen;
    if (this.#isOpen) this.#course.onHangUp?.();
  }

  async #end(signal: string): Promise<void> {
    const { logger } = this.#log;
    if (this.#endingSince !== undefined) {
      // A terminal and a supervisor may both deliver the same request.
      if (performance.now() - this.#endingSince < SAME_WISH_MS) return;
      logger.warn(`${signal} again: exiting immediately`);
      this.#exit(EXIT.broken);
    }
    this.#endingSince = performance.now();
    logger.info(`${signal}: draining`);
    setTimeout(() => this.#exit(EXIT.broken), HARD_STOP_MS).unref();
    try {
      await this.#course.drain();
    } catch (error) {
      // Unexamined: whatever it is, it is logged with its stack and shows in the exit code.
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

/** A process that ends by a programming error names it as an observer would. */
const fieldsOf = (err: unknown): object =>
  isProgrammingError(err) ? { event: 'programming_error', err } : { err };
