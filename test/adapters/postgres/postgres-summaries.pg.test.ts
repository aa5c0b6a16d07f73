// Summaries that are written behind the commit: what other processes read, at shutdown, after a kill and when the store fails.
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openPostgresLedger,
  PostgresLedger,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { SummaryWriter } from '../../../src/adapters/postgres/summaries/summary-writer.ts';
import { LedgerFailure, type Turn } from '../../../src/ports/ledger.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
import { createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

let database: TestDatabase;
let client: Client;
let ledger: PostgresLedger;
const faults: unknown[] = [];

beforeEach(async () => {
  database = await createDatabase();
  faults.length = 0;
  const { connectionString } = database;
  ledger = await openPostgresLedger({ connectionString, onFault: (error) => faults.push(error) });
  client = new Client({ connectionString });
  await client.connect();
});

afterEach(async () => {
  await ledger.close();
  await client.end();
  await database.drop();
});

const ID = portfolioId('7');
const waiting = (id: number, n: number): Turn =>
  turnWith(id, n, { turn: { summaryMayWait: true } });

async function stored(id = 7): Promise<{ version: number; updatedAt: number }> {
  const { rows } = await client.query<{ version: number; updatedAt: number }>(
    `SELECT version, (record->>'updatedAt')::float8 AS "updatedAt" FROM summary WHERE portfolio = $1`,
    [id],
  );
  return must(rows[0], 'it is stored');
}

test('a summary that may wait is written once, soon, and the newest one only', async () => {
  await ledger.commit([turnWith(7, 0)]);
  expect((await stored()).version).toBe(3);
  for (const n of [1, 2, 3]) await ledger.commit([waiting(7, n)]);
  await until(async () => (await stored()).version > 3);
  const last = waiting(7, 3);
  expect(await stored()).toEqual({ version: 12, updatedAt: last.row.record.updatedAt });
  expect((await ledger.row(ID))?.record).toEqual(last.row.record);
});

test('another process reads the turn at once, and its summary soon', async () => {
  const other = new PostgresLedger({ connectionString: database.connectionString });
  await ledger.commit([turnWith(7, 0)]);
  await ledger.commit([waiting(7, 1)]);
  const row = must(await other.row(ID), 'it is stored');
  expect([row.version, row.updatedAt]).toEqual([6, waiting(7, 1).row.updatedAt]);
  await until(
    async () => (await other.row(ID))?.record.updatedAt === waiting(7, 1).row.record.updatedAt,
  );
  await other.close();
});

test('a turn whose summary must not wait stores it with the commit, whatever waits', async () => {
  await ledger.commit([turnWith(7, 0), turnWith(8, 0)]);
  await ledger.commit([waiting(7, 1), waiting(8, 1)]);
  await ledger.commit([turnWith(7, 2)]);
  expect((await stored()).version).toBe(9);
  await until(async () => (await stored(8)).version === 6);
  expect((await stored()).version).toBe(9);
});

test('closing the ledger writes the summaries that wait', async () => {
  await ledger.commit([turnWith(7, 0)]);
  await ledger.commit([waiting(7, 1)]);
  await ledger.close();
  expect((await stored()).version).toBe(6);
});

test('what a killed process left unwritten is found in its shards, and is in order once a turn stores it', async () => {
  await ledger.commit([
    turnWith(7, 0, { turn: { shard: 4 } }),
    turnWith(8, 0, { turn: { shard: 5 } }),
    turnWith(9, 0, { turn: { shard: 5 } }),
  ]);
  // The process dies before its timer: nobody writes what waits there.
  await client.query('UPDATE portfolio SET version = version + 3 WHERE id IN (7, 8)');
  expect(await ledger.withOldRecord()).toEqual(['7', '8']);
  expect(await ledger.withOldRecord([5, 6])).toEqual(['8']);
  expect(await ledger.withOldRecord([6])).toEqual([]);
  await ledger.commit([turnWith(7, 2, { turn: { events: [] } })]);
  await ledger.commit([turnWith(8, 2, { row: { status: 'filled' } })]);
  expect(await ledger.withOldRecord()).toEqual([]);
});

test('a summary never replaces one of a later version, however late it is written', async () => {
  const other = await openPostgresLedger({ connectionString: database.connectionString });
  await ledger.commit([turnWith(7, 0)]);
  await ledger.commit([waiting(7, 1)]);
  await other.commit([turnWith(7, 2)]);
  await ledger.close();
  expect((await stored()).version).toBe(9);
  expect((await other.row(ID))?.record).toEqual(turnWith(7, 2).row.record);
  await other.close();
});

test('while summaries cannot be written commits go on, the failure is reported, and the newest is written afterwards', async () => {
  await ledger.commit([turnWith(7, 0)]);
  await client.query('ALTER TABLE summary ADD CONSTRAINT broken CHECK (version < 5) NOT VALID');
  for (const n of [1, 2]) await ledger.commit([waiting(7, n)]);
  await until(() => faults.length > 0);
  expect(String(faults[0])).toContain('broken');
  expect(await ledger.commit([waiting(7, 3)])).toEqual({ kind: 'committed' });
  expect((await ledger.row(ID))?.record).toEqual(waiting(7, 3).row.record);
  await client.query('ALTER TABLE summary DROP CONSTRAINT broken');
  await until(async () => (await stored()).version === 12);
});

test('one summary that is refused does not keep the others from being written', async () => {
  await ledger.commit([turnWith(7, 0), turnWith(8, 0), turnWith(9, 0)]);
  await client.query(
    'ALTER TABLE summary ADD CONSTRAINT broken CHECK (portfolio <> 8 OR version < 5)',
  );
  await ledger.commit([7, 8, 9].map((id) => waiting(id, 1)));
  await until(async () => (await stored(9)).version === 6);
  expect([(await stored(7)).version, (await stored(8)).version]).toEqual([6, 3]);
});

test('many summaries are written in a few statements, once each', async () => {
  const sizes: number[] = [];
  const timers: (() => void)[] = [];
  const writer = new SummaryWriter(
    {
      write: (statement) => {
        sizes.push((must(statement.values?.[1], 'versions') as Buffer).readInt32BE(12));
        return Promise.resolve([]);
      },
    },
    {
      startTimer: (_, then) => {
        timers.push(then);
        return () => undefined;
      },
      onFault: (error) => faults.push(error),
    },
  );
  const ids = Array.from({ length: 450 }, (_, n) => n + 1);
  for (const n of [1, 2]) writer.committed(ids.map((id) => waiting(id, n)));
  expect(timers).toHaveLength(1);
  timers[0]?.();
  await writer.close();
  expect(sizes).toEqual([200, 200, 50]);
  expect(writer.newerThan(0, portfolioId('1'))).toBeUndefined();
});

test('of several turns that wait only the summary of the newest is made', async () => {
  const made: number[] = [];
  const written: unknown[] = [];
  const writer = new SummaryWriter(
    {
      write: (statement) => {
        written.push(statement.values);
        return Promise.resolve([]);
      },
    },
    { startTimer: () => () => undefined, onFault: (error) => faults.push(error) },
  );
  for (const n of [1, 2, 3]) {
    const turn = waiting(7, n);
    const { record } = turn.row;
    const row = {
      ...turn.row,
      get record() {
        made.push(n);
        return record;
      },
    };
    writer.committed([{ ...turn, row }]);
  }
  expect(made).toEqual([]);
  await writer.close();
  expect(made).toEqual([3]);
  expect(written).toHaveLength(1);
});

test('a summary that waits is not lost by a failed write, and a newer one takes its place', async () => {
  let isAway = true;
  const written: unknown[] = [];
  const writer = new SummaryWriter(
    {
      write: (statement) => {
        if (isAway) return Promise.reject(new LedgerFailure('away', true));
        written.push(statement.values);
        return Promise.resolve([]);
      },
    },
    { startTimer: () => () => undefined, onFault: (error) => faults.push(error) },
  );
  writer.committed([waiting(7, 1)]);
  await writer.close();
  expect(faults).toHaveLength(1);
  expect(writer.newerThan(5, ID)).toEqual(waiting(7, 1).row.record);
  expect(writer.newerThan(6, ID)).toBeUndefined();
  writer.committed([waiting(7, 2)]);
  isAway = false;
  await writer.close();
  expect(written).toHaveLength(1);
  expect(writer.newerThan(0, ID)).toBeUndefined();
});
