// How the event loop is shared, with a clock and turns controlled by the test.
import { describe, expect, test } from 'vitest';
import { FairTurns, type Lane, type Loop } from '../../../src/gateway/limits/fair-turns.ts';

/** A loop in which time passes only through work, and turns happen when the test runs them. */
class OwnLoop implements Loop {
  ms = 0;
  #next: (() => void)[] = [];
  readonly nowMs = (): number => this.ms;
  readonly nextTurn = (work: () => void): void => void this.#next.push(work);

  /** Runs a turn; returns the milliseconds it took. */
  turn(): number {
    const from = this.ms;
    for (const work of this.#next.splice(0)) work();
    return this.ms - from;
  }

  get isIdle(): boolean {
    return this.#next.length === 0;
  }
}

const TURN_MS_MAX = 5;

interface Scene {
  readonly loop: OwnLoop;
  readonly done: string[];
  readonly lane: (name: string, of?: { isKnown?: boolean; canWork?: () => boolean }) => Lane;
  readonly enqueue: (lane: Lane, name: string, costMs: number, count?: number) => void;
}

function scene(isExecuting = () => false): Scene {
  const loop = new OwnLoop();
  const turns = new FairTurns({ loop, isExecuting });
  const done: string[] = [];
  return {
    loop,
    done,
    lane: (_name, { isKnown = false, canWork = () => true } = {}) =>
      turns.lane({ isKnown: () => isKnown, canWork }),
    enqueue: (lane, name, costMs, count = 1) => {
      for (let n = 0; n < count; n += 1) {
        lane.push(() => {
          done.push(name);
          loop.ms += costMs;
        });
      }
    },
  };
}

describe('requests of clients', () => {
  test('requests that arrive in one burst are spread over many turns, and all are served', () => {
    const { loop, done, lane, enqueue } = scene();
    enqueue(lane('one'), 'one', 1, 300);
    expect(loop.ms).toBeLessThanOrEqual(TURN_MS_MAX);
    let turns = 0;
    for (; !loop.isIdle; turns += 1) expect(loop.turn()).toBeLessThanOrEqual(TURN_MS_MAX);
    expect(done).toHaveLength(300);
    expect(turns).toBeGreaterThanOrEqual(300 / TURN_MS_MAX);
  });

  test('requests are served at once if the turn has time left', () => {
    const { done, lane, enqueue } = scene();
    enqueue(lane('one'), 'one', 1);
    expect(done).toEqual(['one']);
  });

  test.each([
    ['an authenticated client', true, 4],
    ['an unauthenticated client', false, 2],
  ])(
    'a request of %s that uses the whole share of a turn is the last one of it',
    (_, isKnown, costMs) => {
      const { loop, lane, enqueue } = scene();
      enqueue(lane('one', { isKnown }), 'one', costMs, 4);
      const turns = [];
      while (!loop.isIdle) turns.push(loop.turn());
      expect(turns.filter((ms) => ms > 0)).toEqual([costMs, costMs, costMs]);
    },
  );

  test('requests of many connections take turns, so that a burst of one does not delay the others', () => {
    const { loop, done, lane, enqueue } = scene();
    enqueue(lane('busy'), 'busy', 2, 50);
    enqueue(lane('quiet'), 'quiet', 2);
    while (!done.includes('quiet')) loop.turn();
    expect(done.length).toBeLessThanOrEqual(5);
  });

  test('requests of one connection keep their order', () => {
    const { loop, done, lane, enqueue } = scene();
    const one = lane('one');
    const names = Array.from({ length: 40 }, (_, n) => `n${n}`);
    for (const name of names) enqueue(one, name, 1);
    while (!loop.isIdle) loop.turn();
    expect(done).toEqual(names);
  });

  test('requests of authenticated clients go before others, who still get one per turn', () => {
    const { loop, done, lane, enqueue } = scene();
    enqueue(lane('stranger'), 'stranger', 1, 100);
    enqueue(lane('known', { isKnown: true }), 'known', 1, 100);
    done.length = 0;
    loop.turn();
    const known = done.filter((name) => name === 'known').length;
    expect(done[0]).toBe('known');
    expect(known).toBeGreaterThan(done.length - known);
    expect(done).toContain('stranger');
  });

  test('requests get a smaller share of a turn while orders are decided or sent', () => {
    const worked = (isExecuting: boolean): number => {
      const { loop, done, lane, enqueue } = scene(() => isExecuting);
      enqueue(lane('one', { isKnown: true }), 'one', 0.5, 100);
      done.length = 0;
      loop.turn();
      return done.length;
    };
    expect(worked(true)).toBeGreaterThan(0);
    expect(worked(true)).toBeLessThan(worked(false) / 2);
  });

  test('requests get a smaller share of the next turn after a late one', () => {
    const { loop, done, lane, enqueue } = scene();
    enqueue(lane('one', { isKnown: true }), 'one', 0.5, 100);
    done.length = 0;
    loop.turn();
    const usual = done.length;
    loop.ms += 50;
    done.length = 0;
    loop.turn();
    expect(done.length).toBeLessThan(usual / 2);
  });

  test('requests of a client that does not read its answers wait until it does', () => {
    const { loop, done, lane, enqueue } = scene();
    let canWork = false;
    const slow = lane('slow', { canWork: () => canWork });
    enqueue(slow, 'slow', 1, 3);
    loop.turn();
    expect([done, slow.waiting]).toEqual([[], 3]);
    canWork = true;
    slow.wake();
    while (!loop.isIdle) loop.turn();
    expect(done).toEqual(['slow', 'slow', 'slow']);
  });

  test('requests that are dropped are not served', () => {
    const { loop, done, lane, enqueue } = scene();
    const one = lane('one');
    enqueue(one, 'one', 3, 5);
    const before = done.length;
    one.clear();
    while (!loop.isIdle) loop.turn();
    expect(done).toHaveLength(before);
  });
});

describe('requests that have been received', () => {
  test('received requests run at once while their turn has time left, and the rest later, in order', () => {
    const loop = new OwnLoop();
    const lane = new FairTurns({ loop }).received();
    const done: number[] = [];
    for (let n = 0; n < 20; n += 1) {
      lane.push(() => {
        done.push(n);
        loop.ms += 2;
      });
    }
    expect(done).toEqual([0, 1]);
    while (!loop.isIdle) expect(loop.turn()).toBeLessThanOrEqual(TURN_MS_MAX);
    expect(done).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test('a request that is received in the turn of its connection is charged once', () => {
    const loop = new OwnLoop();
    const turns = new FairTurns({ loop });
    const [received, of] = [
      turns.received(),
      turns.lane({ isKnown: () => true, canWork: () => true }),
    ];
    let done = 0;
    const request = (): void =>
      of.push(() =>
        received.push(() => {
          done += 1;
          loop.ms += 1;
        }),
      );
    for (let n = 0; n < 6; n += 1) request();
    expect(done).toBe(4);
    while (!loop.isIdle) loop.turn();
    expect(done).toBe(6);
  });
});
