// What the auditor reads and stores in PostgreSQL: events in pieces, up to a gap; and one baseline per
// account.
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { PostgresAuditRecords } from '../../../src/adapters/postgres/records/postgres-audit-records.ts';
import { must } from '../../../src/values/assert.ts';
import { auditBaselinesConformance } from '../../conformance/audit/audit-baselines.ts';
import { auditReadsConformance } from '../../conformance/audit/audit-reads.ts';
import { lives } from '../../support/daemon/lives.ts';
import { createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { turnDeleted } from '../../support/daemon/tampered-events.ts';

let database: TestDatabase;
let records: PostgresAuditRecords;
beforeAll(async () => {
  database = await createDatabase();
  records = new PostgresAuditRecords({ connectionString: database.connectionString });
});
afterAll(async () => {
  await records.close();
  await database.drop();
});

test('events are returned in pieces, in order, and none after a gap', async () => {
  const { connectionString } = database;
  const ledger = await openPostgresLedger({ connectionString });
  for (const { turn } of await lives()) await ledger.commit([turn]);
  const [first] = await records.portfoliosAfter(undefined, 10);
  const id = must(first, 'there is one');
  const { events, version } = must(await ledger.load(id), 'it is stored');
  await ledger.close();
  const pieces = [];
  for (let at = 0; at <= version; at += 4) pieces.push(...(await records.eventsAfter(id, at, 4)));
  expect(pieces).toEqual(events);
  expect(await records.portfoliosAfter(id, 10)).toHaveLength(1);
  const client = new Client({ connectionString });
  await client.connect();
  const gone = await client.query<{ kept: number }>(
    `${turnDeleted(id, 4)} RETURNING version - size AS kept`,
  );
  await client.end();
  const { kept } = must(gone.rows[0], 'a turn has the fourth event');
  expect(kept).toBeLessThan(4);
  expect(await records.eventsAfter(id, 0, 10)).toEqual(events.slice(0, kept));
});

describe('PostgresAuditRecords', () => {
  auditBaselinesConformance(() => Promise.resolve(records));

  const endings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
  auditReadsConformance(async () => {
    const { connectionString, drop } = await createDatabase();
    const ledger = await openPostgresLedger({ connectionString });
    const reads = new PostgresAuditRecords({ connectionString });
    endings.push(
      drop,
      () => ledger.close(),
      () => reads.close(),
    );
    return { ledger, reads };
  });
});
