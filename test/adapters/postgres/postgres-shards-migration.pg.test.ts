// The migration to shards on a ledger of the version before: every portfolio gets the shard that `shardOf` computes for its
// account, an active shadow that of the portfolio that it mirrors.
import fc from 'fast-check';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import { MIGRATIONS } from '../../../src/adapters/postgres/migrations.ts';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { ALL_SHARDS, shardOf } from '../../../src/core/ownership/shards.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, portfolioId } from '../../../src/values/ids.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/daemon/services.ts';

const SHARDS = must(
  MIGRATIONS.find(({ name }) => name === 'shards'),
  'there is a migration to shards',
);
const BEFORE = MIGRATIONS.slice(0, SHARDS.number - 1);

const STATUS = { active: 1, filled: 2, cancelled: 3, cancelling: 4 } as const;

interface Old {
  readonly id: number;
  readonly account: string;
  readonly status: keyof typeof STATUS;
  readonly mirrorOf?: number;
}

let database: TestDatabase;
let client: Client;

beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrate(database.connectionString, BEFORE);
  client = new Client({ connectionString: database.connectionString });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
});

/** Writes portfolios as the version before stored them, with two events each. */
async function write(portfolios: readonly Old[]): Promise<void> {
  for (const { id, account, status, mirrorOf } of portfolios) {
    await client.query(
      `INSERT INTO portfolio (id, version, account, type, status, note, uid, last_edited_uid,
        instruments, kinds, coin, submitted_at, updated_at, next_due_at, has_fills)
      VALUES ($1, 2, $2, 'TWAP', $3, '', '7', '7', '{BTC-PERPETUAL}', '{perpetual}', 'BTC', 1, 1, 5,
        false)`,
      [id, account, STATUS[status]],
    );
    const spec = mirrorOf === undefined ? {} : { mirrorOf: String(mirrorOf) };
    const events = [
      ['submitted', { spec: { accountId: account, ...spec } }],
      ['paused', { spec: { mirrorOf: '1' } }],
    ] as const;
    for (const [index, [kind, data]] of events.entries()) {
      await client.query(
        `INSERT INTO event (batch, portfolio, at, version, kind, data) VALUES (1, $1, 1, $2, $3, $4)`,
        [id, index + 1, kind, JSON.stringify(data)],
      );
    }
  }
}

async function shards(): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ id: string; shard: number }>(
    'SELECT id, shard FROM portfolio',
  );
  return new Map(rows.map(({ id, shard }) => [Number(id), shard]));
}

const of = (account: string): number => shardOf(accountId(account));

test('an active shadow gets the shard of what it mirrors, everything else that of its account', async () => {
  // In five different shards.
  const [main, other, dummy, second, third] = [
    '10001',
    '10002',
    '20001',
    '20002',
    '20003',
  ] as const;
  expect(new Set([main, other, dummy, second, third].map(of)).size).toBe(5);
  await write([
    { id: 1, account: main, status: 'active' },
    { id: 2, account: dummy, status: 'active', mirrorOf: 1 },
    { id: 3, account: second, status: 'cancelling', mirrorOf: 1 },
    { id: 4, account: third, status: 'filled', mirrorOf: 1 },
    { id: 5, account: other, status: 'cancelled' },
    { id: 6, account: dummy, status: 'active', mirrorOf: 5 },
    { id: 7, account: second, status: 'cancelled', mirrorOf: 5 },
    { id: 9_007_199_254_740_991, account: other, status: 'cancelling' },
  ]);
  const names = MIGRATIONS.slice(BEFORE.length).map(({ name }) => name);
  expect(await migrate(database.connectionString)).toEqual(names);
  expect(await shards()).toEqual(
    new Map([
      [1, of(main)],
      [2, of(main)],
      [3, of(main)],
      [4, of(third)],
      [5, of(other)],
      [6, of(other)],
      [7, of(second)],
      [9_007_199_254_740_991, of(other)],
    ]),
  );
});

test('the ledger finds by shard what the version before left at work', async () => {
  await write([
    { id: 1, account: '10001', status: 'active' },
    { id: 2, account: '20001', status: 'active', mirrorOf: 1 },
    { id: 3, account: '10002', status: 'cancelling' },
    { id: 4, account: '10002', status: 'filled' },
  ]);
  await migrate(database.connectionString);
  const ledger = await openPostgresLedger({ connectionString: database.connectionString });
  try {
    const home = of('10001');
    // Orders of what the version before left may be open.
    expect(await ledger.atWork([home])).toMatchObject([
      { portfolio: '1', shard: home, isPending: false },
      { portfolio: '2', shard: home, isPending: false },
    ]);
    expect(await ledger.atWork([of('10002')])).toMatchObject([
      { portfolio: '3', shard: of('10002'), isPending: false },
    ]);
    expect(await ledger.shardOf(portfolioId('4'))).toBe(of('10002'));
  } finally {
    await ledger.close();
  }
});

test('a ledger without portfolios gets a lease per shard, owned by nobody', async () => {
  await migrate(database.connectionString);
  const { rows } = await client.query(
    'SELECT shard, owner, epoch::int FROM shard_lease ORDER BY 1',
  );
  expect(rows).toEqual(ALL_SHARDS.map((shard) => ({ shard, owner: null, epoch: 0 })));
  expect((await client.query('SELECT * FROM member')).rows).toEqual([]);
});

/** Digits as clients send them, up to the largest; and what an account was never, but a column of text can hold. */
const accounts = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
  fc.integer({ min: 0, max: 99_999 }).map((n) => String(n).padStart(5, '0')),
  fc.string({ unit: 'grapheme-ascii', maxLength: 200, size: 'max' }),
  fc.string({ unit: fc.constantFrom('é', '東', 'ß', '\uffff', ' ', "'", '\\', '0'), maxLength: 9 }),
);

test('the migration computes the shard of every account as the program does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(accounts, { minLength: 1, maxLength: 60, size: 'max' }),
      async (all) => {
        await client.query('BEGIN');
        try {
          await client.query(
            `INSERT INTO portfolio (id, version, account, type, status, note, uid, last_edited_uid,
            instruments, kinds, coin, submitted_at, updated_at, has_fills)
          SELECT place, 1, account, 'TWAP', 2, '', '7', '7', '{}', '{}', 'BTC', 1, 1, false
          FROM unnest($1::text[]) WITH ORDINALITY AS a (account, place)`,
            [all],
          );
          await client.query(SHARDS.sql);
          const found = await shards();
          expect(all.map((account, index) => [account, found.get(index + 1)])).toEqual(
            all.map((account) => [account, of(account)]),
          );
        } finally {
          await client.query('ROLLBACK');
        }
      },
    ),
    { numRuns: 60 },
  );
});
