import { afterEach } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { mmpRecordsConformance } from '../../conformance/mmp-records.ts';
import { createDatabase } from '../../support/daemon/services.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

mmpRecordsConformance(async () => {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  const ledger = await openPostgresLedger({ connectionString });
  cleanUp.push(() => ledger.close());
  return ledger.mmpRecords;
});
