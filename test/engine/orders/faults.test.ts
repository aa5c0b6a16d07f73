// Seeded storms in virtual time, hundreds of them in `npm run test:long`. A failure prints its seed; put it into REGRESSIONS, or run
// it alone: STORM_SEED=<seed> npx vitest run test/engine/orders/faults.test.ts
import { describe, expect, test } from 'vitest';
import { type StormOptions, storm } from '../../support/daemon/storm.ts';
import { faultsOf } from '../../support/daemon/storm-audit.ts';

const SEEDS = Number(process.env['STORM_SEEDS'] ?? 60);
const ONLY = process.env['STORM_SEED'];

/** Seeds that once found something. */
const REGRESSIONS: readonly string[] = ['death-387'];

async function expectCalm(options: StormOptions): Promise<void> {
  const faults = await faultsOf(await storm(options));
  expect(faults, `STORM_SEED=${options.seed}`).toEqual([]);
}

const seeds = (prefix: string): readonly string[] =>
  ONLY === undefined
    ? [...REGRESSIONS, ...Array.from({ length: SEEDS }, (_, i) => `${prefix}-${i}`)]
    : [ONLY];

describe('portfolios that go by parts fare the same', () => {
  test('one process that lives', async () => {
    for (const seed of seeds('life')) {
      await expectCalm({ seed, engines: 1, deaths: false, inParts: true });
    }
  }, 480_000);

  test('two processes that die again and again', async () => {
    for (const seed of seeds('death')) {
      await expectCalm({ seed, engines: 2, deaths: true, inParts: true });
    }
  }, 480_000);
});

describe('whatever goes wrong, once it heals every portfolio has ended and every total is exact', () => {
  test('one process that lives', async () => {
    for (const seed of seeds('life')) await expectCalm({ seed, engines: 1, deaths: false });
  }, 480_000);

  test('one process that dies again and again', async () => {
    for (const seed of seeds('death')) await expectCalm({ seed, engines: 1, deaths: true });
  }, 480_000);
});
