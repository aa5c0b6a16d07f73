import { Client } from 'pg';
import { afterEach, describe } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { PostgresShardLeases } from '../../../src/adapters/postgres/records/postgres-shard-leases.ts';
import { leasedCommitsConformance } from '../../conformance/deployment/leased-commits.ts';
import { shardLeasesConformance } from '../../conformance/deployment/shard-leases.ts';
import { createDatabase, type TestDatabase } from '../../support/daemon/services.ts';

describe('PostgresShardLeases', () => {
  let database: TestDatabase | undefined;
  const opened: PostgresShardLeases[] = [];
  afterEach(async () => {
    for (const leases of opened.splice(0)) await leases.close();
    await database?.drop();
  });

  shardLeasesConformance(async () => {
    database = await createDatabase();
    const { connectionString } = database;
    return {
      open: () => {
        const leases = new PostgresShardLeases({ connectionString });
        opened.push(leases);
        return Promise.resolve(leases);
      },
      // What the server sees of a kill is the end of the connection.
      kill: async (view) => {
        const killed = opened.indexOf(view as PostgresShardLeases);
        await opened.splice(killed, 1)[0]?.close();
      },
      pass: () => expireMembers(connectionString),
    };
  });
});

describe('PostgresLedger with PostgresShardLeases', () => {
  const closes: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0).reverse()) await close();
  });

  leasedCommitsConformance(async () => {
    const { connectionString, drop } = await createDatabase();
    const ledger = await openPostgresLedger({ connectionString });
    const leases = new PostgresShardLeases({ connectionString });
    closes.push(
      drop,
      () => ledger.close(),
      () => leases.close(),
    );
    return { ledger, leases };
  });
});

async function expireMembers(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query('UPDATE member SET until = clock_timestamp()');
  await client.end();
}
