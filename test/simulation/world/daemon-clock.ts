// The clock of one process: offset from true time, stepped at times, and silent after the process has died.
// Timers set before a step keep their moment, as on a real machine.
import type { Clock, StopTimer } from '../../../src/ports/clock.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import type { Life } from './life.ts';

export class DaemonClock implements Clock {
  readonly #truth: VirtualClock;
  readonly #life: Life;
  readonly #offsetMs: () => number;

  constructor(truth: VirtualClock, life: Life, offsetMs: () => number) {
    this.#truth = truth;
    this.#life = life;
    this.#offsetMs = offsetMs;
  }

  now(): Instant {
    return later(this.#truth.now(), this.#offsetMs());
  }

  monotonicMs(): number {
    return this.#truth.monotonicMs();
  }

  at(dueAt: Instant, then: () => void): StopTimer {
    let isStopped = false;
    const fire = (): void => {
      if (!isStopped) then();
    };
    const stop = this.#truth.at(later(dueAt, -this.#offsetMs()), () => {
      this.#life.whenMoving(fire);
    });
    return () => {
      isStopped = true;
      stop();
    };
  }
}
