// Nonces of signed requests if several gateways share a ledger.
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { claimOnce, type NonceClaim } from '../../../src/gateway/auth/nonces.ts';
import { CLAIM_MS_MAX } from '../../../src/ports/deployment/claim-store.ts';
import { must } from '../../../src/values/assert.ts';
import { type Instant, instant, later } from '../../../src/values/instant.ts';
import { createDatabase } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

const T0 = instant(1_800_000_000_000);
const WINDOW_MS = 15_000;

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function database(): Promise<string> {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  return connectionString;
}

async function ledgerOn(connectionString: string, now: () => Instant): Promise<PostgresLedger> {
  const ledger = await openPostgresLedger({ connectionString, now });
  cleanUp.push(() => ledger.close());
  return ledger;
}

const claim = (ledger: PostgresLedger, nonce: string, signedAt = T0): Promise<NonceClaim> => {
  const use = { keyId: 'desk', nonce, signedAt, windowMs: WINDOW_MS };
  return claimOnce(
    (key, until) => ledger.claimOnce(key, until),
    use,
    () => signedAt,
  );
};

test('a nonce is accepted once across gateways, even for simultaneous requests', async () => {
  const connectionString = await database();
  const ledgers = await Promise.all([1, 2, 3].map(() => ledgerOn(connectionString, () => T0)));
  for (let n = 0; n < 20; n += 1) {
    const claims = await Promise.all(ledgers.map((ledger) => claim(ledger, `nonce ${n}`)));
    expect(claims.toSorted()).toEqual(['fresh', 'reused', 'reused']);
  }
});

test('of more simultaneous claims than fit in one statement each key is given to one caller', async () => {
  const connectionString = await database();
  const [one, other] = await Promise.all([1, 2].map(() => ledgerOn(connectionString, () => T0)));
  const names = Array.from({ length: 200 }, (_, n) => `nonce ${n}`);
  const asked = [...names, ...names.toReversed(), ...names];
  const claims = await Promise.all([
    ...asked.map(async (name) => ({ name, claim: await claim(must(one, 'opened'), name) })),
    ...asked.map(async (name) => ({ name, claim: await claim(must(other, 'opened'), name) })),
  ]);
  expect(claims.filter((each) => each.claim === 'unavailable')).toEqual([]);
  const fresh = claims.flatMap((each) => (each.claim === 'fresh' ? [each.name] : []));
  expect(fresh.toSorted()).toEqual(names.toSorted());
});

test('a nonce stays used across a restart for as long as its timestamp is accepted', async () => {
  const connectionString = await database();
  let now = T0;
  const before = await openPostgresLedger({ connectionString, now: () => now });
  const ahead = later(T0, WINDOW_MS);
  expect(await claim(before, 'nonce', ahead)).toBe('fresh');
  await before.close();
  const after = await ledgerOn(connectionString, () => now);
  now = later(ahead, WINDOW_MS);
  expect(await claim(after, 'nonce', ahead)).toBe('reused');
});

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  cleanUp.push(() => client.end());
  return client;
}

/** Number of claims in each of the four tables. */
async function stored(client: Client): Promise<readonly number[]> {
  const counts = [0, 1, 2, 3].map((n) => `SELECT count(*)::int AS count FROM claim_${n}`);
  const { rows } = await client.query<{ count: number }>(counts.join(' UNION ALL '));
  return rows.map(({ count }) => count);
}

/** How long a table is in use before the next; tables take turns. */
const PERIOD_MS = CLAIM_MS_MAX;
/** A period begins here. */
const START = instant(Math.ceil(T0 / PERIOD_MS) * PERIOD_MS);

test('expired nonces are deleted as others are claimed, and none of a period that may still count', async () => {
  const connectionString = await database();
  let now = T0;
  const ledger = await ledgerOn(connectionString, () => now);
  const client = await connected(connectionString);
  const most: number[] = [];
  for (let period = 0; period < 12; period += 1) {
    now = later(START, period * PERIOD_MS);
    if (period > 0) {
      const signedAt = later(now, -10_000);
      for (let n = 0; n < 50; n += 1)
        expect(await claim(ledger, `late ${period - 1} ${n}`, signedAt)).toBe('reused');
    }
    for (let n = 0; n < 50; n += 1) await claim(ledger, `${period} ${n}`, now);
    for (let n = 0; n < 50; n += 1)
      expect(await claim(ledger, `${period} ${n}`, now)).toBe('reused');
    now = later(now, PERIOD_MS - 10_000);
    for (let n = 0; n < 50; n += 1) await claim(ledger, `late ${period} ${n}`, now);
    for (let n = 0; n < 50; n += 1)
      expect(await claim(ledger, `late ${period} ${n}`, now)).toBe('reused');
    most.push((await stored(client)).reduce((sum, count) => sum + count));
  }
  expect(Math.max(...most)).toBeLessThanOrEqual(300);
  expect(most.at(-1)).toBe(most.at(-5));
});

test('nonces are not cleared while a backup reads their table, and claims go on meanwhile', async () => {
  const connectionString = await database();
  let now = T0;
  const ledger = await ledgerOn(connectionString, () => now);
  const backup = await connected(connectionString);
  await claim(ledger, 'first');
  await backup.query('BEGIN');
  for (const n of [0, 1, 2, 3]) await backup.query(`LOCK TABLE claim_${n} IN ACCESS SHARE MODE`);
  for (let period = 1; period < 6; period += 1) {
    now = later(T0, period * PERIOD_MS);
    expect(await claim(ledger, 'each', now)).toBe('fresh');
    expect(await claim(ledger, 'each', now)).toBe('reused');
  }
  expect((await stored(backup)).reduce((sum, count) => sum + count)).toBeGreaterThan(1);
  await backup.query('COMMIT');
  for (let period = 6; period < 12; period += 1) {
    now = later(T0, period * PERIOD_MS);
    expect(await claim(ledger, 'each', now)).toBe('fresh');
  }
  expect(Math.max(...(await stored(backup)))).toBe(1);
});

test('a claim is found by the primary key however full its tables have become', async () => {
  const connectionString = await database();
  const ledger = await ledgerOn(connectionString, () => T0);
  const claims = async (name: string): Promise<void> => {
    const names = Array.from({ length: 60 }, (_, n) => `${name} ${n}`);
    const all = await Promise.all(names.map((each) => claim(ledger, each)));
    expect(new Set(all)).toEqual(new Set(['fresh']));
  };
  // The plan that is kept is made of the first statements.
  for (let n = 0; n < 10; n += 1) await claims(`few ${n}`);
  const client = await connected(connectionString);
  const end = later(T0, WINDOW_MS * 2);
  for (const n of [0, 1, 2, 3])
    await client.query(
      `INSERT INTO claim_${n} SELECT 'other ' || n, ${end} FROM generate_series(1, 20000) n`,
    );
  for (let n = 0; n < 10; n += 1) await claims(`more ${n}`);
  // What a connection has read is counted when it ends.
  await ledger.close();
  const reads = async (): Promise<{ index: number; all: number } | undefined> => {
    const { rows } = await client.query<{ index: number; all: number }>(
      "SELECT sum(idx_scan)::int AS index, sum(seq_tup_read)::int AS all FROM pg_stat_user_tables WHERE relname LIKE 'claim__'",
    );
    return rows[0];
  };
  await until(async () => ((await reads())?.index ?? 0) >= 1_200);
  expect((await reads())?.all).toBe(0);
});
