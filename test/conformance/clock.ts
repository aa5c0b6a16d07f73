// Contract of every Clock, whatever its source of time.
import { expect, test } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import { later } from '../../src/values/instant.ts';

export interface ClockStage {
  readonly clock: Clock;
  /** Lets at least this much time pass. */
  pass(ms: number): Promise<void>;
}

export function clockConformance(open: () => ClockStage): void {
  test('a timer fires at or after its instant, and never synchronously within `at`', async () => {
    const { clock, pass } = open();
    const dueAt = later(clock.now(), 20);
    const calledAt: number[] = [];
    clock.at(dueAt, () => calledAt.push(clock.now()));
    expect(calledAt).toEqual([]);
    await pass(40);
    expect(calledAt).toHaveLength(1);
    expect(calledAt[0]).toBeGreaterThanOrEqual(dueAt);
  });

  test('timers fire in order of their instants, ties in the order of registration', async () => {
    const { clock, pass } = open();
    const start = clock.now();
    const order: string[] = [];
    for (const [name, inMs] of [
      ['c', 30],
      ['a', 10],
      ['b1', 20],
      ['b2', 20],
    ] as const) {
      clock.at(later(start, inMs), () => order.push(name));
    }
    await pass(60);
    expect(order).toEqual(['a', 'b1', 'b2', 'c']);
  });

  test('a timer whose instant has passed fires as soon as time can advance', async () => {
    const { clock, pass } = open();
    let called = false;
    clock.at(later(clock.now(), -1_000), () => {
      called = true;
    });
    expect(called).toBe(false);
    await pass(5);
    expect(called).toBe(true);
  });

  test('a stopped timer never fires, and stopping it twice or too late is harmless', async () => {
    const { clock, pass } = open();
    const called: string[] = [];
    const stop = clock.at(later(clock.now(), 10), () => called.push('stopped'));
    const stopLate = clock.at(later(clock.now(), 10), () => called.push('kept'));
    stop();
    stop();
    await pass(30);
    stopLate();
    expect(called).toEqual(['kept']);
  });

  test("a timer's callback can set another timer and stop one that is due at the same instant", async () => {
    const { clock, pass } = open();
    const called: string[] = [];
    const dueAt = later(clock.now(), 10);
    clock.at(dueAt, () => {
      called.push('first');
      stopSecond();
      clock.at(dueAt, () => called.push('asked for'));
    });
    const stopSecond = clock.at(dueAt, () => called.push('second'));
    await pass(30);
    expect(called).toEqual(['first', 'asked for']);
  });

  test('monotonic time advances with the timers', async () => {
    const { clock, pass } = open();
    const start = clock.monotonicMs();
    let at = start;
    clock.at(later(clock.now(), 25), () => {
      at = clock.monotonicMs();
    });
    await pass(40);
    expect(at - start).toBeGreaterThan(23);
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(at);
  });
}
