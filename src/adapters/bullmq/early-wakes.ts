// Imminent wakes, each waiting in this process for its instant. A wake waits only once, whether it came
// through Redis, directly, or both ways.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Wake } from '../../ports/job-queue.ts';
import { wakeId } from './wake-job.ts';

/** `duplicate`: the same wake is already waiting. `released`: returned before it was due. */
export type HoldEnd = 'called' | 'duplicate' | 'released';

/** The clock is up to two milliseconds late where nothing depends on it. */
const TIME_IN_HAND_MS = 10;

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
        // Removed before the call, which may schedule the same wake again.
        this.#held.delete(id);
        resolve(this.#run(wake));
      };
      const stop = this.#clock.at(wake.dueAt, due, hasTimeInHand(wake) ? undefined : 'exact');
      this.#held.set(id, { stop, release: () => resolve('released') });
    });
  }

  /** Releases every wake that is not yet due, and accepts none from now on. */
  release(): void {
    this.#released = true;
    for (const held of this.#held.values()) {
      held.stop();
      held.release();
    }
    this.#held.clear();
  }

  /** Settles once no call is running. */
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

/** Slices that are decided ahead of their instants: a millisecond more delays none of them. */
const hasTimeInHand = ({ dueAt, slices = [] }: Wake): boolean =>
  slices.length > 0 && slices.every((slice) => slice.dueAt - dueAt >= TIME_IN_HAND_MS);
