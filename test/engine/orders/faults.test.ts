// Seeded storms in virtual time, hundreds of them in `npm run test:long`. A failure prints its seed; put it into
// REGRESSIONS, or run it alone: STORM_SEED=<seed> npx vitest run test/engine/orders/faults.test.ts

import { describe, expect, test } from 'vitest';
import { type StormOptions, storm } from '../../support/daemon/storm.ts';
import { faultsOf } from '../../support/daemon/storm-audit.ts';
import { nonEmpty } from '../../support/non-empty.ts';

const SEEDS = Number(process.env['STORM_SEEDS'] ?? 40);
const ONLY = process.env['STORM_SEED'];

/** Seeds that found a bug once. */
const REGRESSIONS: readonly string[] = ['death-387'];

async function expectCalm(options: StormOptions): Promise<void> {
  const faults = await faultsOf(await storm(options));
  expect(faults, `STORM_SEED=${options.seed}`).toEqual([]);
}

const seeds = (prefix: string): readonly string[] =>
  ONLY === undefined
    ? [...REGRESSIONS, ...Array.from({ length: SEEDS }, (_, i) => `${prefix}-${i}`)]
    : [ONLY];

describe('storms over portfolios with parts', () => {
  test('portfolios with parts end with exact totals after storms over one process without crashes', async () => {
    for (const seed of nonEmpty(seeds('life'))) {
      await expectCalm({ seed, engines: 1, deaths: false, inParts: true });
    }
  }, 480_000);

  test('portfolios with parts end with exact totals after storms over two crashing processes', async () => {
    for (const seed of nonEmpty(seeds('death'))) {
      await expectCalm({ seed, engines: 2, deaths: true, inParts: true });
    }
  }, 480_000);
});

describe('storms over TWAP portfolios', () => {
  test('portfolios end with exact totals after storms over one process without crashes', async () => {
    for (const seed of nonEmpty(seeds('life')))
      await expectCalm({ seed, engines: 1, deaths: false });
  }, 480_000);

  test('portfolios end with exact totals after storms over one crashing process', async () => {
    for (const seed of nonEmpty(seeds('death')))
      await expectCalm({ seed, engines: 1, deaths: true });
  }, 480_000);
});
