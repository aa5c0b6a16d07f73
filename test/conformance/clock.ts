// Contract of every Clock, whatever its source of time.
import { expect, test } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import { later } from '../../src/values/instant.ts';

export interface ClockStage {
  readonly clock: Clock;
  /** Lets time pass until the condition holds; fails if it never does. */
  until(condition: () => boolean): Promise<void>;
}

export function clockConformance(open: () => ClockStage): void {
  test('a timer fires at or after its instant, and never synchronously within `at`', async () => {
    const { clock, until } = open();
    const dueAt = later(clock.now(), 20);
    const calledAt: number[] = [];
    clock.at(dueAt, () => calledAt.push(clock.now()));
    expect(calledAt).toEqual([]);
    await until(() => calledAt.length > 0);
    expect(calledAt).toHaveLength(1);
    expect(calledAt[0]).toBeGreaterThanOrEqual(dueAt);
  });

  test('timers fire in order of their instants, ties in the order of registration', async () => {
    const { clock, until } = open();
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
    await until(() => order.length === 4);
    expect(order).toEqual(['a', 'b1', 'b2', 'c']);
  });

  test('a timer whose instant has passed fires as soon as time can advance', async () => {
    const { clock, until } = open();
    let called = false;
    clock.at(later(clock.now(), -1_000), () => {
      called = true;
    });
    expect(called).toBe(false);
    await until(() => called);
  });

  test('a stopped timer never fires, and stopping it twice or too late is harmless', async () => {
    const { clock, until } = open();
    const called: string[] = [];
    const stop = clock.at(later(clock.now(), 10), () => called.push('stopped'));
    const stopLate = clock.at(later(clock.now(), 10), () => called.push('kept'));
    stop();
    stop();
    // Of one instant: the stopped one would have come first.
    await until(() => called.length > 0);
    stopLate();
    expect(called).toEqual(['kept']);
  });

  test("a timer's callback can set another timer and stop one that is due at the same instant", async () => {
    const { clock, until } = open();
    const called: string[] = [];
    const dueAt = later(clock.now(), 10);
    clock.at(dueAt, () => {
      called.push('first');
      stopSecond();
      clock.at(dueAt, () => called.push('asked for'));
    });
    const stopSecond = clock.at(dueAt, () => called.push('second'));
    await until(() => called.includes('asked for'));
    expect(called).toEqual(['first', 'asked for']);
  });

  test('monotonic time advances with the timers', async () => {
    const { clock, until } = open();
    const start = clock.monotonicMs();
    let at = start;
    clock.at(later(clock.now(), 25), () => {
      at = clock.monotonicMs();
    });
    await until(() => at > start);
    expect(at - start).toBeGreaterThan(23);
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(at);
  });
}
