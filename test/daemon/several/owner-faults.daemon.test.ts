// Three daemons whose stores fail and of which one stands still for longer than its lease: whatever they believe about who
// owns an account, every portfolio is filled exactly, and no order is sent twice.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LEASE_MS } from '../../../src/ports/deployment/shard-leases.ts';
import {
  DaemonDeployment,
  metric,
  type Submitted,
  until,
} from '../../support/daemon/daemon-deployment.ts';

/** Longer than any lease lasts. */
const OUTAGE_MS = LEASE_MS + 1_500;
/** How far apart daemons may come back after an outage without being replaced: two seconds, less what a look takes. */
const RETURN_MS = 1_500;
/** How long the portfolios of a round take without any fault: longer than the faults of a round. */
const SECONDS = 45;
const ROUNDS = Number(process.env['OWNER_FAULT_ROUNDS'] ?? 1);

let d: DaemonDeployment;

beforeAll(async () => {
  d = await DaemonDeployment.open('ownf');
  await d.shared();
});
afterAll(() => d.close());

const owned = (): Promise<readonly number[]> =>
  Promise.all(d.daemons.map((one) => metric(one, 'twapd_shards_owned')));

/** Waits until every daemon has renewed its membership; returns how far apart the first and the last did. */
async function returned(): Promise<number> {
  const ended = new Map((await d.memberships()).map(({ name, until: at }) => [name, at]));
  const renewed = new Map<string, number>();
  await until(async () => {
    for (const { name, until: at } of await d.memberships()) {
      if (at !== ended.get(name) && !renewed.has(name)) renewed.set(name, at);
    }
    return renewed.size >= d.daemons.length;
  });
  const at = [...renewed.values()];
  return Math.max(...at) - Math.min(...at);
}

for (let round = 1; round <= ROUNDS; round += 1) {
  let portfolios: Submitted;

  test(`round ${round}: a daemon that stands still for longer than its lease is replaced, and has its share again afterwards`, async () => {
    portfolios = await d.submitEverywhere(SECONDS);
    await sleep(1_000);
    const stopped = d.takeLatest();
    stopped.signal('SIGSTOP');
    await d.shared();
    await sleep(1_000);
    stopped.signal('SIGCONT');
    d.daemons.push(stopped);
    await d.shared();
  });

  test(`round ${round}: shards stay where they are while PostgreSQL is away for longer than a lease`, async () => {
    const [before, leases] = [await owned(), await d.leases()];
    const { database } = d.stage.lines;
    database.isClosed = true;
    database.cut();
    // Absence: a shard whose lease ran out would be taken.
    await sleep(OUTAGE_MS);
    expect(await owned()).toEqual(before);
    database.isClosed = false;
    const apartMs = await returned();
    // As long as it takes to notice that somebody is gone.
    await sleep(4_000);
    await d.shared();
    expect(await owned()).toEqual(before);
    // On a machine so busy that a daemon comes back later than the others wait for it, it is replaced.
    if (apartMs < RETURN_MS) expect(await d.leases()).toEqual(leases);
  });

  test(`round ${round}: accounts are handed over while Redis is away and after it was emptied`, async () => {
    const { redis } = d.stage.lines;
    redis.isClosed = true;
    redis.cut();
    expect(await d.takeLatest().end('SIGTERM')).toBe(0);
    await d.shared();
    const own = new Redis(d.stage.redis.socket);
    await own.flushall();
    own.disconnect();
    redis.isClosed = false;
    await d.add(`joined in round ${round}`);
    await d.shared();
  });

  test(`round ${round}: every portfolio is filled`, () => d.filled(portfolios));
}

test('ledger and exchange agree, and no order was sent twice', () => d.expectSameBooks());
