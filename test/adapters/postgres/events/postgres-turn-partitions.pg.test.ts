// Turns are stored by the day of submit, in partitions that are created ahead.
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventShapes } from '../../../../src/adapters/postgres/events/event-shapes.ts';
import { readEvents } from '../../../../src/adapters/postgres/events/stored-events.ts';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../../../src/adapters/postgres/postgres-ledger.ts';
import { portfolioId } from '../../../../src/values/ids.ts';
import { DAY_MS, type Instant, instant, later } from '../../../../src/values/instant.ts';
import { turnWith } from '../../../conformance/ledger-stage.ts';
import { createDatabaseWithoutDays, type TestDatabase } from '../../../support/daemon/services.ts';

/** Midnight UTC of 2026-09-21. */
const MIDNIGHT = instant(1_789_948_800_000);
const NOON = later(MIDNIGHT, DAY_MS / 2);

let database: TestDatabase;
let client: Client;
const opened: PostgresLedger[] = [];
const faults: unknown[] = [];

beforeEach(async () => {
  database = await createDatabaseWithoutDays();
  client = new Client({ connectionString: database.connectionString });
  await client.connect();
  faults.length = 0;
});

afterEach(async () => {
  for (const ledger of opened.splice(0)) await ledger.close();
  await client.end();
  await database.drop();
});

async function open(now: () => Instant): Promise<PostgresLedger> {
  const { connectionString } = database;
  const onFault = (error: unknown): unknown => faults.push(error);
  const ledger = await openPostgresLedger({ connectionString, now, onFault });
  opened.push(ledger);
  return ledger;
}

async function partitions(): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'turn'::regclass`,
  );
  return rows.map(({ name }) => name).toSorted();
}

async function storedIn(): Promise<readonly string[]> {
  const { rows } = await client.query<{ place: string }>(
    `SELECT concat(tableoid::regclass, ' ', portfolio) AS place FROM turn ORDER BY turn.portfolio, turn.version`,
  );
  return rows.map(({ place }) => place);
}

const idAt = (at: Instant): number => at * 1_000;
const days = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `turn_202609${from + n}`);

test('a start creates the partitions of today and of a week, and a later one adds the days since', async () => {
  await open(() => NOON);
  expect(await partitions()).toEqual([...days(21, 28), 'turn_other']);
  await open(() => later(NOON, 2 * DAY_MS));
  expect(await partitions()).toEqual([...days(21, 30), 'turn_other']);
  expect(faults).toEqual([]);
});

test('a daemon that runs on creates the partition of each new day', async () => {
  let at = NOON;
  const ledger = await open(() => at);
  at = later(at, DAY_MS);
  await ledger.partitions.createAhead();
  expect(await partitions()).toEqual([...days(21, 29), 'turn_other']);
});

test('all turns of a portfolio are in the partition of its day of submit, to the millisecond', async () => {
  const ledger = await open(() => NOON);
  const last = idAt(later(MIDNIGHT, DAY_MS)) - 1;
  for (const id of [idAt(MIDNIGHT), last, last + 1, idAt(MIDNIGHT) - 1, 7]) {
    for (const n of [0, 1]) await ledger.commit([turnWith(id, n)]);
  }
  expect(await storedIn()).toEqual(
    [
      ['turn_other', 7],
      ['turn_other', idAt(MIDNIGHT) - 1],
      ['turn_20260921', idAt(MIDNIGHT)],
      ['turn_20260921', last],
      ['turn_20260922', last + 1],
    ].flatMap(([table, id]) => [`${table} ${id}`, `${table} ${id}`]),
  );
  const { rows } = await client.query(
    'SELECT DISTINCT portfolio::text AS id FROM event WHERE version = 6',
  );
  expect(rows).toHaveLength(5);
});

test('processes that start at once create each partition once', async () => {
  await open(() => NOON);
  const at = later(NOON, 20 * DAY_MS);
  await Promise.all(Array.from({ length: 6 }, () => open(() => at)));
  expect(faults).toEqual([]);
  expect(await partitions()).toHaveLength(8 + 1 + 8);
});

test('a day whose turns are already stored without a partition keeps them, and is reported', async () => {
  const early = await open(() => later(NOON, -30 * DAY_MS));
  await early.commit([turnWith(idAt(NOON), 0)]);
  const ledger = await open(() => NOON);
  expect(await partitions()).not.toContain('turn_20260921');
  expect(await partitions()).toContain('turn_20260922');
  expect(faults.map(String)).toEqual([expect.stringContaining('turn_other')]);
  await ledger.commit([turnWith(idAt(NOON), 1)]);
  expect((await ledger.load(portfolioId(String(idAt(NOON)))))?.version).toBe(6);
});

test('commits go on while a partition is being attached', async () => {
  const ledger = await open(() => NOON);
  await ledger.commit([turnWith(idAt(NOON), 0)]);
  await client.query('BEGIN');
  await client.query('CREATE TABLE turn_20261231 (LIKE turn INCLUDING ALL)');
  const [from, to] = [Date.UTC(2026, 11, 31) * 1_000, Date.UTC(2027, 0, 1) * 1_000];
  await client.query(
    `ALTER TABLE turn ATTACH PARTITION turn_20261231 FOR VALUES FROM (${from}) TO (${to})`,
  );
  expect(await ledger.commit([turnWith(idAt(NOON), 1)])).toEqual({ kind: 'committed' });
  await client.query('COMMIT');
  expect(await ledger.commit([turnWith(from, 0)])).toEqual({ kind: 'committed' });
  expect(await storedIn()).toContain(`turn_20261231 ${from}`);
});

test('reading a portfolio opens the partition of its day and no other', async () => {
  await open(() => NOON);
  const lines: string[] = [];
  const read = async (statement: { text: string; values?: readonly unknown[] }) => {
    const { rows } = await client.query(`EXPLAIN ${statement.text}`, [...(statement.values ?? [])]);
    lines.push(...rows.map((row) => String(row['QUERY PLAN'])));
    return [];
  };
  const pool = { read, write: read };
  const shapes = new EventShapes(pool, { onFault: (error) => faults.push(error) });
  await readEvents({ pool, shapes }, { portfolio: portfolioId(String(idAt(NOON))), after: 3 });
  const named = new Set(lines.join('\n').match(/turn_\w+?(?=_pkey| )/g));
  expect([...named]).toEqual(['turn_20260921']);
});

/** As a version left them whose clock read …999 ms and then …000 ms: named a day early, from a millisecond before midnight. */
async function createWrong(daysAhead: number): Promise<void> {
  for (const [table, perMs] of [
    ['turn', 1_000],
    ['leg_moment', 1_000],
    ['market_second', 1],
    ['market_instant', 1],
  ] as const) {
    for (const { name } of (
      await client.query(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = '${table}'::regclass`,
      )
    ).rows) {
      if (!name.endsWith('_other')) await client.query(`DROP TABLE ${name}`);
    }
    for (let n = 0; n <= daysAhead; n += 1) {
      const from = MIDNIGHT + n * DAY_MS - 1;
      const name = `${table}_${new Date(from).toISOString().slice(0, 10).replaceAll('-', '')}`;
      await client.query(
        `CREATE TABLE ${name} PARTITION OF ${table} FOR VALUES FROM (${from * perMs}) TO (${(from + DAY_MS) * perMs})`,
      );
    }
  }
}

