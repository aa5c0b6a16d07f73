// Which wakes are sent to Redis together.
import { expect, test } from 'vitest';
import { AddBatch } from '../../../src/adapters/bullmq/add-batch.ts';
import { type QueuedJob, wakeJobs } from '../../../src/adapters/bullmq/wake-job.ts';
import type { Wake } from '../../../src/ports/job-queue.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { settle } from '../../support/engine/engine-world.ts';

const NOW = instant(1_800_000_000_000);
const LONG_MS = 60_000;

const wake = (id: number): Wake => ({
  portfolio: portfolioId(String(id)),
  shard: 7,
  dueAt: instant(NOW + 10_000),
});

/** Redis answers a batch when `answer` is called. */
function stage() {
  const batches: string[][] = [];
  const answers: (() => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const batch = new AddBatch({
    jobsOf: (wakes) => wakeJobs(wakes, { now: NOW, leadMs: 300 }),
    addBulk: (jobs: readonly QueuedJob[]) => {
      const slices = jobs.flatMap(
        ({ data }) => (data as { slices: readonly { portfolio: string }[] }).slices,
      );
      batches.push(slices.map(({ portfolio }) => portfolio));
      return new Promise((resolve, reject) => {
        answers.push(resolve);
        fails.push(reject);
      });
    },
  });
  return {
    batch,
    batches,
    answer: () => answers.shift()?.(),
    fail: () => fails.shift()?.(new Error('away')),
  };
}

test('wakes that can wait go with the first that cannot', async () => {
  const { batch, batches } = stage();
  void batch.add(wake(1), LONG_MS);
  void batch.add(wake(2), LONG_MS);
  await settle();
  expect(batches).toEqual([]);
  void batch.add(wake(3), 0);
  await settle();
  expect(batches).toEqual([['1', '2', '3']]);
});

test('a wake added while a batch is in flight waits for others as long as any', async () => {
  const { batch, batches, answer } = stage();
  void batch.add(wake(1), 0);
  await settle();
  void batch.add(wake(2), LONG_MS);
  answer();
  await settle();
  expect(batches).toEqual([['1']]);
  void batch.flush();
  await settle();
  expect(batches).toEqual([['1'], ['2']]);
});

test('a wake added as soon as another is stored is sent too', async () => {
  const { batch, batches, answer } = stage();
  const stored = batch.add(wake(1), 0).then(() => batch.add(wake(2), 0));
  await settle();
  answer();
  await settle();
  expect(batches).toEqual([['1'], ['2']]);
  answer();
  await stored;
});

test('a failed batch fails every wake that waits behind it', async () => {
  const { batch, batches, fail } = stage();
  const failures: string[] = [];
  const add = (id: number, spareMs: number): void => {
    batch.add(wake(id), spareMs).catch((error: unknown) => failures.push(`${id}: ${error}`));
  };
  add(1, 0);
  await settle();
  add(2, LONG_MS);
  add(3, 0);
  fail();
  await settle();
  expect(failures).toEqual(['1: Error: away', '2: Error: away', '3: Error: away']);
  expect(batches).toEqual([['1']]);
});
