import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseWakes,
  WAKES_PER_JOB_MAX,
  wakeId,
  wakeJobs,
} from '../../../src/adapters/bullmq/wake-job.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';

const NOW = instant(1_800_000_000_000);
const wakes = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 0, max: 2_000 })), {
    maxLength: 300,
    size: 'max',
  })
  .map((pairs) =>
    pairs.map(([portfolio, inMs]) => ({
      portfolio: portfolioId(String(portfolio)),
      dueAt: instant(NOW + inMs),
    })),
  );

test('every wake is in exactly one job, which becomes due one lead before its first wake', () => {
  fc.assert(
    fc.property(wakes, fc.integer({ min: 0, max: 500 }), (asked, leadMs) => {
      const jobs = wakeJobs(asked, { now: NOW, leadMs });
      const read = jobs.map((job) => {
        // As Redis returns it.
        const held = parseWakes(job.name, JSON.parse(JSON.stringify(job.data))) ?? [];
        const firstInMs = Math.min(...held.map((wake) => wake.dueAt - NOW));
        expect(job.opts.delay).toBe(Math.max(0, firstInMs - leadMs));
        expect(held.length).toBeGreaterThan(0);
        expect(held.length).toBeLessThanOrEqual(WAKES_PER_JOB_MAX);
        expect(Math.max(...held.map((wake) => wake.dueAt - NOW)) - firstInMs).toBeLessThanOrEqual(
          50,
        );
        return held;
      });
      expect(read.flat().map(wakeId).toSorted()).toEqual(asked.map(wakeId).toSorted());
    }),
  );
});

test('the same wakes give the same job id, and other wakes another', () => {
  const [one, two, three] = [1, 2, 3].map((portfolio) => ({
    portfolio: portfolioId(String(portfolio)),
    dueAt: instant(NOW + 1_000),
  })) as [Wake, Wake, Wake];
  const idOf = (...group: Wake[]): unknown =>
    wakeJobs(group, { now: NOW, leadMs: 300 })[0]?.opts.jobId;
  expect(idOf(one, two)).toBe(idOf(one, two));
  expect(new Set([idOf(one), idOf(one, two), idOf(one, three), idOf(one, two, three)]).size).toBe(
    4,
  );
});

type Wake = Parameters<typeof wakeId>[0];

test.each([
  ['wakes', {}],
  ['wakes', { wakes: [] }],
  ['wakes', { wakes: [['7', 1.5]] }],
  [
    'wakes',
    {
      wakes: [
        ['7', 1],
        ['x', 1],
      ],
    },
  ],
  ['wakes', { wakes: [['7', -1]] }],
  ['wakes', null],
  ['sleep', { wakes: [['7', 1]] }],
])('a job %s with the data %j contains no wake', (name, data) => {
  expect(parseWakes(name, data)).toBeUndefined();
});
