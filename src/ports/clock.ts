// Time as the engine sees it: wall instants for the schedule, timers that fire at an instant.
import type { Instant } from '../values/instant.ts';

/** Stops a timer; harmless when it has fired. */
export type StopTimer = () => void;

export interface Clock {
  /** Wall time, UTC. */
  now(): Instant;
  /** Milliseconds on a clock that never steps; only differences mean anything. */
  monotonicMs(): number;
  /** Calls `then` at `dueAt`, at once when it has passed; never before it. */
  at(dueAt: Instant, then: () => void): StopTimer;
}
