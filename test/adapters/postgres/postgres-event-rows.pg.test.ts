// Events that versions before stored one a row, as a ledger at the baseline may hold them: portfolios at work go on in
// turns, and every reader sees one history, character by character.
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { PostgresAuditRecords } from '../../../src/adapters/postgres/records/postgres-audit-records.ts';
import { chainHash } from '../../../src/adapters/system/chain-hash.ts';
import { canonical } from '../../../src/engine/audit/audit-walk.ts';
import { exportLedger } from '../../../src/main/ledger/export-ledger.ts';
import type { Turn } from '../../../src/ports/ledger.ts';
import { must } from '../../../src/values/assert.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { turnWith } from '../../conformance/ledger-stage.ts';
import { createDatabase, type TestDatabase } from '../../support/daemon/services.ts';

const DAY = 1_790_000_000_000_000;
const [FIRST, SECOND, ENDED] = [DAY, DAY + 1, DAY + 2] as const;
/** Text that a store of parsed values would not return as it was. */
const TEXT = '"quoted" \\ back \u0007 é 東京 😀 1.10 1e3';

let database: TestDatabase;
let client: Client;

beforeEach(async () => {
  database = await createDatabase();
  client = new Client({ connectionString: database.connectionString });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
});

/** With one row per event. */
async function writeRows({ portfolio, fromVersion, events, row }: Turn): Promise<void> {
  const version = fromVersion + events.length;
  if (fromVersion === 0) {
    const status = { active: 1, filled: 2, cancelled: 3, cancelling: 4 }[row.status];
    await client.query(
      `INSERT INTO portfolio (id, version, account, type, status, note, uid, last_edited_uid, instruments, kinds, coin,
        submitted_at, updated_at, next_due_at, has_fills, shard)
      VALUES ($1, $2, $3, 'TWAP', $4, $5, '7001', '7001', '{BTC-PERPETUAL}', '{perpetual}', 'BTC', $6, $6, $6, false, 7)`,
      [portfolio, version, row.account, status, row.note, row.submittedAt],
    );
    await client.query('INSERT INTO summary (portfolio, record, version) VALUES ($1, $2, $3)', [
      portfolio,
      JSON.stringify(row.record),
      version,
    ]);
  } else {
    await client.query('UPDATE portfolio SET version = $2 WHERE id = $1', [portfolio, version]);
  }
  for (const [index, event] of events.entries()) {
    await client.query(
      'INSERT INTO event_row (batch, portfolio, version, at, kind, data) VALUES ($1, $2, $3, $4, $5, $6)',
      [5, portfolio, fromVersion + index + 1, event.at, event.kind, JSON.stringify(event)],
    );
  }
}

/** Ends with an event of {@link TEXT}. */
function turnOf(id: number, n: number, changes: Parameters<typeof turnWith>[2] = {}): Turn {
  const turn = turnWith(id, n, changes);
  const [first, second] = turn.events;
  const noted = {
    kind: 'edit_refused',
    at: turn.row.updatedAt,
    label: TEXT,
    number: 1,
    code: 2,
    message: TEXT,
  } as const;
  return { ...turn, events: [must(first, 'three'), must(second, 'three'), noted] };
}

async function writeAll(): Promise<void> {
  for (const n of [0, 1, 2]) await writeRows(turnOf(FIRST, n));
  await writeRows(turnOf(SECOND, 0));
  await writeRows(turnOf(ENDED, 0, { row: { status: 'filled' } }));
}

async function withLedger(use: (ledger: PostgresLedger) => Promise<void>): Promise<void> {
  const { connectionString } = database;
  const ledger = await openPostgresLedger({ connectionString });
  try {
    await use(ledger);
  } finally {
    await ledger.close();
  }
}

const historyOf = (turns: readonly Turn[]) => turns.flatMap(({ events }) => events);
const idOf = (id: number) => portfolioId(String(id));

test('a portfolio at work continues in turns, and its history is read as one', async () => {
  await writeAll();
  await withLedger(async (ledger) => {
    expect(await ledger.active()).toEqual([String(FIRST), String(SECOND)]);
    const later = [turnOf(FIRST, 3), turnOf(FIRST, 4)];
    expect(await ledger.commit([turnOf(FIRST, 2)])).toEqual({
      kind: 'conflict',
      portfolio: String(FIRST),
    });
    for (const turn of later) expect(await ledger.commit([turn])).toEqual({ kind: 'committed' });
    const events = historyOf([0, 1, 2, 3, 4].map((n) => turnOf(FIRST, n)));
    expect(await ledger.load(idOf(FIRST))).toEqual({ portfolio: idOf(FIRST), version: 15, events });
    expect((await ledger.load(idOf(ENDED)))?.events).toEqual(turnOf(ENDED, 0).events);
    expect((await ledger.row(idOf(FIRST)))?.version).toBe(15);
  });
});

