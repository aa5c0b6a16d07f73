// Runs a task periodically, with a fixed delay after each run. Failures are reported and do not stop it.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import { later } from '../../values/instant.ts';

export interface PeriodicTaskOptions {
  readonly clock: Clock;
  readonly observer: Pick<Observer, 'failed'>;
  readonly everyMs: number;
  /** The name under which failures are reported. */
  readonly where: string;
  readonly what: () => Promise<unknown>;
}

export class PeriodicTask {
  readonly #parts: PeriodicTaskOptions;
  #stopTimer: StopTimer | undefined;
  #isStopped = true;

  constructor(parts: PeriodicTaskOptions) {
    this.#parts = parts;
  }

  /** The first run is `everyMs` from now. */
  start(): void {
    this.#isStopped = false;
    this.#again();
  }

  /** A run in progress is completed. */
  stop(): void {
    this.#isStopped = true;
    this.#stopTimer?.();
  }

  #again(): void {
    const { clock, observer, everyMs, where, what } = this.#parts;
    if (this.#isStopped) return;
    this.#stopTimer = clock.at(later(clock.now(), everyMs), () => {
      what()
        .catch((error: unknown) => observer.failed({ where, error }))
        .finally(() => this.#again());
    });
  }
}
