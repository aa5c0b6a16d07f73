// Time as the engine sees it: wall instants for the schedule, timers that fire at an instant.
import type { Instant } from '../values/instant.ts';

/** Stops a timer; harmless when it has fired. */
export type StopTimer = () => void;

export interface Clock {
  /** Wall time, UTC. */
  now(): Instant;
  /** Milliseconds on a clock that never steps; only differences mean anything. */
  monotonicMs(): number;
  /**
   * Calls `then` at `dueAt`, at once when it has passed; never before it, and up to two milliseconds after it. A live
   * clock may spend processor time to be `exact` to a tenth of a millisecond: ask for it where an order waits.
   */
  at(dueAt: Instant, then: () => void, punctuality?: 'exact'): StopTimer;
}
