import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, SchemaRefused } from '../../../src/adapters/postgres/migrate.ts';
import { MIGRATIONS, migration } from '../../../src/adapters/postgres/migrations.ts';
import { ALL_SHARDS } from '../../../src/core/ownership/shards.ts';
import { LEDGER_OF_ROWS, restoreLedger } from '../../fixtures/kept-ledger.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { schemaCatalog } from './schema-catalog.ts';

const FIRST = migration(1, 'first', 'CREATE TABLE one (a integer)');
const SECOND = migration(2, 'second', 'CREATE TABLE two (b integer); INSERT INTO two VALUES (2)');

let database: TestDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
});

afterEach(() => database.drop());

async function withClient<T>(use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

const query = <Row>(text: string): Promise<readonly Row[]> =>
  withClient(async (client) => (await client.query(text)).rows as Row[]);

const tables = async (): Promise<readonly string[]> =>
  (
    await query<{ name: string }>(
      `SELECT relname AS name FROM pg_stat_user_tables ORDER BY relname`,
    )
  ).map(({ name }) => name);

test('missing migrations are applied in order, and none twice', async () => {
  expect(await migrate(database.connectionString, [FIRST])).toEqual(['first']);
  expect(await migrate(database.connectionString, [FIRST, SECOND])).toEqual(['second']);
  expect(await migrate(database.connectionString, [FIRST, SECOND])).toEqual([]);
  expect(await tables()).toEqual(['one', 'schema_migration', 'two']);
  expect(await query('SELECT b FROM two')).toEqual([{ b: 2 }]);
});

test('processes that start together apply each migration once', async () => {
  const all = await Promise.all(
    Array.from({ length: 6 }, () => migrate(database.connectionString, [FIRST, SECOND])),
  );
  expect(all.flat().sort()).toEqual(['first', 'second']);
});

test('a failing migration leaves nothing behind', async () => {
  const broken = migration(2, 'broken', 'CREATE TABLE two (b integer); SELECT 1 / 0');
  await expect(migrate(database.connectionString, [FIRST, broken])).rejects.toThrow(/zero/);
  expect(await tables()).toEqual(['one', 'schema_migration']);
  expect(await migrate(database.connectionString, [FIRST, SECOND])).toEqual(['second']);
});

test('a database of a newer version is refused', async () => {
  await migrate(database.connectionString, [FIRST, SECOND]);
  const refusal = migrate(database.connectionString, [FIRST]);
  await expect(refusal).rejects.toThrow(SchemaRefused);
  await expect(refusal).rejects.toThrow(/schema 2 \(second\).*up to 1/);
});

test('an altered migration history is refused', async () => {
  await migrate(database.connectionString, [FIRST]);
  const edited = migration(1, 'first', 'CREATE TABLE one (a bigint)');
  await expect(migrate(database.connectionString, [edited, SECOND])).rejects.toThrow(SchemaRefused);
  expect(await tables()).toEqual(['one', 'schema_migration']);
});

test('the migrations are numbered from the baseline without a gap', async () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, n) => 30 + n));
  const names = await migrate(database.connectionString);
  expect(names).toEqual(MIGRATIONS.map(({ name }) => name));
});

test('a new ledger gets a lease per shard, owned by nobody', async () => {
  await migrate(database.connectionString);
  expect(await query('SELECT shard, owner, epoch::int FROM shard_lease ORDER BY 1')).toEqual(
    ALL_SHARDS.map((shard) => ({ shard, owner: null, epoch: 0 })),
  );
  expect(await query('SELECT * FROM member')).toEqual([]);
});

/** A ledger that steps 1 to 30 of the versions before 1.0.0 made. */
const restoreOld = (): Promise<void> =>
  restoreLedger(LEDGER_OF_ROWS.name, database.connectionString);

test('a ledger at schema 30 is taken for the baseline, and then has the schema of a new one', async () => {
  await migrate(database.connectionString);
  const ofNew = await withClient(schemaCatalog);
  await database.drop();
  database = await createEmptyDatabase();
  await restoreOld();
  const before = await query<object>('SELECT * FROM schema_migration ORDER BY number');
  expect(before).toHaveLength(30);
  expect(await migrate(database.connectionString)).toEqual([
    'claims by period',
    'bound sessions',
    'exceeded protections',
    'market instants',
  ]);
  expect(await withClient(schemaCatalog)).toEqual(ofNew);
  const after = await query<object>('SELECT * FROM schema_migration ORDER BY number');
  expect(after.slice(0, 30)).toEqual(before);
  expect(after).toHaveLength(34);
  expect(await migrate(database.connectionString)).toEqual([]);
});

test('a ledger that a version before 1.0.0 brought to schema 31 gets what is missing', async () => {
  await restoreOld();
  await migrate(database.connectionString, MIGRATIONS.slice(0, 2));
  expect(await migrate(database.connectionString)).toEqual([
    'bound sessions',
    'exceeded protections',
    'market instants',
  ]);
});

test('a ledger older than the baseline is refused with its schema, what is accepted and how to get there', async () => {
  await restoreOld();
  await query('DELETE FROM schema_migration WHERE number = 30');
  const catalog = await withClient(schemaCatalog);
  const refusal = migrate(database.connectionString);
  await expect(refusal).rejects.toThrow(SchemaRefused);
  await expect(refusal).rejects.toThrow(
    'the database has schema 29 (claims by minute); accepted: schema 30 and newer. The last version before 1.0.0 ' +
      'brings it forward: start that version on it once, then this one',
  );
  expect(await withClient(schemaCatalog)).toEqual(catalog);
});

test('a ledger at schema 30 whose steps are not those of the versions before 1.0.0 is refused', async () => {
  await restoreOld();
  await query("UPDATE schema_migration SET checksum = repeat('0', 64) WHERE number = 7");
  await expect(migrate(database.connectionString)).rejects.toThrow(
    /schema 1 \(ledger\) of the database is not the one this version knows \(30 baseline/,
  );
});

const CHANGES = {
  'a column': 'ALTER TABLE turn ADD COLUMN extra integer',
  'a default': 'ALTER TABLE portfolio ALTER COLUMN is_pending SET DEFAULT true',
  'NOT NULL': 'ALTER TABLE fill ALTER COLUMN fee DROP NOT NULL',
  'the order of an index':
    'DROP INDEX action_by_account; CREATE INDEX action_by_account ON action (at, account, seq)',
  'a storage parameter': 'ALTER TABLE portfolio SET (fillfactor = 51)',
  'a trigger': 'ALTER TABLE portfolio DISABLE TRIGGER portfolio_changes_after_all',
  'a function': 'ALTER FUNCTION summary_record(json) VOLATILE',
  'a comment': "COMMENT ON COLUMN turn.size IS 'other'",
  'a grant': 'GRANT SELECT ON event TO PUBLIC',
  'the cache of a sequence': 'ALTER SEQUENCE event_seq_seq CACHE 1',
};

test('the comparison of schemas sees every kind of difference', async () => {
  await migrate(database.connectionString);
  await withClient(async (client) => {
    const before = await schemaCatalog(client);
    for (const [what, change] of Object.entries(CHANGES)) {
      await client.query('BEGIN');
      await client.query(change);
      expect(await schemaCatalog(client), what).not.toEqual(before);
      await client.query('ROLLBACK');
    }
    expect(await schemaCatalog(client)).toEqual(before);
  });
});
