// The wall clock's offset while the process is stopped between its readings of the two clocks.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TimeSource, WallOffset } from '../../../src/adapters/system/wall-offset.ts';

const START_MS = Date.UTC(2026, 10, 20);

/** Both clocks advance by each delay in turn before they are read, as while the process is suspended; then by 0.1 ms. */
function stopping(delays: readonly number[]) {
  const left = [...delays];
  let passedMs = 0;
  let aheadMs = 0;
  const advance = (): void => {
    passedMs += left.shift() ?? 0.1;
  };
  const source: TimeSource = {
    wallMs: () => {
      advance();
      return START_MS + Math.floor(passedMs) + aheadMs;
    },
    monotonicMs: () => {
      advance();
      return passedMs;
    },
  };
  const jump = (ms: number): void => {
    aheadMs += ms;
  };
  return { source, jump, truth: () => START_MS + passedMs };
}

const delays = fc.array(
  fc.oneof(fc.constant(0.1), fc.double({ min: 0, max: 60_000, noNaN: true })),
  {
    maxLength: 60,
    size: 'max',
  },
);

describe('the offset of the wall clock', () => {
  it('a suspension of the process is never taken for a step of the clock, wherever it happens', () => {
    fc.assert(
      fc.property(delays, (each) => {
        const steps: number[] = [];
        const { source, truth } = stopping(each);
        const offset = new WallOffset(source, (deltaMs) => steps.push(deltaMs));
        for (let n = 0; n < 30; n += 1) offset.steadyNowMs();
        expect(steps).toEqual([]);
        expect(Math.abs(offset.steadyNowMs() - truth())).toBeLessThan(1.5);
      }),
    );
  });

  it('a step of the clock is reported once, also if the process was suspended meanwhile', () => {
    fc.assert(
      fc.property(delays, fc.integer({ min: 1_000, max: 9_000_000 }), (each, ms) => {
        const steps: number[] = [];
        const { source, jump } = stopping(each);
        const offset = new WallOffset(source, (deltaMs) => steps.push(deltaMs));
        jump(ms);
        for (let n = 0; n < 30; n += 1) offset.steadyNowMs();
        expect(steps).toHaveLength(1);
        expect(Math.abs((steps[0] ?? 0) - ms)).toBeLessThanOrEqual(250);
      }),
    );
  });
});
