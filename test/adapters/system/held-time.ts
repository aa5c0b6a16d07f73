// A source of time that stands still but for what a test lets pass: what a SystemClock makes of jumps of the wall
// clock does not depend on how busy the machine is. The timers the clock wakes by stay real.
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { TimeSource } from '../../../src/adapters/system/wall-offset.ts';
import { until } from '../until.ts';

export interface HeldTime {
  readonly clock: SystemClock;
  /** Jumps of the wall clock that the clock has noticed, in milliseconds. */
  readonly steps: readonly number[];
  /** Lets whole milliseconds pass on both clocks. */
  pass(ms: number): void;
  /** Moves the wall clock alone. */
  jump(ms: number): void;
  /** Waits until the clock, which must have a call pending, has looked at the time that it is now. */
  looked(): Promise<void>;
}

const START_MS = Date.UTC(2026, 10, 20);
/** Makes the wall clock turn while the clock under test is made: it waits for that. */
const TICK_MS = 0.25;

export function heldTime(): HeldTime {
  let tickMs = TICK_MS;
  let monotonicMs = 0;
  let aheadMs = 0;
  let looks = 0;
  const source: TimeSource = {
    wallMs: () => START_MS + Math.floor(monotonicMs) + aheadMs,
    monotonicMs: () => {
      looks += 1;
      monotonicMs += tickMs;
      return monotonicMs;
    },
  };
  const steps: number[] = [];
  const clock = new SystemClock({ source, onStep: (deltaMs) => steps.push(deltaMs) });
  tickMs = 0;
  return {
    clock,
    steps,
    pass: (ms) => {
      monotonicMs += ms;
    },
    jump: (ms) => {
      aheadMs += ms;
    },
    looked: async () => {
      const before = looks;
      // It looks when it is woken and when it falls asleep again: two looks later it has been woken anew.
      await until(() => looks >= before + 3);
    },
  };
}
