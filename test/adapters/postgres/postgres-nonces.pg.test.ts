// Nonces of signed requests if several gateways share a ledger.
import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { claimOnce, type NonceClaim } from '../../../src/gateway/auth/nonces.ts';
import { must } from '../../../src/values/assert.ts';
import { type Instant, instant, later } from '../../../src/values/instant.ts';
import { createDatabase } from '../../support/daemon/services.ts';

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

test('expired nonces are deleted as others are claimed', async () => {
  const connectionString = await database();
  let now = T0;
  const ledger = await ledgerOn(connectionString, () => now);
  for (let n = 0; n < 200; n += 1) await claim(ledger, `old ${n}`);
  now = later(T0, 10 * WINDOW_MS);
  for (let n = 0; n < 20; n += 1) await claim(ledger, `new ${n}`, now);
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query('SELECT count(*)::int AS count FROM claim');
  await client.end();
  expect(rows).toEqual([{ count: 20 }]);
});
