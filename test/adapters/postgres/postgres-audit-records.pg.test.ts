// What the auditor reads and stores in PostgreSQL: events in pieces, up to a gap; and one baseline per
// account.
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import { PostgresAuditRecords } from '../../../src/adapters/postgres/records/postgres-audit-records.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, instrumentName, type PortfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
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

test('the last baseline of an account is stored', async () => {
  const account = accountId('10001');
  expect(await records.of(account)).toBeUndefined();
  const positions = { [instrumentName('BTC-PERPETUAL')]: '-30' };
  await records.put(account, { at: instant(1), positions: {} });
  await records.put(account, { at: instant(1_795_252_777_402), positions });
  expect(await records.of(account)).toEqual({ at: 1_795_252_777_402, positions });
  await records.remove(account);
  expect(await records.of(account)).toBeUndefined();
});

test('portfolios are paged in numeric order, whatever the length of their ids', async () => {
  const other = await createDatabase();
  try {
    const ledger = await openPostgresLedger({ connectionString: other.connectionString });
    const ids = [7, 8, 9, 10, 11, 99, 100, 101, 999, 1_000];
    for (const id of ids) await ledger.commit([turnWith(id, 0)]);
    await ledger.close();
    const reads = new PostgresAuditRecords({ connectionString: other.connectionString });
    const read: PortfolioId[] = [];
    for (;;) {
      const page = await reads.portfoliosAfter(read.at(-1), 3);
      if (page.length === 0) break;
      read.push(...page);
      expect(read.length).toBeLessThanOrEqual(ids.length);
    }
    await reads.close();
    expect(read.map(Number)).toEqual(ids);
  } finally {
    await other.drop();
  }
});
