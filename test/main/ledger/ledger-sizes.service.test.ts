// The sizes of a ledger as the database reports them, and the growth that follows from its days.
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { ledgerSizes } from '../../../src/adapters/postgres/dump/ledger-sizes.ts';
import { growthOf } from '../../../src/main/ledger/ledger-growth.ts';
import { createDatabaseWithoutDays } from '../../support/daemon/services.ts';

const DAYS = `
CREATE TABLE turn_20261121 PARTITION OF turn FOR VALUES FROM (1795219200000000) TO (1795305600000000);
CREATE TABLE turn_20261122 PARTITION OF turn FOR VALUES FROM (1795305600000000) TO (1795392000000000);
CREATE TABLE turn_20261123 PARTITION OF turn FOR VALUES FROM (1795392000000000) TO (1795478400000000);
INSERT INTO turn SELECT 1795219200000000 + n, n, 1, 1, '[{"kind": "note"}]' FROM generate_series(1, 20000) AS n;
INSERT INTO turn SELECT 1795392000000000 + n, n, 1, 1, '[{"kind": "note"}]' FROM generate_series(1, 200) AS n;`;

test('sizes count partitions to their table and to their day, and leave out days without rows', async () => {
  const database = await createDatabaseWithoutDays();
  const client = new Client({ connectionString: database.connectionString });
  try {
    await client.connect();
    await client.query(DAYS);
    await client.query('ANALYZE');
    const sizes = await ledgerSizes(database.connectionString);
    const size = async (table: string): Promise<number> => {
      const found = await client.query(
        `SELECT pg_total_relation_size('${table}')::float8 AS bytes`,
      );
      return found.rows[0].bytes;
    };
    expect(sizes.days).toEqual([
      { day: '2026-11-21', bytes: await size('turn_20261121') },
      { day: '2026-11-23', bytes: await size('turn_20261123') },
    ]);
    const parts = ['turn_20261121', 'turn_20261122', 'turn_20261123', 'turn_other'];
    const bytes = (await Promise.all(parts.map(size))).reduce((sum, one) => sum + one);
    expect(sizes.tables[0]).toEqual({ table: 'turn', bytes, rows: 20_200 });
    expect(sizes.bytes).toBeGreaterThan(bytes);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('growth is the mean of the days that are over, with those between them on which nothing was stored', () => {
  const days = [
    { day: '2026-10-01', bytes: 9_000_000 },
    { day: '2026-11-21', bytes: 600 },
    { day: '2026-11-23', bytes: 300 },
    { day: '2026-11-24', bytes: 50 },
  ];
  // 900 bytes in the three days from the 21st to the 23rd.
  expect(growthOf({ bytes: 1_000, days }, '2026-11-24')).toEqual({
    days: 3,
    bytesADay: 300,
    inThirtyDays: 10_000,
    inAYear: 110_500,
  });
});

test('growth is not known on the first day of a ledger', () => {
  const days = [{ day: '2026-11-24', bytes: 50 }];
  expect(growthOf({ bytes: 1_000, days }, '2026-11-24')).toMatchObject({ days: 0, bytesADay: 0 });
});
