import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { migrate } from '../../../src/adapters/postgres/migrate.ts';
import { PostgresActionLog } from '../../../src/adapters/postgres/records/postgres-action-log.ts';
import { PostgresActionPages } from '../../../src/adapters/postgres/records/postgres-action-pages.ts';
import { accountId } from '../../../src/values/ids.ts';
import { actionAt } from '../../conformance/action-log.ts';
import { actionPagesConformance, type OpenedTrail } from '../../conformance/action-pages.ts';
import { createDatabase } from '../../support/daemon/services.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function opened(): Promise<OpenedTrail & { readonly connectionString: string }> {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  await migrate(connectionString);
  const log = new PostgresActionLog({ connectionString });
  const pages = new PostgresActionPages({ connectionString });
  cleanUp.push(
    () => log.close(),
    () => pages.close(),
  );
  return { connectionString, log, pages };
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
