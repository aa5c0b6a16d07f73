// Events are stored without the names of their fields once the ledger has their shape, and read back as they were: by the
// process that wrote them, by others, by the auditor and in the view.
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EventShapes } from '../../../src/adapters/postgres/events/event-shapes.ts';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { PostgresAuditRecords } from '../../../src/adapters/postgres/records/postgres-audit-records.ts';
import type { PortfolioEvent } from '../../../src/core/portfolio/aggregate/portfolio-event.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { instant } from '../../../src/values/instant.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
import { createDatabase, type TestDatabase } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

const ID = portfolioId('7');

let database: TestDatabase;
let client: Client;
let ledger: PostgresLedger;
const opened: { close(): Promise<void> }[] = [];
const faults: unknown[] = [];

async function open(): Promise<PostgresLedger> {
  const { connectionString } = database;
  const one = await openPostgresLedger({
    connectionString,
    onFault: (error) => faults.push(error),
  });
  opened.push(one);
  return one;
}

beforeEach(async () => {
  database = await createDatabase();
  faults.length = 0;
  ledger = await open();
  client = new Client({ connectionString: database.connectionString });
  await client.connect();
});

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await client.end();
  await database.drop();
});

const shapes = async (): Promise<number> => {
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int FROM event_shape');
  return must(rows[0], 'one row').count;
};

async function stored(version: number): Promise<readonly unknown[]> {
  const { rows } = await client.query<{ events: readonly unknown[] }>(
    'SELECT events FROM turn WHERE portfolio = 7 AND version = $1',
    [version],
  );
  return must(rows[0], 'it is stored').events;
}

/** Turns of three events; the shapes of all are known from the second on. */
async function commitTurns(turns: number): Promise<readonly PortfolioEvent[]> {
  await ledger.commit([turnWith(7, 0)]);
  await until(async () => (await shapes()) === 3);
  // The writer has read them too.
  await until(async () => {
    await ledger.commit([turnWith(8, 0)]);
    const { rows } = await client.query<{ type: string }>(
      'SELECT json_typeof(events->0) AS type FROM turn WHERE portfolio = 8',
    );
    if (rows[0]?.type === 'array') return true;
    await client.query('DELETE FROM turn WHERE portfolio = 8; DELETE FROM portfolio WHERE id = 8');
    await client.query('DELETE FROM summary WHERE portfolio = 8');
    return false;
  });
  for (let n = 1; n < turns; n += 1) await ledger.commit([turnWith(7, n)]);
  return Array.from({ length: turns }, (_, n) => turnWith(7, n).events).flat();
}

test('the events of a shape that is new are stored whole, and later ones without names', async () => {
  const events = await commitTurns(3);
  expect(await stored(3)).toEqual(turnWith(7, 0).events);
  const last = await stored(9);
  expect(last.map((one) => Array.isArray(one))).toEqual([true, true, true]);
  expect(last[2]).toEqual([expect.any(Number), ...Object.values(events[8] ?? {}).slice(1)]);
  expect((await ledger.load(ID))?.events).toEqual(events);
  expect(faults).toEqual([]);
});

test('a process that has not seen a shape reads its events, and so does the auditor', async () => {
  const other = await open();
  const { connectionString } = database;
  const records = new PostgresAuditRecords({ connectionString });
  opened.push(records);
  const events = await commitTurns(4);
  expect(JSON.stringify((await other.load(ID))?.events)).toBe(JSON.stringify(events));
  expect(await records.eventsAfter(ID, 2, 5)).toEqual(events.slice(2, 7));
  expect(await other.eventsAfter(ID, 2, 5)).toEqual(events.slice(2, 7));
  await other.commit([turnWith(7, 4)]);
  expect((await ledger.load(ID))?.version).toBe(15);
});

test('the view shows every event character by character, whether stored whole or not', async () => {
  const events = await commitTurns(2);
  const odd: PortfolioEvent[] = ['"\\ \u0007 é 東京 😀 1.10 1e3', ''].map((message) => ({
    kind: 'edit_refused',
    at: instant(5),
    label: `l "${message}"`,
    number: -1,
    code: 1e21,
    message,
  }));
  for (const n of [2, 3]) {
    await ledger.commit([{ ...turnWith(7, n), fromVersion: 6 + (n - 2) * 2, events: odd }]);
    await until(async () => (await shapes()) === 4);
  }
  const { rows } = await client.query(
    `SELECT version, at::text, kind, data::text FROM event WHERE portfolio = 7 ORDER BY event.version`,
  );
  expect(rows).toEqual(
    [...events, ...odd, ...odd].map((event, index) => ({
      version: index + 1,
      at: String(event.at),
      kind: event.kind,
      data: JSON.stringify(event),
    })),
  );
});

