// Contract of every JobQueue in normal operation. A queue in trouble may lose, repeat and delay wakes, so that is
// tested elsewhere.
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../src/ports/clock.ts';
import type { JobQueue, Wake } from '../../src/ports/job-queue.ts';
import { portfolioId } from '../../src/values/ids.ts';
import { later } from '../../src/values/instant.ts';

export interface QueueStage {
  readonly clock: Clock;
  readonly queue: JobQueue;
  /** Lets time pass until the condition holds; fails if it never does. */
  until(condition: () => boolean): Promise<void>;
  /** Lets at least this much time pass. */
  pass(ms: number): Promise<void>;
  /** Faults reported since the queue was opened. */
  faults(): readonly unknown[];
}

/** `farMs`: far enough ahead that a wake takes the queue's long-delay path, if it has one. */
export function jobQueueConformance(open: () => Promise<QueueStage>, farMs: number): void {
  const opened: QueueStage[] = [];
  const begin = async (): Promise<QueueStage> => {
    const stage = await open();
    opened.push(stage);
    return stage;
  };
  afterEach(async () => {
    for (const stage of opened.splice(0)) await stage.queue.close();
  });

  const wakeIn = (stage: QueueStage, inMs: number, portfolio = '7'): Wake => ({
    portfolio: portfolioId(portfolio),
    shard: 7,
    dueAt: later(stage.clock.now(), inMs),
  });

  test.each([
    ['near', 30],
    ['far', farMs],
    ['past', -5_000],
  ])('a %s wake is delivered once, unchanged, and not before its instant', async (_name, inMs) => {
    const stage = await begin();
    const calls: { readonly wake: Wake; readonly at: number }[] = [];
    await stage.queue.start((wake) => {
      calls.push({ wake, at: stage.clock.now() });
      return Promise.resolve();
    });
    const { dueAt, ...rest } = wakeIn(stage, inMs);
    const slices = [
      { leg: 0, slice: 12, dueAt: later(dueAt, 25) },
      { leg: 2, slice: 3, dueAt: later(dueAt, 25) },
    ];
    const wake = { ...rest, dueAt, slices };
    await stage.queue.schedule(wake);
    await stage.until(() => calls.length > 0);
    await stage.pass(100);
    expect(calls.map((call) => call.wake)).toEqual([wake]);
    expect(calls[0]?.at).toBeGreaterThanOrEqual(wake.dueAt);
    expect(stage.faults()).toEqual([]);
  });

  test.each([
    ['near', 200],
    ['far', farMs],
  ])('the same %s wake scheduled many times is delivered once', async (_name, inMs) => {
    const stage = await begin();
    const calls: Wake[] = [];
    await stage.queue.start((wake) => {
      calls.push(wake);
      return Promise.resolve();
    });
    const wake = await askedAhead(stage, inMs, async (asked) => {
      await Promise.all([stage.queue.schedule(asked), stage.queue.schedule(asked)]);
      await stage.queue.schedule({ ...asked });
    });
    await stage.until(() => calls.some((call) => isSame(call, wake)));
    await stage.pass(150);
    expect(calls.filter((call) => isSame(call, wake))).toEqual([wake]);
  });

  test('a wake scheduled far ahead, and once more when it is near, is delivered once', async () => {
    const stage = await begin();
    const calls: Wake[] = [];
    await stage.queue.start((wake) => {
      calls.push(wake);
      return Promise.resolve();
    });
    const wake = await askedAhead(stage, farMs, async (asked, inMs) => {
      await stage.queue.schedule(asked);
      const nearMs = (200 * inMs) / farMs;
      await stage.pass(Math.max(0, asked.dueAt - stage.clock.now() - nearMs));
      await stage.queue.schedule(asked);
    });
    await stage.until(() => calls.some((call) => isSame(call, wake)));
    await stage.pass(150);
    expect(calls.filter((call) => isSame(call, wake))).toEqual([wake]);
  });

  test('a wake can be scheduled again after its delivery, also from within the listener', async () => {
    const stage = await begin();
    let calls = 0;
    const wake = wakeIn(stage, 20);
    await stage.queue.start(async (called) => {
      calls += 1;
      if (calls < 3) await stage.queue.schedule(called);
    });
    await stage.queue.schedule(wake);
    await stage.until(() => calls === 3);
    await stage.queue.schedule(wake);
    await stage.until(() => calls === 4);
    expect(stage.faults()).toEqual([]);
  });

  test('wakes scheduled before the start are delivered after it', async () => {
    const stage = await begin();
    const calls: Wake[] = [];
    const wake = wakeIn(stage, 10);
    await stage.queue.schedule(wake);
    await stage.pass(50);
    await stage.queue.start((called) => {
      calls.push(called);
      return Promise.resolve();
    });
    await stage.until(() => calls.length > 0);
    expect(calls).toEqual([wake]);
  });

  test('wakes of many portfolios at the same instant are all delivered', async () => {
    const stage = await begin();
    const called = new Set<string>();
    await stage.queue.start((wake) => {
      called.add(wake.portfolio);
      return Promise.resolve();
    });
    const { dueAt } = wakeIn(stage, farMs);
    const asked = Array.from({ length: 500 }, (_, i) => portfolioId(`${i + 1}`));
    await Promise.all(
      asked.map((portfolio) => stage.queue.schedule({ portfolio, shard: 7, dueAt })),
    );
    await stage.until(() => called.size === asked.length);
    expect([...called].toSorted()).toEqual([...asked].toSorted());
  });

  test('a failing listener is reported and does not prevent other deliveries', async () => {
    const stage = await begin();
    const called: string[] = [];
    await stage.queue.start((wake) => {
      called.push(wake.portfolio);
      return wake.portfolio === '1' ? Promise.reject(new Error('no')) : Promise.resolve();
    });
    await stage.queue.schedule(wakeIn(stage, 10, '1'));
    await stage.queue.schedule(wakeIn(stage, farMs, '1'));
    await stage.queue.schedule(wakeIn(stage, farMs, '2'));
    await stage.until(() => called.length === 3 && stage.faults().length === 2);
    expect(called.toSorted()).toEqual(['1', '1', '2']);
  });

  test('a wake that is held is called once at its instant, and is not offered to be passed on', async () => {
    const stage = await begin();
    const calls: { readonly wake: Wake; readonly at: number }[] = [];
    let offered = 0;
    expect(() => stage.queue.hold(wakeIn(stage, 10))).toThrow('takes no wakes');
    await stage.queue.start(
      (wake) => {
        calls.push({ wake, at: stage.clock.now() });
        return Promise.resolve();
      },
      () => {
        offered += 1;
        return Promise.resolve(false);
      },
    );
    const wake = wakeIn(stage, 100);
    stage.queue.hold(wake);
    await stage.until(() => calls.length > 0);
    await stage.pass(100);
    expect(calls.map((call) => call.wake)).toEqual([wake]);
    expect(calls[0]?.at).toBeGreaterThanOrEqual(wake.dueAt);
    expect(offered).toBe(0);
  });

  test('the depth counts pending wakes and is zero after all are delivered', async () => {
    const stage = await begin();
    let calls = 0;
    await stage.queue.start(() => {
      calls += 1;
      return Promise.resolve();
    });
    await stage.queue.schedule(wakeIn(stage, 60_000, '1'));
    await stage.queue.schedule(wakeIn(stage, 60_000, '2'));
    expect((await stage.queue.depth()).delayed).toBe(2);
    await stage.queue.schedule(wakeIn(stage, 10, '3'));
    await stage.until(() => calls === 1);
    expect((await stage.queue.depth()).failed).toBe(0);
  });

  test('close waits for running listeners, delivers no more wakes, and refuses later ones', async () => {
    const { stage, trace, next } = await closedBefore(begin, 200);
    await stage.pass(Math.max(0, next.dueAt - stage.clock.now()) + 100);
    expect(trace).toEqual(['1 begins', '1 ends', 'closed']);
    await expect(stage.queue.schedule(wakeIn(stage, 10, '3'))).rejects.toThrow('closed');
    expect(() => stage.queue.hold(wakeIn(stage, 10, '3'))).toThrow('takes no wakes');
    await expect(stage.queue.start(() => Promise.resolve())).rejects.toThrow('closed');
  });

  test('a queue is started once, and holds no wake before', async () => {
    const stage = await begin();
    const heard: string[] = [];
    const listener = (name: string) => (wake: Wake) => {
      heard.push(`${name} ${wake.portfolio}`);
      return Promise.resolve();
    };
    expect(() => stage.queue.hold(wakeIn(stage, 10))).toThrow('takes no wakes');
    await stage.queue.start(listener('first'));
    await expect(stage.queue.start(listener('second'))).rejects.toThrow('started');
    await stage.queue.schedule(wakeIn(stage, 10));
    await stage.until(() => heard.length > 0);
    expect(heard).toEqual(['first 7']);
  });
}