test('a start mends partitions with a wrong name and bounds, and keeps every row', async () => {
  const before = await open(() => NOON);
  await before.close();
  opened.length = 0;
  await createWrong(3);
  const ids = [-1, 0, DAY_MS - 1, DAY_MS, 3 * DAY_MS, 4 * DAY_MS - 1, 5 * DAY_MS].map((ms) =>
    idAt(later(MIDNIGHT, ms)),
  );
  for (const id of ids) {
    await client.query(
      `INSERT INTO turn (portfolio, batch, version, size, events) VALUES (${id}, 1, 1, 1, '[]')`,
    );
  }
  expect(await storedIn()).toEqual([
    `turn_20260920 ${ids[0]}`,
    `turn_20260920 ${ids[1]}`,
    `turn_20260921 ${ids[2]}`,
    `turn_20260921 ${ids[3]}`,
    `turn_20260923 ${ids[4]}`,
    `turn_other ${ids[5]}`,
    `turn_other ${ids[6]}`,
  ]);
  await open(() => later(NOON, -20 * DAY_MS));
  expect(faults).toEqual([]);
  expect(await storedIn()).toEqual([
    `turn_other ${ids[0]}`,
    `turn_20260921 ${ids[1]}`,
    `turn_20260921 ${ids[2]}`,
    `turn_20260922 ${ids[3]}`,
    `turn_20260924 ${ids[4]}`,
    `turn_20260924 ${ids[5]}`,
    `turn_other ${ids[6]}`,
  ]);
  const { rows } = await client.query(
    `SELECT pg_get_expr(relpartbound, oid) AS bounds FROM pg_class WHERE relname = 'turn_20260922'`,
  );
  const [from, to] = [MIDNIGHT + DAY_MS, MIDNIGHT + 2 * DAY_MS].map((at) => at * 1_000);
  expect(rows[0].bounds).toBe(`FOR VALUES FROM ('${from}') TO ('${to}')`);
});

test('days begin at midnight, however the clock moves while they are created', async () => {
  const readings = [later(MIDNIGHT, -1), MIDNIGHT];
  await open(() => readings.shift() ?? MIDNIGHT);
  const { rows } = await client.query(
    `SELECT count(*)::int AS wrong FROM pg_class WHERE relname ~ '^turn_2026' AND relkind = 'r'
     AND pg_get_expr(relpartbound, oid) !~ '''\\d+00000''\\) TO \\(''\\d+00000'''`,
  );
  expect(rows[0].wrong).toBe(0);
  expect(await partitions()).toContain('turn_20260921');
});
