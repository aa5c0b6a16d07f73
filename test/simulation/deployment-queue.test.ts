// The queue of a simulated deployment as one daemon has it, while no trouble is planned.
import { describe, expect, test } from 'vitest';
import type { JobQueue, Wake } from '../../src/ports/job-queue.ts';
import { portfolioId } from '../../src/values/ids.ts';
import { instant, later } from '../../src/values/instant.ts';
import { rng } from '../../src/values/rng.ts';
import { VirtualClock } from '../../src/virtual/virtual-clock.ts';
import { jobQueueConformance, type QueueStage } from '../conformance/job-queue.ts';
import { settle } from './settle.ts';
import { DeploymentQueue } from './world/deployment-queue.ts';
import { Life } from './world/life.ts';
import { Trouble } from './world/trouble.ts';

interface SeatsStage extends QueueStage {
  /** The queue as another daemon has it, and the end of that daemon. */
  another(): { readonly queue: JobQueue; readonly kill: () => void };
}

function open(): SeatsStage {
  const clock = new VirtualClock(instant(Date.UTC(2026, 0, 1)));
  const trouble = new Trouble({ seed: 'none', faults: [] });
  const faults: unknown[] = [];
  const parts = {
    clock,
    trouble,
    draw: rng('none'),
    onFault: (error: unknown) => faults.push(error),
  };
  const deployment = new DeploymentQueue(parts);
  const another = () => {
    const life = new Life({ clock, trouble, onEnd: () => undefined });
    return { queue: deployment.seat(life, () => 0), kill: () => life.end() };
  };
  const pass = (ms: number): Promise<void> => clock.run(later(clock.now(), ms), settle);
  return {
    clock,
    pass,
    another,
    faults: () => faults,
    queue: another().queue,
    until: async (condition) => {
      for (let steps = 0; !condition(); steps += 1) {
        if (steps > 10_000) throw new Error('it never came to be');
        await pass(1);
      }
    },
  };
}

describe('DeploymentQueue', () => {
  jobQueueConformance(() => Promise.resolve(open()), 5_000);

  test('a wake goes to one of the daemons that are alive and have not closed their queue', async () => {
    const { another, clock, pass } = open();
    const called: string[] = [];
    const start = async (name: string) => {
      const daemon = another();
      await daemon.queue.start(({ portfolio }: Wake) => {
        called.push(`${name} ${portfolio}`);
        return Promise.resolve();
      });
      return daemon;
    };
    const [killed, closed, left] = [
      await start('killed'),
      await start('closed'),
      await start('left'),
    ];
    const schedule = (id: string) =>
      left.queue.schedule({ portfolio: portfolioId(id), shard: 7, dueAt: later(clock.now(), 10) });
    await Promise.all(Array.from({ length: 30 }, (_, n) => schedule(String(n + 1))));
    await pass(100);
    expect(called).toHaveLength(30);
    expect(new Set(called.map((one) => one.split(' ')[0]))).toEqual(
      new Set(['killed', 'closed', 'left']),
    );
    called.length = 0;
    killed.kill();
    await closed.queue.close();
    await Promise.all(Array.from({ length: 30 }, (_, n) => schedule(String(n + 1))));
    await pass(100);
    expect(called.toSorted()).toEqual(
      Array.from({ length: 30 }, (_, n) => `left ${n + 1}`).toSorted(),
    );
  });
});
