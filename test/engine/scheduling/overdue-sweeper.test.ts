// The periodic search for overdue portfolios whose wake-up was lost.
import { expect, test } from 'vitest';
import { SOLE_OWNER } from '../../../src/engine/ownership/ownership.ts';
import { OverdueSweeper } from '../../../src/engine/scheduling/overdue-sweeper.ts';
import type { Ledger } from '../../../src/ports/ledger.ts';
import { type PortfolioId, portfolioId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { NOON } from '../../support/engine/markets.ts';
import { witness } from '../../support/engine/quiet-observer.ts';

const idsOf = (count: number): readonly PortfolioId[] =>
  Array.from({ length: count }, (_, n) => portfolioId(String(n + 1)));

interface Stage {
  readonly overdue: readonly PortfolioId[];
  /** How many of them, most overdue first, already have a timer or run. */
  readonly tended?: number;
  readonly running?: number;
}

function sweeperOf({ overdue, tended = 0, running = 0 }: Stage) {
  const asked: { readonly at: Instant; readonly limit: number }[] = [];
  const resumed: PortfolioId[] = [];
  const ledger: Pick<Ledger, 'overdue'> = {
    overdue: (at, limit) => {
      asked.push({ at, limit });
      return Promise.resolve(overdue.slice(0, limit));
    },
  };
  const [busy, armed] = [
    new Set(overdue.slice(0, running)),
    new Set(overdue.slice(running, running + tended)),
  ];
  const observer = witness();
  const sweeper = new OverdueSweeper({
    clock: new VirtualClock(NOON),
    ledger: ledger as Ledger,
    observer,
    sweepMs: 1_000,
    ownership: SOLE_OWNER,
    engine: {
      turns: { isRunning: (portfolio) => busy.has(portfolio) },
      reloadAndAdvance: (portfolio) => {
        resumed.push(portfolio);
        return Promise.resolve();
      },
    },
    wakes: { isTended: (portfolio) => armed.has(portfolio) },
  });
  return { sweeper, asked, resumed, observer };
}

test('a sweep resumes the overdue portfolios that nothing else will wake', async () => {
  const overdue = idsOf(5);
  const { sweeper, asked, resumed, observer } = sweeperOf({ overdue, running: 1, tended: 2 });
  expect(await sweeper.sweep()).toBe(2);
  expect(resumed).toEqual(overdue.slice(3));
  expect(observer.rescues).toEqual([2]);
  expect(asked.map(({ at }) => at)).toEqual([later(NOON, -500)]);
});

test('a sweep finds a portfolio behind any number of others that are more overdue and wait for a venue', async () => {
  const overdue = idsOf(1_201);
  const { sweeper, asked, resumed } = sweeperOf({ overdue, running: 700, tended: 500 });
  expect(await sweeper.sweep()).toBe(1);
  expect(resumed).toEqual(overdue.slice(1_200));
  expect(asked.map(({ limit }) => limit)).toEqual([500, 1_000, 2_000]);
});

test('a sweep ends when the ledger has no further portfolio that is overdue', async () => {
  const { sweeper, asked, resumed, observer } = sweeperOf({ overdue: idsOf(500), tended: 500 });
  expect(await sweeper.sweep()).toBe(0);
  expect([resumed, observer.rescues]).toEqual([[], []]);
  expect(asked.map(({ limit }) => limit)).toEqual([500, 1_000]);
});

test('a sweep resumes at most 500 portfolios, the most overdue first', async () => {
  const overdue = idsOf(1_800);
  const { sweeper, resumed } = sweeperOf({ overdue, tended: 1_000 });
  expect(await sweeper.sweep()).toBe(500);
  expect(resumed).toEqual(overdue.slice(1_000, 1_500));
});
