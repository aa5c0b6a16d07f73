// A clock that differs from true time by a fixed offset: that of a venue, or of a process that is never suspended.
import type { Clock } from '../../../../src/ports/clock.ts';
import { later } from '../../../../src/values/instant.ts';

/** `clock` with a wall clock that is `offsetMs` ahead of it. */
export const offsetClock = (clock: Clock, offsetMs: number): Clock => ({
  now: () => later(clock.now(), offsetMs),
  monotonicMs: () => clock.monotonicMs(),
  at: (dueAt, then) => clock.at(later(dueAt, -offsetMs), then),
});
