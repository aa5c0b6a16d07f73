import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { BullmqQueue } from '../../../src/adapters/bullmq/bullmq-queue.ts';
import { queueBoard } from '../../../src/adapters/bullmq/queue-board.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { isoText, later } from '../../../src/values/instant.ts';
import { redisPrefix, redisUrl } from '../../support/daemon/services.ts';

it('the queue board shows the jobs of the queue by portfolio, leg, slice and due instant, and is read-only', async () => {
  const prefix = redisPrefix();
  const clock = new SystemClock();
  const faults: unknown[] = [];
  const report = (_where: string, error: unknown): number => faults.push(error);
  const queue = new BullmqQueue(clock, { url: redisUrl(), prefix, report });
  const board = queueBoard({
    url: redisUrl(),
    prefix,
    path: '/queues',
    onFault: (error) => faults.push(error),
  });
  const app = Fastify();
  app.register(board.plugin, { prefix: '/queues' });
  try {
    const dueAt = later(clock.now(), 60_000);
    const slices = [{ leg: 1, slice: 41, dueAt: later(dueAt, 25) }];
    await queue.schedule({ portfolio: portfolioId('1234567890123'), shard: 7, dueAt, slices });
    const page = await app.inject('/queues/');
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('twapd queue');
    const listed = await app.inject('/queues/api/queues?activeQueue=twapd-wake&status=delayed');
    const { queues } = listed.json<{
      queues: readonly {
        counts: object;
        readOnlyMode: boolean;
        jobs: readonly { data: object }[];
      }[];
    }>();
    expect(queues).toMatchObject([
      { name: 'twapd-wake', readOnlyMode: true, counts: { delayed: 1 } },
    ]);
    const due = isoText(later(dueAt, 25));
    expect(queues[0]?.jobs.map(({ data }) => data)).toEqual([
      {
        shard: 7,
        slices: [{ portfolio: '1234567890123', leg: 1, slice: 41, due, wakeAt: dueAt }],
      },
    ]);
    const emptied = await app.inject({ method: 'PUT', url: '/queues/api/queues/twapd-wake/empty' });
    expect(emptied.statusCode).toBe(405);
    expect((await queue.depth()).delayed).toBe(1);
    expect(faults).toEqual([]);
  } finally {
    await app.close();
    await board.close();
    await queue.close();
  }
});
