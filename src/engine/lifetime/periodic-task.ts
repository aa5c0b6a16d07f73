// Does one thing again and again, each time so long after the last has ended. A failure is told, and ends nothing.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import { later } from '../../values/instant.ts';

export interface PeriodicTaskOptions {
  readonly clock: Clock;
  readonly observer: Pick<Observer, 'failed'>;
  readonly everyMs: number;
  /** What a failure is told under. */
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

  /** The first time is `everyMs` from now. */
  start(): void {
    this.#isStopped = false;
    this.#again();
  }

  /** What is under way goes on to its end. */
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
