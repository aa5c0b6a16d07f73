import { describe, expect, test } from 'vitest';
import { instant, later } from '../../src/values/instant.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { clockConformance } from '../conformance/clock.ts';

const START = instant(Date.UTC(2026, 0, 1));
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('VirtualClock', () => {
  clockConformance(() => {
    const clock = new VirtualClock(START);
    const until = async (condition: () => boolean): Promise<void> => {
      while (!condition()) await clock.run(later(clock.now(), 1), settle);
    };
    return { clock, until };
  });

  test('VirtualClock advances only on request, and each call sees its own instant', () => {
    const clock = new VirtualClock(START);
    const shown: number[] = [];
    clock.at(later(START, 5), () => shown.push(clock.now()));
    clock.at(later(START, 9), () => shown.push(clock.now()));
    expect(clock.nextDueAt()).toBe(later(START, 5));
    clock.advanceTo(later(START, 7));
    expect(clock.now()).toBe(later(START, 7));
    expect(clock.nextDueAt()).toBe(later(START, 9));
    clock.advanceTo(later(START, 20));
    expect(shown).toEqual([later(START, 5), later(START, 9)]);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test('VirtualClock refuses to go back', () => {
    const clock = new VirtualClock(START);
    expect(() => clock.advanceTo(later(START, -1))).toThrow('time does not go back');
  });

  test('VirtualClock waits for the work of a call before time moves on', async () => {
    const clock = new VirtualClock(START);
    const trace: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let i = 0; i < 5; i += 1) await Promise.resolve();
      trace.push(`${name} done at ${clock.now() - START}`);
    };
    clock.at(later(START, 1), () => void work('one'));
    clock.at(later(START, 2), () => void work('two'));
    await clock.run(later(START, 10), settle);
    expect(trace).toEqual(['one done at 1', 'two done at 2']);
    expect(clock.now()).toBe(later(START, 10));
  });

  test('work started before the first call may register further calls', async () => {
    const clock = new VirtualClock(START);
    const called: number[] = [];
    const work = async (): Promise<void> => {
      await Promise.resolve();
      clock.at(later(START, 3), () => called.push(3));
    };
    const begun = work();
    await clock.run(later(START, 5), settle);
    await begun;
    expect(called).toEqual([3]);
  });

  test('a step of the wall clock neither advances nor repeats registered calls', () => {
    const clock = new VirtualClock(START);
    let calls = 0;
    clock.at(later(START, 10), () => {
      calls += 1;
    });
    clock.stepWall(30_000);
    clock.advanceTo(later(clock.now(), 9));
    expect(calls).toBe(0);
    clock.advanceTo(later(clock.now(), 1));
    expect(calls).toBe(1);
    clock.stepWall(-60_000);
    clock.advanceTo(later(clock.now(), 120_000));
    expect(calls).toBe(1);
  });
});
