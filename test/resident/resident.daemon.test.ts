// The real daemon with its real stores for some thousand transactions, stopped and killed meanwhile, with the
// exchange in the daemon or in a separate process; checked from outside. For longer: `npm run resident -- --minutes
// 60`.
import { expect, test } from 'vitest';
import type { Arrangement } from './files.ts';
import type { Disturbance } from './house.ts';
import { reside } from './resident.ts';

interface Course {
  readonly arrangement: Arrangement;
  readonly fromTransaction?: number;
  readonly transactions: number;
  readonly disturbances: readonly (readonly [transactions: number, what: Disturbance])[];
}

/**
 * Places in the ledger get another digit at 1 000 and at 10 000: nothing is done around there, so that clients are present. One
 * arrangement passes the first, the other begins shortly before the second: the ledger is the same in both, and
 * `npm run test:long` takes both from the first transaction past the second.
 */
const COURSES: readonly Course[] = [
  {
    arrangement: 'own-process',
    fromTransaction: 6_500,
    transactions: 12_500,
    disturbances: [
      [7_300, 'kill exchange'],
      [8_500, 'kill daemon'],
      [11_000, 'kill both'],
      [12_000, 'stop daemon'],
    ],
  },
  {
    arrangement: 'in-daemon',
    transactions: 4_400,
    disturbances: [
      [1_600, 'stop daemon'],
      [2_600, 'kill daemon'],
      [3_600, 'kill daemon'],
    ],
  },
];

test.concurrent.each(COURSES)(
  'with the exchange $arrangement, all reports about portfolios agree with the trades through stops and kills',
  async (course) => {
    const outcome = await reside({ ...course, atWork: 20, hasNeighbour: true });
    expect(outcome.faults).toEqual([]);
    expect(outcome.disturbances).toBe(course.disturbances.length);
    expect(outcome.transactions).toBeGreaterThanOrEqual(course.transactions);
    expect(Object.values(outcome.acts).every((times) => times > 0)).toBe(true);
    expect(outcome.trades).toBeGreaterThan(100);
  },
  1_800_000,
);
