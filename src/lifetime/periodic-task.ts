// Runs a task periodically, with a fixed delay after each run. Failures are reported and do not stop it.
import type { Clock, StopTimer } from '../ports/clock.ts';
import type { Observer } from '../ports/observer.ts';
import { later } from '../values/instant.ts';
import { InFlight } from './in-flight.ts';
import type { Lifetime } from './lifetime.ts';

export interface PeriodicTaskOptions {
  readonly clock: Clock;
  readonly observer: Observer;
  readonly everyMs: number;
  /** The name under which failures are reported. */
  readonly where: string;
  readonly what: () => Promise<unknown>;
}

export class PeriodicTask implements Lifetime {
  readonly #options: PeriodicTaskOptions;
  readonly #runs = new InFlight();
  #stopTimer: StopTimer | undefined;
  #isStopped = true;

  constructor(options: PeriodicTaskOptions) {
    this.#options = options;
  }

  /** The first run is `everyMs` from now. */
  start(): Promise<void> {
    this.#isStopped = false;
    this.#again();
    return Promise.resolve();
  }

  /** Completes the run in progress. */
  drain(): Promise<void> {
    this.stop();
    return this.#runs.idle();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer?.();
  }

  #again(): void {
    const { clock, observer, everyMs, where, what } = this.#options;
    if (this.#isStopped) return;
    this.#stopTimer = clock.at(later(clock.now(), everyMs), () => {
      this.#runs
        .track(what())
        .catch((error: unknown) => observer.observe({ event: 'failed', where, error }))
        .finally(() => this.#again());
    });
  }
}
