// Time for the engine: wall-clock instants for the schedule, and timers that fire at an instant.
import type { Instant } from '../values/instant.ts';

/** Stops a timer; harmless after it has fired. */
export type StopTimer = () => void;

export interface Clock {
  /** Wall time, UTC. */
  now(): Instant;
  /** Milliseconds on a monotonic clock; only differences are meaningful. */
  monotonicMs(): number;
  /**
   * Calls `then` at `dueAt`, or immediately if it has passed; never early, and up to two milliseconds late. `exact`
   * lets a live clock spend processor time to be accurate to a tenth of a millisecond: use it when an order is
   * waiting.
   */
  at(dueAt: Instant, then: () => void, punctuality?: 'exact'): StopTimer;
}
