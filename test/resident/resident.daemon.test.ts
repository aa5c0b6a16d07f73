// The real daemon with its real stores for some thousand transactions, stopped and killed meanwhile, with the exchange in
// it and in a process of its own; judged from outside. For longer: `npm run resident -- --minutes 60`.
import { expect, test } from 'vitest';
import type { Arrangement } from './files.ts';
import type { Disturbance } from './house.ts';
import { reside } from './resident.ts';

/** Places in the ledger get another digit at 1 000 and at 10 000: nothing is done around there, so that clients are present. */
const TRANSACTIONS = 12_000;

const COURSES: readonly (readonly [Arrangement, readonly (readonly [number, Disturbance])[]])[] = [
  [
    'own-process',
    [
      [2_500, 'kill exchange'],
      [5_500, 'kill daemon'],
      [8_000, 'kill both'],
      [11_000, 'stop daemon'],
    ],
  ],
  [
    'in-daemon',
    [
      [2_500, 'stop daemon'],
      [5_500, 'kill daemon'],
      [8_000, 'kill daemon'],
    ],
  ],
];

test.concurrent.each(COURSES)(
  'with the exchange %s, everything that is said of portfolios agrees with what was traded, through stops and kills',
  async (arrangement, disturbances) => {
    const outcome = await reside({
      ...{ arrangement, disturbances },
      transactions: TRANSACTIONS,
      atWork: 20,
      hasNeighbour: true,
    });
    expect(outcome.faults).toEqual([]);
    expect(outcome.disturbances).toBe(disturbances.length);
    expect(outcome.transactions).toBeGreaterThanOrEqual(TRANSACTIONS);
    expect(Object.values(outcome.acts).every((times) => times > 0)).toBe(true);
    expect(outcome.trades).toBeGreaterThan(100);
  },
  1_800_000,
);
