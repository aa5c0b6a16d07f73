import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BUCKET_MS,
  parseWakes,
  type QueuedJob,
  WAKES_PER_JOB_MAX,
  wakeId,
  wakeJobs,
} from '../../../src/adapters/bullmq/wake-job.ts';
import type { Wake } from '../../../src/ports/job-queue.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';

const NOW = instant(1_800_000_000_000);
const slices = fc.array(
  fc.record({
    leg: fc.nat(3),
    slice: fc.nat(9_999),
    dueAt: fc.nat(2_000).map((inMs) => instant(NOW + inMs)),
  }),
  { maxLength: 3 },
);
const wakes: fc.Arbitrary<readonly Wake[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 500 }),
      shard: fc.nat(2),
      inMs: fc.integer({ min: 0, max: 2_000 }),
      slices,
    }),
    { maxLength: 300, size: 'max', selector: ({ id, inMs }) => `${id} ${inMs}` },
  )
  .map((drawn) =>
    drawn.map(({ id, shard, inMs, slices: due }) => ({
      portfolio: portfolioId(String(id)),
      shard,
      dueAt: instant(NOW + inMs),
      ...(due.length > 0 && { slices: due }),
    })),
  );

/** As Redis returns it. */
const readBack = ({ name, data }: QueuedJob): readonly Wake[] =>
  parseWakes(name, JSON.parse(JSON.stringify(data))) ?? [];

const inOrder = (some: readonly Wake[]): readonly Wake[] =>
  some.toSorted((a, b) => (wakeId(a) < wakeId(b) ? -1 : 1));

test('every wake is in exactly one job, of its shard and bucket, which becomes due one lead before its first wake', () => {
  fc.assert(
    fc.property(wakes, fc.integer({ min: 0, max: 500 }), (asked, leadMs) => {
      const jobs = wakeJobs(asked, { now: NOW, leadMs });
      const read = jobs.map((job) => {
        const held = readBack(job);
        expect(job.opts.delay).toBe(
          Math.max(0, Math.min(...held.map((wake) => wake.dueAt - NOW)) - leadMs),
        );
        expect(held.length).toBeGreaterThan(0);
        expect(held.length).toBeLessThanOrEqual(WAKES_PER_JOB_MAX);
        const groups = held.map(({ shard, dueAt }) => `${shard} ${Math.floor(dueAt / BUCKET_MS)}`);
        expect(new Set(groups).size).toBe(1);
        return held;
      });
      expect(inOrder(read.flat())).toEqual(inOrder(asked));
    }),
  );
});

test('wakes of one shard within a bucket share a job, however many portfolios they are of', () => {
  const asked = Array.from({ length: 2 * WAKES_PER_JOB_MAX }, (_, index) => ({
    portfolio: portfolioId(String(index + 1)),
    shard: 7,
    dueAt: instant(NOW + (index % BUCKET_MS)),
  }));
  expect(wakeJobs(asked, { now: NOW, leadMs: 300 })).toHaveLength(2);
});

test('a job lists each slice with its portfolio, leg, number and due instant', () => {
  const dueAt = instant(NOW + 1_025);
  const asked: readonly Wake[] = [
    {
      portfolio: portfolioId('41'),
      shard: 7,
      dueAt: instant(NOW + 1_000),
      slices: [
        { leg: 0, slice: 12, dueAt },
        { leg: 1, slice: 6, dueAt },
      ],
    },
    { portfolio: portfolioId('42'), shard: 7, dueAt: instant(NOW + 1_001) },
  ];
  const [job] = wakeJobs(asked, { now: NOW, leadMs: 300 });
  const due = '2027-01-15T08:00:01.025Z';
  expect(job?.data).toEqual({
    shard: 7,
    slices: [
      { portfolio: '41', leg: 0, slice: 12, due, wakeAt: NOW + 1_000 },
      { portfolio: '41', leg: 1, slice: 6, due, wakeAt: NOW + 1_000 },
      { portfolio: '42', wakeAt: NOW + 1_001 },
    ],
  });
});

test('an id has no colon and is not all digits, which BullMQ would refuse', () => {
  const wake = { portfolio: portfolioId('1'), shard: 0, dueAt: NOW };
  const id = String(wakeJobs([wake], { now: NOW, leadMs: 300 })[0]?.opts.jobId);
  expect(id).toMatch(/^s0-1800000000000-1-[0-9a-z]+$/);
});

test('the same wakes give the same job id, and other wakes another', () => {
  const [one, two, three] = [1, 2, 3].map((portfolio) => ({
    portfolio: portfolioId(String(portfolio)),
    shard: 7,
    dueAt: instant(NOW + 1_000),
  })) as [Wake, Wake, Wake];
  const idOf = (...group: Wake[]): unknown =>
    wakeJobs(group, { now: NOW, leadMs: 300 })[0]?.opts.jobId;
  expect(idOf(one, two)).toBe(idOf(one, two));
  expect(new Set([idOf(one), idOf(one, two), idOf(one, three), idOf(one, two, three)]).size).toBe(
    4,
  );
});

const LINE = { portfolio: '7', wakeAt: 1 };

test.each([
  ['slices', {}],
  ['slices', { shard: 7, slices: [] }],
  ['slices', { slices: [LINE] }],
  ['slices', { shard: 7, slices: [null] }],
  ['slices', { shard: 7, slices: [{ ...LINE, wakeAt: 1.5 }] }],
  ['slices', { shard: 7, slices: [LINE, { ...LINE, portfolio: 'x' }] }],
  ['slices', { shard: 7, slices: [{ ...LINE, wakeAt: -1 }] }],
  ['slices', { shard: 7, slices: [{ ...LINE, leg: 0, slice: 1, due: 'soon' }] }],
  ['slices', { shard: 7, slices: [{ ...LINE, leg: 0 }] }],
  ['slices', null],
  ['sleep', { shard: 7, slices: [LINE] }],
])('a job %s with the data %j contains no wake', (name, data) => {
  expect(parseWakes(name, data)).toBeUndefined();
});
