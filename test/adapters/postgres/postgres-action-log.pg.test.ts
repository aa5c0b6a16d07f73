import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type ActionLogOptions,
  PostgresActionLog,
} from '../../../src/adapters/postgres/records/postgres-action-log.ts';
import { PostgresActionPages } from '../../../src/adapters/postgres/records/postgres-action-pages.ts';
import { accountId } from '../../../src/values/ids.ts';
import {
  actionAt,
  actionLogConformance,
  actionPagesConformance,
  type OpenedTrail,
} from '../../conformance/action-log.ts';
import { createDatabase } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function database(): Promise<string> {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  return connectionString;
}

function openOn(options: ActionLogOptions): PostgresActionLog {
  const log = new PostgresActionLog({ retryMs: 5, ...options });
  cleanUp.push(() => log.close());
  return log;
}

async function run(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(statement);
  await client.end();
}

describe('PostgresActionLog', () => {
  actionLogConformance(async () => openOn({ connectionString: await database() }));

  test('while the table is missing, record resolves anyway, the log reports that it is behind, and writes later', async () => {
    const connectionString = await database();
    const faults: unknown[] = [];
    const onFault = (error: unknown): number => faults.push(error);
    const log = openOn({ connectionString, behindFrom: 3, onFault });
    await log.record(actionAt(1));
    await run(connectionString, 'ALTER TABLE action RENAME TO elsewhere');
    await log.record(actionAt(2));
    await log.record(actionAt(3));
    expect(log.isBehind).toBe(false);
    await log.record(actionAt(4));
    expect([log.isBehind, faults.length]).toEqual([true, 1]);
    await run(connectionString, 'ALTER TABLE elsewhere RENAME TO action');
    await until(async () => (await log.find({ limit: 10 })).length === 4);
    expect((await log.find({ limit: 10 })).map(({ at }) => at)).toEqual([4, 3, 2, 1]);
    await until(() => !log.isBehind);
  });

  test('whatever texts a client chose are stored as they were sent', async () => {
    const log = openOn({ connectionString: await database() });
    const labels = [
      '',
      'NULL',
      'null',
      'a"b',
      'a\\b',
      '\\"',
      '{a,b}',
      "it's",
      'a\nb\t',
      'é 日 😀',
      ' ',
    ];
    const actions = labels.map((label, at) => actionAt(at, { label, instrument: undefined }));
    await Promise.all(actions.map((action) => log.record(action)));
    const found = (await log.find({ limit: 20 })).toReversed();
    expect(found.map(({ label }) => label)).toEqual(labels);
    expect(new Set(found.map(({ instrument }) => instrument))).toEqual(new Set([undefined]));
  });

  test('a record that the database never accepts is reported and blocks no other', async () => {
    const faults: Error[] = [];
    const onFault = (error: unknown): number => faults.push(error as Error);
    const log = openOn({ connectionString: await database(), onFault });
    const bad = actionAt(2, { label: 'with a NUL \0' });
    await Promise.all([actionAt(1), bad, actionAt(3)].map((action) => log.record(action)));
    expect((await log.find({ limit: 10 })).map(({ at }) => at)).toEqual([3, 1]);
    expect(faults.map(({ message }) => message.startsWith('an action cannot be written'))).toEqual([
      true,
    ]);
  });

  test('recorded actions are readable by another process, even after a close', async () => {
    const connectionString = await database();
    const log = new PostgresActionLog({ connectionString });
    void log.record(actionAt(1));
    await log.close();
    expect(await openOn({ connectionString }).find({ limit: 10 })).toEqual([actionAt(1)]);
  });
});

async function opened(): Promise<OpenedTrail & { readonly connectionString: string }> {
  const connectionString = await database();
  const pages = new PostgresActionPages({ connectionString });
  cleanUp.push(() => pages.close());
  return { connectionString, log: openOn({ connectionString }), pages };
}

describe('PostgresActionPages', () => {
  actionPagesConformance(opened);

  test('pages are read over another connection than records are written', async () => {
    const { connectionString, log, pages } = await opened();
    await log.record(actionAt(1));
    expect(await pages.page({ accounts: [accountId('10001')], limit: 1 })).toHaveLength(1);
    const client = new Client({ connectionString });
    await client.connect();
    cleanUp.push(() => client.end());
    const { rows } = await client.query(
      'SELECT query FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    const last = rows.map(({ query }) => String(query));
    expect(last.some((text) => text.includes('INSERT INTO action'))).toBe(true);
    expect(last.some((text) => text.includes('LATERAL'))).toBe(true);
  });
});
