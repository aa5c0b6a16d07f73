import { describe, expect, test } from 'vitest';
import type { Wake } from '../../src/ports/job-queue.ts';
import { portfolioId } from '../../src/values/ids.ts';
import { instant, later } from '../../src/values/instant.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { VirtualQueue, type VirtualQueueOptions } from '../../src/virtual/virtual-queue.ts';
import { jobQueueConformance, type QueueStage } from '../conformance/job-queue.ts';

const START = instant(Date.UTC(2026, 0, 1));
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function open(disturb?: VirtualQueueOptions['disturb']): QueueStage & {
  readonly queue: VirtualQueue;
} {
  const clock = new VirtualClock(START);
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => {
    faults.push(error);
  };
  const queue = new VirtualQueue(clock, disturb === undefined ? { onFault } : { onFault, disturb });
  const pass = (ms: number): Promise<void> => clock.run(later(clock.now(), ms), settle);
  return {
    clock,
    queue,
    pass,
    until: async (condition) => {
      for (let steps = 0; !condition(); steps += 1) {
        if (steps > 10_000) throw new Error('it never came to be');
        await pass(1);
      }
    },
    faults: () => faults,
  };
}

describe('VirtualQueue', () => {
  jobQueueConformance(() => Promise.resolve(open()), 5_000);

  const wake: Wake = { portfolio: portfolioId('7'), shard: 7, dueAt: later(START, 100) };
  const callsOf = async (stage: ReturnType<typeof open>): Promise<number[]> => {
    const calls: number[] = [];
    await stage.queue.start((called) => {
      expect(called).toEqual(wake);
      calls.push(stage.clock.now() - START);
      return Promise.resolve();
    });
    await stage.queue.schedule(wake);
    await stage.pass(1_000);
    return calls;
  };

  test('VirtualQueue loses, delays and repeats wake-ups on request, each with its original due time', async () => {
    expect(await callsOf(open(() => []))).toEqual([]);
    expect(await callsOf(open((w) => [later(w.dueAt, 50)]))).toEqual([150]);
    expect(await callsOf(open((w) => [w.dueAt, later(w.dueAt, 10)]))).toEqual([100, 110]);
  });

  test('a lost wake-up may be requested again', async () => {
    let asked = 0;
    const stage = open((w) => {
      asked += 1;
      return asked === 1 ? [] : [w.dueAt];
    });
    expect(await callsOf(stage)).toEqual([]);
    await stage.queue.schedule(wake);
    await stage.pass(1);
    expect(asked).toBe(2);
  });

  test('a wipe silently drops all jobs', async () => {
    const stage = open();
    let calls = 0;
    await stage.queue.start(() => {
      calls += 1;
      return Promise.resolve();
    });
    await stage.queue.schedule(wake);
    stage.queue.wipe();
    expect((await stage.queue.depth()).delayed).toBe(0);
    await stage.pass(1_000);
    expect(calls).toBe(0);
    expect(stage.faults()).toEqual([]);
  });
});
