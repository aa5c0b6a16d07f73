import { afterAll, beforeAll, describe } from 'vitest';
import { PostgresSwitchRecords } from '../../../src/adapters/postgres/records/postgres-switch-records.ts';
import { must } from '../../../src/values/assert.ts';
import { switchRecordsConformance } from '../../conformance/switch-records.ts';
import { createDatabase, type TestDatabase } from '../../support/daemon/services.ts';

describe('PostgresSwitchRecords', () => {
  let database: TestDatabase | undefined;
  const opened: PostgresSwitchRecords[] = [];
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    for (const records of opened) await records.close();
    await database?.drop();
  });

  switchRecordsConformance(() => {
    const { connectionString } = must(database, 'the database is there');
    const records = new PostgresSwitchRecords({ connectionString });
    opened.push(records);
    return Promise.resolve(records);
  });
});
