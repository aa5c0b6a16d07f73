// Imminent wakes, each waiting in this process for its instant. A wake waits only once, whether it came
// through Redis, directly, or both ways.

import { CROWD_AHEAD_MS_MAX } from '../../core/portfolio/next-wake.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Wake } from '../../ports/job-queue.ts';
import { later } from '../../values/instant.ts';
import { wakeId } from './wake-job.ts';

/** `duplicate`: the same wake is already waiting. `released`: returned before it was due. */
export type HoldEnd = 'called' | 'duplicate' | 'released';

/**
 * By how much each further wake of the same step is called sooner, so that the slices of a crowd are decided and durable
 * when they are due; about what a slice costs before its order is sent.
 */
const CROWD_STEP_MS = 0.25;
/** Instants this close together are those of one crowd. */
const CROWD_MS = 25;
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
  /** Wakes held, by the step of their instants. */
  readonly #crowds = new Map<number, number>();
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
      const inHand = hasTimeInHand(wake);
      const crowd = Math.floor(wake.dueAt / CROWD_MS);
      const due = (): void => {
        // Removed before the call, which may schedule the same wake again.
        this.#held.delete(id);
        if (inHand) this.#leaveCrowd(crowd);
        resolve(this.#run(wake));
      };
      const aheadMs = inHand ? this.#joinCrowd(crowd) : 0;
      const stop = this.#clock.at(later(wake.dueAt, -aheadMs), due, inHand ? undefined : 'exact');
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
    this.#crowds.clear();
  }

  /** Settles once no call is running. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Returns how much sooner than its instant the wake is to be called. */
  #joinCrowd(crowd: number): number {
    const before = this.#crowds.get(crowd) ?? 0;
    this.#crowds.set(crowd, before + 1);
    return Math.min(CROWD_AHEAD_MS_MAX, Math.floor(before * CROWD_STEP_MS));
  }

  #leaveCrowd(crowd: number): void {
    const left = (this.#crowds.get(crowd) ?? 0) - 1;
    if (left > 0) this.#crowds.set(crowd, left);
    else this.#crowds.delete(crowd);
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
