// Lateness of wake-ups from a bare timer, from a bare BullMQ chain with the same lead, and from the queue. A
// chain is what a schedule produces: each portfolio is woken once a second, and each wake-up requests the
// next.
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { BullmqQueue } from '../src/adapters/bullmq/bullmq-queue.ts';
import { SystemClock } from '../src/adapters/system/system-clock.ts';
import type { Wake } from '../src/ports/job-queue.ts';
import { portfolioId } from '../src/values/ids.ts';
import { instant, later } from '../src/values/instant.ts';
import type { Row } from './row.ts';

const RATES = [200, 1_000] as const;
const LEAD_MS = 300;
const PERIOD_MS = 1_000;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 6_000;

/** Starts the chains of `count` portfolios; `woken` receives each wake-up and returns whether to continue. */
interface Chain {
  readonly count: number;
  readonly start: number;
  readonly woken: (dueAt: number) => boolean;
}

export async function benchQueue(redisUrl: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const rate of RATES) {
    const timer = await measure(rate, bareTimer);
    const bare = await measure(rate, (chain) => bareBullmq(redisUrl, chain));
    const queue = await measure(rate, (chain) => ownQueue(redisUrl, chain));
    rows.push(
      { what: `wake late, setTimeout, ${rate}/s`, value: timer },
      { what: `wake late, BullMQ and setTimeout, ${rate}/s`, value: bare },
      { what: `wake late, queue, ${rate}/s`, value: queue, yardstick: bare },
    );
  }
  rows.push({
    what: 'wakes scheduled',
    value: `${await scheduleRate(redisUrl)}/s`,
    yardstick: '3000/s',
  });
  return rows;
}

async function measure(rate: number, run: (chain: Chain) => Promise<void>): Promise<string> {
  const lateMs: number[] = [];
  const start = Date.now() + 500;
  const from = start + WARM_UP_MS;
  const until = from + MEASURED_MS;
  const woken = (dueAt: number): boolean => {
    if (dueAt >= from) lateMs.push(performance.timeOrigin + performance.now() - dueAt);
    return dueAt + PERIOD_MS < until;
  };
  await run({ count: (rate * PERIOD_MS) / 1_000, start, woken });
  lateMs.sort((a, b) => a - b);
  const at = (share: number): string =>
    (lateMs[Math.floor(lateMs.length * share)] ?? Number.NaN).toFixed(2);
  return `p50 ${at(0.5)} p99 ${at(0.99)} max ${(lateMs.at(-1) ?? Number.NaN).toFixed(1)} ms of ${lateMs.length}`;
}

const firstDue = ({ count, start }: Chain, index: number): number =>
  start + Math.floor((index * PERIOD_MS) / count);

/** Resolves when every portfolio's chain has ended. */
function ends(chain: Chain): { readonly all: Promise<void>; readonly one: () => void } {
  let left = chain.count;
  const { promise: all, resolve } = Promise.withResolvers<void>();
  return {
    all,
    one: () => {
      left -= 1;
      if (left === 0) resolve();
    },
  };
}

async function bareTimer(chain: Chain): Promise<void> {
  const { all, one } = ends(chain);
  const arm = (dueAt: number): void => {
    const waitMs = Math.max(0, dueAt - Date.now());
    setTimeout(() => (chain.woken(dueAt) ? arm(dueAt + PERIOD_MS) : one()), waitMs);
  };
  for (let i = 0; i < chain.count; i += 1) arm(firstDue(chain, i));
  await all;
}

async function bareBullmq(redisUrl: string, chain: Chain): Promise<void> {
  const { all, one } = ends(chain);
  const prefix = `bench-${crypto.randomUUID()}`;
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue('bare', { connection, prefix });
  const add = async (name: string, dueAt: number): Promise<void> => {
    const delay = Math.max(0, dueAt - LEAD_MS - Date.now());
    const jobId = `w-${name}-${dueAt}`;
    await queue.add('wake', { name, dueAt }, { delay, jobId, removeOnComplete: true });
  };
  const take = async ({ name, dueAt }: { name: string; dueAt: number }): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - Date.now())));
    if (chain.woken(dueAt)) await add(name, dueAt + PERIOD_MS);
    else one();
  };
  const worker = new Worker<{ name: string; dueAt: number }>('bare', (job) => take(job.data), {
    connection,
    prefix,
    concurrency: 2_000,
  });
  await worker.waitUntilReady();
  await Promise.all(Array.from({ length: chain.count }, (_, i) => add(`${i}`, firstDue(chain, i))));
  await all;
  await worker.close();
  await queue.obliterate({ force: true });
  connection.disconnect();
}

/** Uses its own key prefix, and deletes all of it afterwards. */
async function withQueue<T>(redisUrl: string, use: (queue: BullmqQueue) => Promise<T>): Promise<T> {
  const prefix = `bench-${crypto.randomUUID()}`;
  const queue = new BullmqQueue(new SystemClock(), {
    url: redisUrl,
    prefix,
    leadMs: LEAD_MS,
    report: (place, error) => console.error(place, error),
  });
  try {
    return await use(queue);
  } finally {
    await queue.close();
    const client = new Redis(redisUrl);
    const keys = await client.keys(`${prefix}:*`);
    for (let i = 0; i < keys.length; i += 1_000) await client.del(...keys.slice(i, i + 1_000));
    client.disconnect();
  }
}

function ownQueue(redisUrl: string, chain: Chain): Promise<void> {
  return withQueue(redisUrl, async (queue) => {
    const { all, one } = ends(chain);
    await queue.start(async ({ portfolio, shard, dueAt }: Wake) => {
      if (chain.woken(dueAt))
        await queue.schedule({ portfolio, shard, dueAt: later(dueAt, PERIOD_MS) });
      else one();
    });
    const first = Array.from({ length: chain.count }, (_, i) =>
      queue.schedule({
        portfolio: portfolioId(`${i}`),
        shard: 7,
        dueAt: instant(firstDue(chain, i)),
      }),
    );
    await Promise.all(first);
    await all;
  });
}

function scheduleRate(redisUrl: string): Promise<number> {
  return withQueue(redisUrl, async (queue) => {
    const count = 10_000;
    const dueAt = instant(Date.now() + 60_000);
    const request = (i: number): Promise<void> =>
      queue.schedule({ portfolio: portfolioId(`${i}`), shard: 7, dueAt });
    await request(0);
    const start = performance.now();
    await Promise.all(Array.from({ length: count }, (_, i) => request(i + 1)));
    return Math.round((count * 1_000) / (performance.now() - start));
  });
}
