// How punctual the wakes are that wait in this process for their instant.
import { expect, test } from 'vitest';
import { EarlyWakes } from '../../../src/adapters/bullmq/early-wakes.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { DueSlice, Wake } from '../../../src/ports/job-queue.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';

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

/** How long before their instants these many wakes of one instant are called, in the order in which they were held. */
function aheadOf(count: number, slices?: readonly DueSlice[]): number[] {
  const aheadMs: number[] = [];
  const clock: Clock = {
    now: () => later(DUE_AT, -400),
    monotonicMs: () => 0,
    at: (dueAt) => {
      aheadMs.push(DUE_AT - dueAt);
      return () => undefined;
    },
  };
  const wakes = new EarlyWakes(clock, () => Promise.resolve());
  for (let index = 1; index <= count; index += 1) {
    const portfolio = portfolioId(String(index));
    void wakes.hold({ portfolio, shard: 4, dueAt: DUE_AT, slices });
  }
  return aheadMs;
}

test('wakes for slices of one instant are called the sooner the more there are, by 250 ms at most', () => {
  const aheadMs = aheadOf(1_200, [slice(0, 25)]);
  expect(aheadMs.slice(0, 9)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2]);
  expect(aheadMs[999]).toBe(249);
  expect(Math.max(...aheadMs)).toBe(250);
  expect(aheadMs).toEqual(aheadMs.toSorted((a, b) => a - b));
});

test('wakes of one instant that are not for slices decided ahead are called at it', () => {
  expect(new Set(aheadOf(100))).toEqual(new Set([0]));
  expect(new Set(aheadOf(100, [slice(0, 0)]))).toEqual(new Set([0]));
});

test('a wake is called no sooner once those of its instant before it have been called', () => {
  const clock = new VirtualClock(later(DUE_AT, -400));
  const calledAt: number[] = [];
  const wakes = new EarlyWakes(clock, () => {
    calledAt.push(clock.now() - DUE_AT);
    return Promise.resolve();
  });
  const hold = (id: number): unknown =>
    wakes.hold({
      portfolio: portfolioId(String(id)),
      shard: 4,
      dueAt: DUE_AT,
      slices: [slice(0, 25)],
    });
  for (let id = 1; id <= 5; id += 1) void hold(id);
  clock.advanceTo(DUE_AT);
  expect(calledAt).toEqual([-1, 0, 0, 0, 0]);
  void hold(6);
  clock.advanceTo(later(DUE_AT, 1));
  expect(calledAt).toEqual([-1, 0, 0, 0, 0, 0]);
});
