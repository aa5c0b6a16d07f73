import { setImmediate as nextLoop } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Delays } from '../../src/lifetime/delays.ts';
import { allIdle, InFlight } from '../../src/lifetime/in-flight.ts';
import { drainAndStop } from '../../src/lifetime/lifetime.ts';
import { instant, later } from '../../src/values/instant.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';

const START = instant(0);

/** Records when the promise resolves, as a name in `order`. */
const note = (order: string[], name: string, promise: Promise<unknown>): void =>
  void promise.then(() => order.push(name));

describe('work in flight', () => {
  test('idle resolves only when all work has ended, whether it resolved or rejected', async () => {
    const flight = new InFlight();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const failed = expect(flight.track(second.promise)).rejects.toThrow('no');
    const order: string[] = [];
    note(order, 'first', flight.track(first.promise));
    note(order, 'idle', flight.idle());
    first.resolve();
    await nextLoop();
    expect(order).toEqual(['first']);
    second.reject(new Error('no'));
    await failed;
    await nextLoop();
    expect(order).toEqual(['first', 'idle']);
    expect(flight.count).toBe(0);
  });

  test('idle waits for work that begins while it waits', async () => {
    const [turns, orders] = [new InFlight(), new InFlight()];
    const order: string[] = [];
    turns.enter();
    note(order, 'idle', allIdle([turns, orders]));
    // A turn places an order before it ends, whose reply sets off another turn.
    orders.enter();
    turns.leave();
    await nextLoop();
    turns.enter();
    orders.leave();
    await nextLoop();
    expect(order).toEqual([]);
    turns.leave();
    await nextLoop();
    expect(order).toEqual(['idle']);
  });
});

describe('a delay', () => {
  test('a delay resolves at its instant, and at once when its component stops', async () => {
    const clock = new VirtualClock(START);
    const delays = new Delays(clock);
    const order: string[] = [];
    note(order, 'short', delays.wait(100));
    note(order, 'long', delays.wait(10_000));
    clock.advanceTo(later(START, 100));
    clock.runNext(later(START, 100));
    await nextLoop();
    expect(order).toEqual(['short']);
    delays.end();
    note(order, 'later', delays.wait(10_000));
    await nextLoop();
    expect(order).toEqual(['short', 'long', 'later']);
    expect(clock.nextDueAt()).toBeUndefined();
  });
});

describe('drain and stop', () => {
  const stage = () => {
    const clock = new VirtualClock(START);
    const order: string[] = [];
    const drained = Promise.withResolvers<void>();
    const component = {
      drain: () => {
        order.push('drain');
        return drained.promise;
      },
      stop: () => void order.push('stop'),
    };
    return { clock, order, drained, component };
  };

  test('a component is stopped as soon as it has drained, and no timer is left', async () => {
    const { clock, order, drained, component } = stage();
    const ended = drainAndStop(component, { clock, graceMs: 5_000 });
    await nextLoop();
    expect(order).toEqual(['drain']);
    drained.resolve();
    await ended;
    expect(order).toEqual(['drain', 'stop']);
    expect(clock.nextDueAt()).toBeUndefined();
  });

  test('a component that does not drain is stopped at the end of the grace period', async () => {
    const { clock, order, component } = stage();
    const ended = drainAndStop(component, { clock, graceMs: 5_000 });
    clock.advanceTo(later(START, 4_999));
    await nextLoop();
    expect(order).toEqual(['drain']);
    clock.runNext(later(START, 5_000));
    await ended;
    expect(order).toEqual(['drain', 'stop']);
  });
});
