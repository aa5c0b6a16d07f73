import { afterAll, beforeAll, describe } from 'vitest';
import { PostgresAuditSeals } from '../../../src/adapters/postgres/records/postgres-audit-seals.ts';
import { must } from '../../../src/values/assert.ts';
import { auditSealsConformance } from '../../conformance/audit/audit-seals.ts';
import { createDatabase, type TestDatabase } from '../../support/daemon/services.ts';

describe('PostgresAuditSeals', () => {
  let database: TestDatabase | undefined;
  const opened: PostgresAuditSeals[] = [];
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(async () => {
    for (const seals of opened) await seals.close();
    await database?.drop();
  });

  auditSealsConformance(() => {
    const { connectionString } = must(database, 'the database is there');
    const seals = new PostgresAuditSeals({ connectionString });
    opened.push(seals);
    return Promise.resolve(seals);
  });
});
