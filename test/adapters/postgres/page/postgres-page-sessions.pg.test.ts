import { afterAll, beforeAll, describe } from 'vitest';
import { PostgresPageSessions } from '../../../../src/adapters/postgres/records/postgres-page-sessions.ts';
import { must } from '../../../../src/values/assert.ts';
import { pageSessionsConformance } from '../../../conformance/page/page-sessions.ts';
import { createDatabase, type TestDatabase } from '../../../support/daemon/services.ts';

describe('PostgresPageSessions', () => {
  let database: TestDatabase | undefined;
  const opened: PostgresPageSessions[] = [];
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    for (const records of opened) await records.close();
    await database?.drop();
  });

  pageSessionsConformance(() => {
    const { connectionString } = must(database, 'the database is there');
    const records = new PostgresPageSessions({ connectionString });
    opened.push(records);
    return Promise.resolve(records);
  });
});
