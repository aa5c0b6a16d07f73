// Wakes that are near: each waits here, in this process, for its exact instant. One wake is held once,
// whether it came through Redis, directly, or both ways.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Wake } from '../../ports/job-queue.ts';
import { wakeId } from './wake-job.ts';

/** `duplicate`: the same wake is held already. `released`: let go before it was due. */
export type HoldEnd = 'called' | 'duplicate' | 'released';

interface Held {
  readonly stop: StopTimer;
  readonly release: () => void;
}

export class EarlyWakes {
  readonly #clock: Clock;
  readonly #onWake: (wake: Wake) => Promise<void>;
  readonly #held = new Map<string, Held>();
  readonly #running = new Set<Promise<HoldEnd>>();
  #released = false;

  constructor(clock: Clock, onWake: (wake: Wake) => Promise<void>) {
    this.#clock = clock;
    this.#onWake = onWake;
  }

  /** Settles when the call has ended; rejects with what the call threw. */
  hold(wake: Wake): Promise<HoldEnd> {
    const id = wakeId(wake);
    if (this.#released) return Promise.resolve('released');
    if (this.#held.has(id)) return Promise.resolve('duplicate');
    return new Promise((resolve) => {
      const due = (): void => {
        // Gone before the call, which may ask for the same wake again.
        this.#held.delete(id);
        resolve(this.#run(wake));
      };
      const stop = this.#clock.at(wake.dueAt, due, 'exact');
      this.#held.set(id, { stop, release: () => resolve('released') });
    });
  }

  /** Lets go of all that is not due yet, and holds nothing from now on. */
  release(): void {
    this.#released = true;
    for (const held of this.#held.values()) {
      held.stop();
      held.release();
    }
    this.#held.clear();
  }

  /** Settles when no call runs any more. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  #run(wake: Wake): Promise<HoldEnd> {
    const running: Promise<HoldEnd> = this.#call(wake).finally(() => {
      this.#running.delete(running);
    });
    this.#running.add(running);
    return running;
  }

  async #call(wake: Wake): Promise<HoldEnd> {
    await this.#onWake(wake);
    return 'called';
  }
}
