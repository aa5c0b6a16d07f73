// A Clock that advances only on request. Calls run in the order of their due times, ties in the order of
// registration, so that the same program always takes the same course.
import type { Clock, StopTimer } from '../ports/clock.ts';
import { assert } from '../values/assert.ts';
import { type Instant, instant } from '../values/instant.ts';
import { TimerHeap } from '../values/timer-heap.ts';

/** Waits until all work started by a call has completed. */
export type Settle = () => Promise<void>;

export class VirtualClock implements Clock {
  readonly #heap = new TimerHeap();
  /** The time of the heap and the monotonic clock; the wall clock is `#aheadMs` ahead of it. */
  #elapsedMs = 0;
  #aheadMs: number;

  constructor(start: Instant) {
    this.#aheadMs = start;
  }

  now(): Instant {
    return instant(this.#elapsedMs + this.#aheadMs);
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  at(dueAt: Instant, then: () => void): StopTimer {
    const entry = this.#heap.add(dueAt - this.#aheadMs, then);
    return () => {
      this.#heap.remove(entry);
    };
  }

  /** When the next call runs, never before now; `undefined` if none is left. */
  nextDueAt(): Instant | undefined {
    const dueMs = this.#heap.nextDueMs;
    if (dueMs === undefined) return undefined;
    return instant(Math.max(dueMs, this.#elapsedMs) + this.#aheadMs);
  }

  /** Runs everything due up to `until`, without waiting for work that the calls start. */
  advanceTo(until: Instant): void {
    const untilMs = this.#target(until);
    for (let due = this.#heap.takeDue(untilMs); due; due = this.#heap.takeDue(untilMs)) {
      this.#elapsedMs = Math.max(this.#elapsedMs, due.dueMs);
      due.then();
    }
    this.#elapsedMs = Math.max(this.#elapsedMs, untilMs);
  }

  /** Runs the next call if it is due by `until`; returns false if there is none. */
  runNext(until: Instant): boolean {
    const due = this.#heap.takeDue(this.#target(until));
    if (due === undefined) return false;
    this.#elapsedMs = Math.max(this.#elapsedMs, due.dueMs);
    due.then();
    return true;
  }

  /** Like `advanceTo`, but waits for all work to complete before the first call and after each one. */
  async run(until: Instant, settle: Settle): Promise<void> {
    const untilMs = this.#target(until);
    await settle();
    for (let due = this.#heap.takeDue(untilMs); due; due = this.#heap.takeDue(untilMs)) {
      this.#elapsedMs = Math.max(this.#elapsedMs, due.dueMs);
      due.then();
      await settle();
    }
    this.#elapsedMs = Math.max(this.#elapsedMs, untilMs);
  }

  /** Steps the wall clock; calls registered before keep their moment, as on a real machine. */
  stepWall(deltaMs: number): void {
    this.#aheadMs += deltaMs;
  }

  #target(until: Instant): number {
    const untilMs = until - this.#aheadMs;
    assert(
      untilMs >= this.#elapsedMs,
      () => `time does not go back: asked for ${until} at ${this.now()}`,
    );
    return untilMs;
  }
}
