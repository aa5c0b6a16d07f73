// A backup of a ledger restored into another database: the same rows, numbers that go on, and refusals that leave nothing.
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LedgerDump } from '../../../src/adapters/postgres/dump/ledger-dump.ts';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import { MIGRATIONS } from '../../../src/adapters/postgres/migrations.ts';
import {
  type RestoreOptions,
  restoreBackup,
} from '../../../src/main/ledger/backup/restore-backup.ts';
import { type BackupParts, writeBackup } from '../../../src/main/ledger/backup/write-backup.ts';
import { LEDGER_OF_ROWS, restoreLedger } from '../../fixtures/kept-ledger.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/daemon/services.ts';

const NOW = new Date('2026-11-24T10:00:00Z');
const parts = { now: () => NOW, onTable: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'twapd-backup-'));
const databases: TestDatabase[] = [];
let count = 0;

async function database(): Promise<TestDatabase> {
  const made = await createEmptyDatabase();
  databases.push(made);
  return made;
}

afterAll(async () => {
  for (const one of databases) await one.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function onDatabase<T>(
  { connectionString }: TestDatabase,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** What the text format of COPY has to escape, and what PostgreSQL stores otherwise than as text. */
const ODD = 'tab\there, line\nend, back\\slash, \\N, \\., quote\'", ✓ and \u0001';
const FILLED = `
CREATE TABLE turn_20261123 PARTITION OF turn FOR VALUES FROM (1795392000000000) TO (1795478400000000);
INSERT INTO turn SELECT 1795400000000000 + n, n, 1, 1, json_build_array(json_build_object('kind', 'note', 'text', n))
  FROM generate_series(1, 3000) AS n;
INSERT INTO turn VALUES (5, 1, 1, 1, '[]');
INSERT INTO portfolio (id, version, account, type, status, note, uid, last_edited_uid, instruments, kinds, coin, submitted_at,
    updated_at, next_due_at, has_fills, key, shard)
  SELECT 1795400000000000 + n, 1, '10001', 'TWAP', 1, $odd$${ODD}$odd$, '1', '1', '{BTC_USDC}', '{spot}', 'BTC', n, n,
    nullif(n, 7) * 1000, true, 'key ' || n, 7 FROM generate_series(1, 200) AS n;
INSERT INTO fill VALUES ('paper', 'BTC', '1', 5, 1, 'label', '0.1', '100000.5', '0');
INSERT INTO happening (key, episode, at, body) VALUES ('first', 1, 1, '{}'), ('second', 1, 2, '{"a": null}');
INSERT INTO notice VALUES ('desk', 1, 'sent'), ('desk', 2, NULL);
INSERT INTO event_shape (names) VALUES ('["note","text"]');
INSERT INTO mark VALUES ('starts', '3');`;

/** Every row of every table as text, but for those that belong to running processes or to one cluster. */
async function rowsOf(of: TestDatabase): Promise<ReadonlyMap<string, readonly string[]>> {
  return await onDatabase(of, async (client) => {
    const tables = await client.query<{ name: string }>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN
        ('turn_log', 'notice_cursor', 'notice_lead', 'member', 'shard_lease', 'state_snapshot', 'schema_migration', 'switch_setting')`,
    );
    const found = new Map<string, readonly string[]>();
    for (const { name } of tables.rows) {
      const rows = await client.query(`SELECT one::text AS row FROM ${name} AS one`);
      found.set(name, rows.rows.map(({ row }) => row).sort());
    }
    return found;
  });
}

/** What a restore adds: from when the backup is, for the start that looks for what the venue has done since. */
const RESTORED = '(restored,"{""takenAt"":""2026-11-24T10:00:00.000Z""}")';

function asRestored(rows: ReadonlyMap<string, readonly string[]>): typeof rows {
  return new Map(rows).set('mark', [RESTORED, ...(rows.get('mark') ?? [])]);
}

async function backupOf(of: TestDatabase, changed: Partial<BackupParts> = {}): Promise<string> {
  count += 1;
  const target = join(folder, `backup-${count}`);
  const { connectionString } = of;
  const venues = join(folder, 'no venues');
  await writeBackup({ connectionString, deployment: 'demo', venues, target, ...parts, ...changed });
  return target;
}

async function restored(
  from: string,
  into: TestDatabase,
  changed: Partial<RestoreOptions> = {},
): Promise<void> {
  const { connectionString } = into;
  const venues = join(folder, `venues-${count}`);
  const options = { folder: from, connectionString, venues, deployment: 'demo', ...parts };
  await restoreBackup({ ...options, ...changed });
}

describe('a backup of a ledger with rows in its tables', () => {
  let source: TestDatabase;
  let backup: string;
  let target: TestDatabase;

  beforeAll(async () => {
    source = await database();
    await migrate(source.connectionString);
    await onDatabase(source, (client) => client.query(FILLED));
    backup = await backupOf(source);
  });
  beforeEach(async () => {
    target = await database();
  });

  test('every table of a restored ledger has the same rows, in the same partitions', async () => {
    await restored(backup, target);
    const [before, after] = [await rowsOf(source), await rowsOf(target)];
    expect(before.get('turn_20261123')).toHaveLength(3_000);
    expect(before.get('turn_other')).toHaveLength(1);
    expect(after).toEqual(asRestored(before));
  });

  test('identity columns of a restored ledger continue with numbers that were never used', async () => {
    await restored(backup, target);
    await onDatabase(target, async (client) => {
      const add = (text: string) => client.query<{ number: string }>(`${text} RETURNING number`);
      const added = await add(
        "INSERT INTO happening (key, episode, at, body) VALUES ('x', 1, 1, '{}')",
      );
      expect(Number(added.rows[0]?.number)).toBeGreaterThan(2);
      const shape = await add(`INSERT INTO event_shape (names) VALUES ('["other"]')`);
      expect(Number(shape.rows[0]?.number)).toBeGreaterThan(1);
    });
  });

  test('a restored ledger has trading halted, with the time of the backup as the reason', async () => {
    await restored(backup, target);
    const settings = await onDatabase(target, (client) =>
      client.query('SELECT scope, state, reason FROM switch_setting'),
    );
    expect(settings.rows).toEqual([
      { scope: 'deployment', state: 'halted', reason: expect.stringContaining(NOW.toISOString()) },
    ]);
  });

  test('what is committed after a backup has begun is not in it', async () => {
    const dump = await LedgerDump.open(source.connectionString);
    try {
      await onDatabase(source, (client) => client.query("INSERT INTO mark VALUES ('late', '1')"));
      const marks = await text(dump.rowsOf({ name: 'mark', columns: ['name', 'value'] }));
      expect(marks).toBe('starts\t3\n');
    } finally {
      await dump.close();
      await onDatabase(source, (client) => client.query("DELETE FROM mark WHERE name = 'late'"));
    }
  });

  test('a backup is refused by a database that holds a ledger, and changes nothing there', async () => {
    await migrate(target.connectionString);
    await onDatabase(target, (client) => client.query("INSERT INTO mark VALUES ('starts', '1')"));
    const before = await rowsOf(target);
    await expect(restored(backup, target)).rejects.toThrow('holds a ledger already');
    expect(await rowsOf(target)).toEqual(before);
  });

  test('a backup of another deployment is refused', async () => {
    await expect(restored(backup, target, { deployment: 'other' })).rejects.toThrow(
      'the backup is of the deployment "demo"; service.deployment is "other"',
    );
  });

  test.each([
    [
      'a file with a changed byte',
      'was changed',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 9] = (bytes.at(-9) ?? 0) ^ 1;
        writeFileSync(path, bytes);
      },
    ],
    ['a file with more bytes', 'its manifest says', (path: string) => appendFileSync(path, 'x')],
    ['a file that is missing', 'cannot be read', (path: string) => rmSync(path)],
  ] as const)('a backup with %s is refused before anything is written', async (_, why, harm) => {
    const from = await backupOf(source);
    harm(join(from, 'tables', 'portfolio.copy.gz'));
    await expect(restored(from, target)).rejects.toThrow(why);
    const tables = await onDatabase(target, (client) =>
      client.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'"),
    );
    expect(tables.rowCount).toBe(0);
  });

  test('a restore that fails half-way leaves an empty ledger, into which the backup can be restored again', async () => {
    let tables = 0;
    const failing = (): void => {
      tables += 1;
      if (tables === 12) throw new Error('the disk is full');
    };
    await expect(restored(backup, target, { onTable: failing })).rejects.toThrow(
      'the disk is full',
    );
    await restored(backup, target);
    expect(await rowsOf(target)).toEqual(asRestored(await rowsOf(source)));
  });

  test('a backup that fails half-way leaves no folder that passes for one', async () => {
    const target = join(folder, 'interrupted');
    const failing = (name: string): void => {
      if (name === 'portfolio') throw new Error('the disk is full');
    };
    await expect(backupOf(source, { target, onTable: failing })).rejects.toThrow(
      'the disk is full',
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('interrupted'))).toEqual([]);
    await backupOf(source, { target });
    expect(readdirSync(folder)).toContain('interrupted');
  });
});

test('a backup of an older schema is restored and migrated, one of a newer schema is refused', async () => {
  const [older, into] = [await database(), await database()];
  await migrate(older.connectionString, MIGRATIONS.slice(0, -2));
  await onDatabase(older, (client) => client.query("INSERT INTO mark VALUES ('starts', '9')"));
  const from = await backupOf(older);
  await restored(from, into);
  expect(await migrate(into.connectionString)).toEqual([]);
  expect((await rowsOf(into)).get('mark')).toEqual([RESTORED, '(starts,9)']);
  const path = join(from, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const known = MIGRATIONS.map(({ number, name, checksum }) => ({ number, name, checksum }));
  const schema = [...known, { number: 99, name: 'later', checksum: 'f'.repeat(64) }];
  writeFileSync(path, JSON.stringify({ ...manifest, schema }));
  await expect(restored(from, await database())).rejects.toThrow(
    'which this version does not know',
  );
});

test('a backup of a ledger at schema 30 of a version before 1.0.0 is restored, one of an older schema is refused', async () => {
  const [older, into] = [await database(), await database()];
  await restoreLedger(LEDGER_OF_ROWS.name, older.connectionString);
  const from = await backupOf(older);
  await restored(from, into);
  const portfolios = (await rowsOf(into)).get('portfolio');
  // Two of them are mirrored.
  expect(portfolios).toHaveLength(LEDGER_OF_ROWS.portfolios.length + 2);
  expect(portfolios).toEqual((await rowsOf(older)).get('portfolio'));
  const path = join(from, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const schema = manifest.schema.slice(0, 24);
  writeFileSync(path, JSON.stringify({ ...manifest, version: '0.1.0', schema }));
  await expect(restored(from, await database())).rejects.toThrow(
    'the backup has schema 24 (witnessed heads) of version 0.1.0; accepted: schema 30 and newer. Restore it with the ' +
      'last version before 1.0.0, start that version on it once, and take another backup',
  );
});