test('the auditor reads the history in pieces of any size, across old rows and turns', async () => {
  await writeAll();
  await withLedger(async (ledger) => {
    for (const n of [3, 4]) await ledger.commit([turnOf(FIRST, n)]);
    const { connectionString } = database;
    const records = new PostgresAuditRecords({ connectionString });
    const events = historyOf([0, 1, 2, 3, 4].map((n) => turnOf(FIRST, n)));
    for (let piece = 1; piece <= 16; piece += 1) {
      const read = [];
      for (let at = 0; at < 15; at += piece) {
        read.push(...(await records.eventsAfter(idOf(FIRST), at, piece)));
      }
      expect(read).toEqual(events);
    }
    expect(await records.eventsAfter(idOf(FIRST), 15, 5)).toEqual([]);
    await records.close();
  });
});

test('every event stays as it was written, character by character, in the view of all events', async () => {
  await writeAll();
  await withLedger(async (ledger) => {
    await ledger.commit([turnOf(FIRST, 3), turnOf(SECOND, 1)]);
    const { rows } = await client.query(
      `SELECT portfolio::int8::text, version, at::text, kind, data::text FROM event
      WHERE portfolio = $1 ORDER BY event.version`,
      [FIRST],
    );
    const events = historyOf([0, 1, 2, 3].map((n) => turnOf(FIRST, n)));
    expect(rows).toEqual(
      events.map((event, index) => ({
        portfolio: String(FIRST),
        version: index + 1,
        at: String(event.at),
        kind: event.kind,
        data: JSON.stringify(event),
      })),
    );
    const { rows: counts } = await client.query('SELECT count(*)::int FROM event');
    expect(counts).toEqual([{ count: 12 + 6 + 3 }]);
  });
});

test('a chain of hashes sealed over rows is verified, and covers later turns', async () => {
  await writeAll();
  const { connectionString } = database;
  const hashOf = (turns: readonly Turn[]): string =>
    historyOf(turns).reduce((hash, event) => chainHash(hash, canonical(event)), '');
  await client.query('INSERT INTO audit_seal (portfolio, version, hash) VALUES ($1, 9, $2)', [
    FIRST,
    hashOf([0, 1, 2].map((n) => turnOf(FIRST, n))),
  ]);
  await withLedger(async (ledger) => {
    await ledger.commit([turnOf(FIRST, 3)]);
    const broken: string[] = [];
    const lines: { portfolio: string; hash: string }[] = [];
    for await (const line of exportLedger(connectionString, {}, (id) => broken.push(id))) {
      lines.push(JSON.parse(line));
    }
    expect(broken).toEqual([]);
    expect(lines.filter(({ portfolio }) => portfolio === String(FIRST)).at(-1)?.hash).toBe(
      hashOf([0, 1, 2, 3].map((n) => turnOf(FIRST, n))),
    );
    await client.query(`UPDATE event_row SET data = '{"kind":"paused","at":1}' WHERE version = 4`);
    for await (const _ of exportLedger(connectionString, {}, (id) => broken.push(id)));
    expect(broken).toEqual([String(FIRST)]);
  });
});

test('a role that can read all events can read neither table of them, and change none', async () => {
  const role = `reader_${FIRST}_${process.pid}`;
  await client.query(`CREATE ROLE ${role}`);
  try {
    await client.query(`GRANT SELECT ON event TO ${role}`);
    await writeAll();
    await withLedger(async (ledger) => {
      await ledger.commit([turnOf(FIRST, 3)]);
      await client.query(`SET ROLE ${role}`);
      const { rowCount } = await client.query('SELECT FROM event WHERE portfolio = $1', [FIRST]);
      expect(rowCount).toBe(12);
      await expect(client.query('SELECT FROM turn')).rejects.toThrow('permission denied');
      await expect(client.query('DELETE FROM event_row')).rejects.toThrow('permission denied');
      await client.query('RESET ROLE');
    });
  } finally {
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test('a lost event of either form is noticed when the portfolio is loaded', async () => {
  await writeAll();
  await withLedger(async (ledger) => {
    for (const n of [3, 4]) await ledger.commit([turnOf(FIRST, n)]);
    await client.query('DELETE FROM turn WHERE version = 12');
    await expect(ledger.load(idOf(FIRST))).rejects.toThrow('has lost its event 10');
    await client.query('DELETE FROM event_row WHERE version = 3');
    await expect(ledger.load(idOf(FIRST))).rejects.toThrow('has lost its event 3');
  });
});
