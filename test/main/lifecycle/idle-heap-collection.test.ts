// An idle gateway gives back the memory of what it has answered.
import { expect, test } from 'vitest';
import { isWorthReturning, returnHeap } from '../../../src/main/lifecycle/idle-heap-collection.ts';

const MIB = 1024 * 1024;

test.each([
  [
    'idle and grown by 128 MiB',
    { heapBytes: 300 * MIB, keptBytes: 172 * MIB, utilization: 0 },
    true,
  ],
  ['grown by less', { heapBytes: 300 * MIB, keptBytes: 172 * MIB + 1, utilization: 0 }, false],
  ['grown since its start', { heapBytes: 128 * MIB, keptBytes: 0, utilization: 0.04 }, true],
  ['busy', { heapBytes: 740 * MIB, keptBytes: 0, utilization: 0.05 }, false],
  [
    'smaller than after the last return',
    { heapBytes: 90 * MIB, keptBytes: 300 * MIB, utilization: 0 },
    false,
  ],
])('a heap that is %s is judged', (_what, reading, expected) => {
  expect(isWorthReturning(reading)).toBe(expected);
});

test('a heap that held a million objects is that much smaller after it is returned', () => {
  const before = returnHeap();
  let held: string[][] = Array.from({ length: 1_000_000 }, (_, n) => [
    `${n} a`,
    `${n} b`,
    `${n} c`,
  ]);
  const full = process.memoryUsage().heapTotal;
  expect(held.length).toBe(1_000_000);
  expect(full - before).toBeGreaterThan(50 * MIB);
  held = [];
  expect(returnHeap()).toBeLessThan(before + (full - before) / 4);
});
