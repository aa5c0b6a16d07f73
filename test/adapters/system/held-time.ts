// A time source that advances only when a test says so: how a SystemClock handles jumps of the wall clock
// must not depend on the machine's load. The timers that wake the clock stay real.
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { TimeSource } from '../../../src/adapters/system/wall-offset.ts';
import { until } from '../until.ts';

export interface HeldTime {
  readonly clock: SystemClock;
  /** Jumps of the wall clock that the clock has detected, in milliseconds. */
  readonly steps: readonly number[];
  /** Advances both clocks by whole milliseconds. */
  pass(ms: number): void;
  /** Moves only the wall clock. */
  jump(ms: number): void;
  /** Resolves once the clock, which must have a call pending, has read the current time. */
  looked(): Promise<void>;
}

const START_MS = Date.UTC(2026, 10, 20);
/** Advances the wall clock while the clock under test is created, which waits for that. */
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
      // It reads the time when it wakes and when it goes back to sleep: after two more reads it has woken again.
      await until(() => looks >= before + 3);
    },
  };
}
