import { afterEach } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { stateSnapshotsConformance } from '../../conformance/state-snapshots.ts';
import { createDatabase } from '../../support/daemon/services.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

stateSnapshotsConformance(async () => {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  const ledger = await openPostgresLedger({ connectionString });
  cleanUp.push(() => ledger.close());
  return { ledger, snapshots: ledger.snapshots };
});
