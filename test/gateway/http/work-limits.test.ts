// The cost of requests is charged by estimate before they run, and corrected by measurement afterwards.
import { describe, expect, test } from 'vitest';
import { type Start, WorkLimits } from '../../../src/gateway/http/work-limits.ts';
import { instant } from '../../../src/values/instant.ts';
import { READER, TAKER } from '../gateway-under-test.ts';

const ONE = { perSecond: 100, burst: 100 };
const rules = { key: ONE, address: ONE, strangers: { perSecond: 150, burst: 150 } };
const stranger = (from: string) => ({ key: undefined, from });
const BY_KEY = { key: TAKER, from: '192.0.2.1' };

function limits() {
  const clock = { ms: 1_000_000 };
  const work = new WorkLimits({ now: () => instant(clock.ms), rules, rememberedMax: 100 });
  return { clock, work };
}

function done(start: Start, tookMs: number, bytes = 0): void {
  if (start.kind === 'refused') throw new Error('was refused');
  start.done(tookMs, bytes);
}

describe('the work of requests', () => {
  test("the work of requests is refused once the key's budget is used up, with the time to wait", () => {
    const { clock, work } = limits();
    done(work.start(BY_KEY, 'plan', 60), 60);
    expect(work.start(BY_KEY, 'plan', 60)).toEqual({ kind: 'refused', waitMs: 200 });
    expect(work.start({ ...BY_KEY, key: READER }, 'plan', 60).kind).toBe('started');
    clock.ms += 200;
    expect(work.start(BY_KEY, 'plan', 60).kind).toBe('started');
  });

  test('the work of requests is charged the difference if underestimated, and refunded if overestimated', () => {
    const { work } = limits();
    done(work.start(BY_KEY, 'low', 1), 150);
    expect(work.start(BY_KEY, 'other', 1)).toMatchObject({ kind: 'refused', waitMs: 510 });
    const { work: another } = limits();
    done(another.start(BY_KEY, 'first', 1), 80);
    const second = another.start(BY_KEY, 'high', 20);
    done(second, 0);
    expect(another.start(BY_KEY, 'third', 1).kind).toBe('refused');
  });

  test('the work of requests is estimated from earlier requests of its kind', () => {
    const { clock, work } = limits();
    done(work.start(BY_KEY, 'dear', 1), 90);
    clock.ms += 500;
    expect(work.start(BY_KEY, 'cheap', 50).kind).toBe('started');
    // Of 60 tokens 50 are taken; the request would cost 90, like the previous one.
    expect(work.start(BY_KEY, 'dear', 1)).toEqual({ kind: 'refused', waitMs: expect.any(Number) });
    expect(work.start(BY_KEY, 'other', 10).kind).toBe('started');
  });

  test('the work of requests includes the bytes of the answer', () => {
    const { work } = limits();
    done(work.start(BY_KEY, 'large', 1), 0, 40 * 1_024 * 1_024);
    expect(work.start(BY_KEY, 'large', 1).kind).toBe('refused');
  });

  test('the work of requests that costs more than a full bucket is admitted when the bucket is full', () => {
    const { work } = limits();
    expect(work.start(BY_KEY, 'huge', 5_000).kind).toBe('started');
    expect(work.start(BY_KEY, 'small', 1).kind).toBe('refused');
  });

  test('the work of requests of unauthenticated clients is limited by address and in total, separately from keys', () => {
    const { work } = limits();
    done(work.start(stranger('192.0.2.1'), 'list', 90), 90);
    expect(work.start(stranger('192.0.2.1'), 'list', 20).kind).toBe('refused');
    done(work.start(stranger('192.0.2.2'), 'other', 50), 50);
    expect(work.start(stranger('192.0.2.3'), 'other', 50).kind).toBe('refused');
    expect(work.start(BY_KEY, 'other', 50).kind).toBe('started');
  });

  test('the work of requests refused by the total limit is not charged to the address', () => {
    const { clock, work } = limits();
    done(work.start(stranger('192.0.2.1'), 'a', 100), 100);
    done(work.start(stranger('192.0.2.2'), 'b', 50), 50);
    for (let n = 0; n < 50; n += 1) {
      expect(work.start(stranger('192.0.2.3'), 'c', 90).kind).toBe('refused');
    }
    clock.ms += 1_000;
    expect(work.start(stranger('192.0.2.3'), 'c', 90).kind).toBe('started');
  });
});

test('time in which the process got no CPU is not charged', () => {
  const { work } = limits();
  const first = work.start(BY_KEY, 'question', 1);
  const fromMs = work.stopwatch();
  // The thread is suspended, as it is while other programs have the CPU.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  done(first, work.stopwatch() - fromMs);
  expect(work.start(BY_KEY, 'question', 1).kind).toBe('started');
});
