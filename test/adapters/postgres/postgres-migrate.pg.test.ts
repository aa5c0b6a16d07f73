import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, SchemaRefused } from '../../../src/adapters/postgres/migrate.ts';
import { MIGRATIONS, migration } from '../../../src/adapters/postgres/migrations.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/daemon/services.ts';

const FIRST = migration(1, 'first', 'CREATE TABLE one (a integer)');
const SECOND = migration(2, 'second', 'CREATE TABLE two (b integer); INSERT INTO two VALUES (2)');

let database: TestDatabase;

beforeEach(async () => {
  database = await createEmptyDatabase();
});

afterEach(() => database.drop());

async function query<Row>(text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

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

test('the migrations are numbered from one without a gap', async () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, n) => n + 1));
  const names = await migrate(database.connectionString);
  expect(names).toEqual(MIGRATIONS.map(({ name }) => name));
});