test('two processes that learn the same shapes at once store each once', async () => {
  const other = await open();
  await Promise.all([ledger.commit([turnWith(7, 0)]), other.commit([turnWith(9, 0)])]);
  await until(async () => (await shapes()) === 3);
  for (const n of [1, 2]) {
    await ledger.commit([turnWith(7, n)]);
    await other.commit([turnWith(9, n)]);
  }
  expect(await shapes()).toBe(3);
  const [one, two] = [await other.load(ID), await ledger.load(portfolioId('9'))];
  expect([one?.version, two?.version]).toEqual([9, 9]);
  expect(faults).toEqual([]);
});

test('an event with too few or too many values, or of a shape that is gone, is a gap', async () => {
  const events = await commitTurns(3);
  const change = (sql: string): Promise<unknown> =>
    client.query(`UPDATE turn SET events = ${sql} WHERE portfolio = 7 AND version = 9`);
  const { connectionString } = database;
  const original = JSON.stringify(await stored(9));
  for (const sql of [
    `(events::jsonb || '[[1]]')::json`,
    `jsonb_set(events::jsonb, '{1,0}', '77')::json`,
    `jsonb_set(events::jsonb, '{2}', events::jsonb->2 || '[1]')::json`,
    `jsonb_set(events::jsonb, '{0}', (events::jsonb->0) - 3)::json`,
  ]) {
    await change(sql);
    const records = new PostgresAuditRecords({ connectionString });
    expect(await records.eventsAfter(ID, 0, 100)).toEqual(events.slice(0, 6));
    await records.close();
    await expect(ledger.load(ID)).rejects.toThrow('has lost its event 7');
    await change(`'${original}'`);
  }
  expect((await ledger.load(ID))?.events).toEqual(events);
});

test('while shapes cannot be stored events are stored whole, and the failure is reported', async () => {
  let isAway = true;
  const known: { number: number; names: string }[] = [];
  const books = new EventShapes(
    {
      read: <Row>() => Promise.resolve([...known] as Row[]),
      write: ({ values }) => {
        if (isAway) return Promise.reject(new Error('away'));
        for (const names of (values?.[0] ?? []) as string[]) {
          known.push({ number: known.length + 1, names });
        }
        return Promise.resolve([]);
      },
    },
    { onFault: (error) => faults.push(error) },
  );
  const { events } = turnWith(7, 0);
  for (const _ of [1, 2]) {
    expect(books.textOf(events)).toBe(JSON.stringify(events));
    await books.close();
  }
  expect(faults).toHaveLength(2);
  isAway = false;
  books.textOf(events);
  await books.close();
  const text = books.textOf(events);
  expect(text.length).toBeLessThan(JSON.stringify(events).length * 0.65);
  expect(await books.eventsOf(JSON.parse(text))).toEqual(events);
});

test('an event whose names an object would not keep in order is stored whole', async () => {
  const known: { number: number; names: string }[] = [];
  const books = new EventShapes(
    {
      read: <Row>() => Promise.resolve([...known] as Row[]),
      write: ({ values }) => {
        for (const names of (values?.[0] ?? []) as string[]) known.push({ number: 1, names });
        return Promise.resolve([]);
      },
    },
    { onFault: (error) => faults.push(error) },
  );
  const odd = [
    { at: 1, kind: 'paused' },
    { kind: 'paused', at: 1, 5: 6 },
    JSON.parse('{"kind":"paused","at":1,"__proto__":2}'),
    { kind: 'paused', at: 1, 'a,b': 2, c: 3 },
    { kind: 'paused', at: 1, 'a"': 2 },
  ] as PortfolioEvent[];
  for (const _ of [1, 2]) {
    expect(books.textOf(odd)).toBe(JSON.stringify(odd));
    await books.close();
  }
});
