// Two worker processes' worth of engine on one Redis, one PostgreSQL and one venue: no work is done twice, and
// either can continue alone.

import { afterEach, describe, expect, test } from 'vitest';
import { BullmqQueue } from '../../../src/adapters/bullmq/bullmq-queue.ts';
import { openPaperVenue } from '../../../src/adapters/paper/open-paper-venue.ts';
import type { PaperVenue } from '../../../src/adapters/paper/paper-venue.ts';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { RedisEventBus } from '../../../src/adapters/redis/redis-event-bus.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { DEFAULT_SUBMIT_LIMITS } from '../../../src/core/portfolio/admission/submit-limits.ts';
import { EngineOperations } from '../../../src/engine/api/engine-operations.ts';
import { ALONE, assembleEngine } from '../../../src/engine/assemble-engine.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { unlimitedGate } from '../../../src/engine/risk/watch-gate.ts';
import { seededMarket } from '../../../src/exchange/market/market.ts';
import { tradesSince } from '../../../src/ports/trades-since.ts';
import { plus, quantity, text, ZERO_QUANTITY } from '../../../src/values/amounts.ts';
import { accountId, type PortfolioId, venueName } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { until } from '../../adapters/until.ts';
import { value } from '../../conformance/venue-act.ts';
import { createDatabase, redisPrefix, redisUrl } from '../../support/daemon/services.ts';
import { BY, form, legForm, SETTINGS } from '../../support/engine/engine-world.ts';
import { type Witness, witness } from '../../support/engine/quiet-observer.ts';

const ACCOUNT = accountId('10001');
/** However slow the machine: the end action runs to the last lot, and no statement is given up. */
const UNHURRIED = { ...SETTINGS, endGraceMs: 600_000 };
const STATEMENT_MS = 60_000;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Worker {
  readonly engine: Engine;
  readonly operations: EngineOperations;
  readonly observer: Witness;
  /** Stops at once like a killed process: nothing is drained. */
  vanish(): Promise<void>;
}

interface Shared {
  readonly venue: PaperVenue;
  readonly connectionString: string;
  readonly prefix: string;
}

async function shared(): Promise<Shared> {
  const database = await createDatabase();
  closers.push(() => database.drop());
  const clock = new SystemClock({ unref: true });
  const venue = openPaperVenue({
    name: venueName('paper'),
    clock,
    accounts: [{ account: ACCOUNT }],
    market: (startAt) => seededMarket({ seed: 'two workers', startAt }),
  });
  closers.push(() => venue.close());
  return { venue, connectionString: database.connectionString, prefix: redisPrefix() };
}

async function worker({ venue, connectionString, prefix }: Shared): Promise<Worker> {
  const clock = new SystemClock({ unref: true });
  const observer = witness();
  const fail = (where: string) => (error: unknown) =>
    observer.observe({ event: 'failed', where, error });
  const ledger = await openPostgresLedger({
    connectionString,
    onFault: fail('ledger'),
    statementTimeoutMs: STATEMENT_MS,
  });
  const url = redisUrl();
  const queue = new BullmqQueue(clock, {
    url,
    prefix,
    report: (where, error) => observer.observe({ event: 'failed', where, error }),
  });
  const bus = new RedisEventBus({
    url,
    prefix,
    onFault: fail('bus'),
    onDropped: fail('bus'),
    onBadMessage: fail('bus'),
  });
  const { engine, submission } = assembleEngine({
    ...ALONE,
    gate: unlimitedGate({ clock, observer }),
    clock,
    ledger,
    queue,
    bus,
    observer,
    venues: { forAccount: () => venue, all: () => [venue] },
    settings: UNHURRIED,
    limits: () => ({
      ...DEFAULT_SUBMIT_LIMITS,
      durationSecMin: 1,
      frequencySecMin: 1,
      dummyAccounts: new Set(),
    }),
    sweepMs: 500,
    compareMs: 30_000,
    onBroken: fail('invariant'),
  });
  await engine.start();
  let gone: Promise<void> | undefined;
  const vanish = (): Promise<void> => {
    gone ??= (async () => {
      engine.stop();
      await Promise.all([queue.close(), bus.close(), ledger.close()]);
    })();
    return gone;
  };
  closers.push(vanish);
  return {
    engine,
    operations: new EngineOperations({ engine, submission, ledger, clock }),
    observer,
    vanish,
  };
}

const asked = form({
  twapTrade: { durationSec: 5, frequencySec: 1 },
  legs: [legForm({ quantity: quantity('500') })],
});

async function submitMany(to: Worker, count: number): Promise<PortfolioId[]> {
  const outcomes = await Promise.all(
    Array.from({ length: count }, () => to.operations.submit(asked, BY)),
  );
  return outcomes.map((outcome) => {
    if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.rejections));
    return outcome.value.portfolio;
  });
}

async function expectAllFilled(by: Worker, portfolios: readonly PortfolioId[]): Promise<void> {
  for (const portfolio of portfolios) {
    await until(async () => (await by.operations.info(portfolio))?.status === 'filled', 200_000);
  }
}

/** Until some slices have traded and others have not. */
const inMidRun = (venue: PaperVenue): Promise<void> =>
  until(async () => value(await tradesSince(venue, ACCOUNT, instant(0))).length > 0);

async function expectNothingTwice(venue: PaperVenue, count: number): Promise<void> {
  const trades = value(await tradesSince(venue, ACCOUNT, instant(0)));
  const total = trades.reduce((sum, trade) => plus(sum, trade.quantity), ZERO_QUANTITY);
  expect(text(total)).toBe(String(500 * count));
  const orders = new Map(trades.map((trade) => [trade.orderId, trade.label]));
  expect(new Set(orders.values()).size).toBe(orders.size);
}

describe('two workers on one Redis and one ledger', () => {
  test('two workers share the work and do none of it twice', async () => {
    const place = await shared();
    const [first, second] = [await worker(place), await worker(place)];
    const mine = await submitMany(first, 12);
    const theirs = await submitMany(second, 12);
    await expectAllFilled(first, [...mine, ...theirs]);
    await expectNothingTwice(place.venue, 24);
    // On a starved machine a store is asked again: nothing that is checked here depends on it.
    const isTimeOut = (error: unknown): boolean => /timed out|timeout/i.test(String(error));
    for (const { observer } of [first, second]) {
      expect(observer.failures.filter(({ error }) => !isTimeOut(error))).toEqual([]);
    }
  });

  test('a worker that vanishes leaves nothing undone', async () => {
    const place = await shared();
    const [first, second] = [await worker(place), await worker(place)];
    const portfolios = await submitMany(first, 12);
    await inMidRun(place.venue);
    await first.vanish();
    await expectAllFilled(second, portfolios);
    await expectNothingTwice(place.venue, 12);
  });
});
