import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { openPostgresLedger } from '../../../src/adapters/postgres/postgres-ledger.ts';
import {
  type CostRecordOptions,
  PostgresCostRecord,
} from '../../../src/adapters/postgres/records/postgres-cost-record.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { costRecordConformance, secondAt } from '../../conformance/costs/cost-record.ts';
import { createDatabase } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function database(): Promise<string> {
  const { connectionString, drop } = await createDatabase();
  cleanUp.push(drop);
  return connectionString;
}

function openOn(options: CostRecordOptions): PostgresCostRecord {
  const record = new PostgresCostRecord({ gatherMs: 1, retryMs: 5, ...options });
  cleanUp.push(() => record.close());
  return record;
}

async function run(connectionString: string, statement: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query({ text: statement, rowMode: 'array' });
  await client.end();
  return rows.flat();
}

const FIRST = secondAt(0).second;
const all = { ...secondAt(0), from: FIRST, to: later(FIRST, 10_000) };

describe('PostgresCostRecord', () => {
  costRecordConformance(async () => openOn({ connectionString: await database() }));

  test('rows wait while the table is missing, and are stored once it is back', async () => {
    const connectionString = await database();
    const faults: unknown[] = [];
    const record = openOn({ connectionString, onFault: (error) => faults.push(error) });
    await run(connectionString, 'ALTER TABLE market_second RENAME TO elsewhere');
    record.add({ seconds: [secondAt(0), secondAt(1)] });
    await until(() => faults.length > 0);
    record.add({ seconds: [secondAt(2)] });
    await run(connectionString, 'ALTER TABLE elsewhere RENAME TO market_second');
    await until(async () => (await record.seconds(all)).length === 3);
    expect(faults).toHaveLength(1);
  });

  test('rows are stored in the order of their key, so that daemons with the same rows do not deadlock', async () => {
    const connectionString = await database();
    const record = openOn({ connectionString });
    record.add({ seconds: [secondAt(2), secondAt(0), secondAt(1)] });
    await until(async () => (await record.seconds(all)).length === 3);
    const stored = 'SELECT second::text FROM market_second ORDER BY tableoid, ctid';
    const seconds = [0, 1, 2].map((n) => String(secondAt(n).second));
    expect(await run(connectionString, stored)).toEqual(seconds);
  });

  test('beyond the bound the oldest rows are lost, and it is reported how many', async () => {
    const connectionString = await database();
    const faults: unknown[] = [];
    const onFault = (error: unknown): number => faults.push(error);
    const record = openOn({ connectionString, waitingMax: 2, onFault });
    record.add({ seconds: [0, 1, 2, 3, 4].map((n) => secondAt(n)) });
    await record.flush();
    expect(await record.seconds(all)).toEqual([3, 4].map((n) => secondAt(n)));
    expect(faults.map(String)).toEqual([
      'Error: 3 rows of markets are lost: the database was away, or too slow',
    ]);
  });

  test('each second is stored in the partition of its day', async () => {
    const connectionString = await database();
    const now = (): typeof FIRST => instant(FIRST);
    const ledger = await openPostgresLedger({ connectionString, now });
    cleanUp.push(() => ledger.close());
    const record = openOn({ connectionString });
    record.add({ seconds: [secondAt(0), secondAt(1), secondAt(2)] });
    await record.flush();
    const text = 'SELECT tableoid::regclass::text FROM market_second ORDER BY second';
    expect(await run(connectionString, text)).toEqual([
      'market_second_20261124',
      'market_second_20261124',
      'market_second_20261125',
    ]);
  });

  test('whole batches are written without waiting for more rows, and the rest waits', async () => {
    const connectionString = await database();
    const record = openOn({ connectionString, gatherMs: 60_000 });
    record.add({ seconds: Array.from({ length: 1_200 }, (_, n) => secondAt(n)) });
    const stored = async () =>
      (await record.seconds({ ...all, to: later(FIRST, 2_000_000) })).length;
    await until(async () => (await stored()) >= 1_000);
    expect(await stored()).toBe(1_000);
    await record.flush();
    expect(await stored()).toBe(1_200);
  });

  test('what was added before the close is stored', async () => {
    const connectionString = await database();
    const record = openOn({ connectionString, gatherMs: 60_000 });
    record.add({ seconds: [secondAt(0)] });
    await record.close();
    cleanUp.pop();
    expect(await openOn({ connectionString }).seconds(all)).toHaveLength(1);
  });
});