const isSame = (one: Wake, other: Wake): boolean =>
  one.portfolio === other.portfolio && one.dueAt === other.dueAt;

/**
 * A queue that was closed while it handled wake 1 and before `next`, wake 2, was due. On a machine so slow that wake 2 was due
 * first, its delivery is right and shows nothing of a close: another queue gets twice the time.
 */
async function closedBefore(
  begin: () => Promise<QueueStage>,
  nextInMs: number,
): Promise<{ readonly stage: QueueStage; readonly trace: readonly string[]; readonly next: Wake }> {
  const stage = await begin();
  const trace: string[] = [];
  let finish = (): void => undefined;
  const isFinished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await stage.queue.start(async (wake) => {
    trace.push(`${wake.portfolio} begins`);
    await isFinished;
    trace.push(`${wake.portfolio} ends`);
  });
  const wakeOf = (portfolio: string, inMs: number): Wake => ({
    portfolio: portfolioId(portfolio),
    shard: 7,
    dueAt: later(stage.clock.now(), inMs),
  });
  await stage.queue.schedule(wakeOf('1', 10));
  const next = wakeOf('2', nextInMs);
  await stage.queue.schedule(next);
  await stage.until(() => trace.length > 0);
  const closed = stage.queue.close().then(() => trace.push('closed'));
  const isAhead = stage.clock.now() < next.dueAt;
  finish();
  await closed;
  return isAhead ? { stage, trace, next } : await closedBefore(begin, 2 * nextInMs);
}

/**
 * A wake whose schedule calls were all made before its instant: one scheduled later may be delivered a second time. On a machine so
 * slow that it was due first, another one gets twice the time.
 */
async function askedAhead(
  stage: QueueStage,
  inMs: number,
  request: (wake: Wake, inMs: number) => Promise<void>,
): Promise<Wake> {
  const wake = { portfolio: portfolioId('7'), shard: 7, dueAt: later(stage.clock.now(), inMs) };
  await request(wake, inMs);
  return stage.clock.now() < wake.dueAt ? wake : await askedAhead(stage, 2 * inMs, request);
}
