import { afterEach, describe } from 'vitest';
import { PostgresKeyRecords } from '../../../src/adapters/postgres/records/postgres-key-records.ts';
import { keyRecordsConformance } from '../../conformance/key-records.ts';
import { createDatabase } from '../../support/daemon/services.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

describe('PostgresKeyRecords', () => {
  keyRecordsConformance(async () => {
    const { connectionString, drop } = await createDatabase();
    cleanUp.push(drop);
    const records = new PostgresKeyRecords({ connectionString });
    cleanUp.push(() => records.close());
    return records;
  });
});
