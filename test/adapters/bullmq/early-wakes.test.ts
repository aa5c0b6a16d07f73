// How punctual the wakes are that wait in this process for their instant.
import { expect, test } from 'vitest';
import { EarlyWakes } from '../../../src/adapters/bullmq/early-wakes.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { DueSlice, Wake } from '../../../src/ports/job-queue.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';

const DUE_AT = instant(1_800_000_000_000);

const slice = (leg: number, afterMs: number): DueSlice => ({
  leg,
  slice: 3,
  dueAt: later(DUE_AT, afterMs),
});

/** The punctuality that is asked of the clock for a wake with these slices. */
function askedFor(slices?: readonly DueSlice[]): 'exact' | undefined {
  const asked: ('exact' | undefined)[] = [];
  const clock: Clock = {
    now: () => later(DUE_AT, -200),
    monotonicMs: () => 0,
    at: (_dueAt, _then, punctuality) => {
      asked.push(punctuality);
      return () => undefined;
    },
  };
  const wake: Wake = { portfolio: portfolioId('7'), shard: 4, dueAt: DUE_AT, slices };
  void new EarlyWakes(clock, () => Promise.resolve()).hold(wake);
  expect(asked).toHaveLength(1);
  return asked[0];
}

test('a wake for slices that are decided ahead of their instant may come a moment late', () => {
  expect(askedFor([slice(0, 25), slice(1, 25)])).toBeUndefined();
});

test('a wake is exact if a slice is due with it or soon after, or if it is for something else', () => {
  expect(askedFor([slice(0, 0)])).toBe('exact');
  expect(askedFor([slice(0, 25), slice(1, 2)])).toBe('exact');
  expect(askedFor([])).toBe('exact');
  expect(askedFor()).toBe('exact');
});
