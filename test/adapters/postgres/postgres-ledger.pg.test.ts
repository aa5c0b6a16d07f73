import { Client } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type GroupWritten,
  openPostgresLedger,
  type PostgresLedger,
  type PostgresLedgerOptions,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { type FillRow, LedgerFailure } from '../../../src/ports/ledger.ts';
import { must } from '../../../src/values/assert.ts';
import {
  childLabelOf,
  currency,
  portfolioId,
  tradeId,
  venueName,
} from '../../../src/values/ids.ts';
import { type Instant, instant } from '../../../src/values/instant.ts';
import { ledgerConformance } from '../../conformance/ledger.ts';
import { fillOf, turnWith } from '../../conformance/ledger-stage.ts';
import { createDatabase } from '../../support/daemon/services.ts';
import { until } from '../until.ts';

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function freshDatabase(): Promise<string> {
  const database = await createDatabase();
  cleanUp.push(() => database.drop());
  return database.connectionString;
}

async function openOn(
  connectionString: string,
  options: Partial<PostgresLedgerOptions> = {},
): Promise<PostgresLedger> {
  const ledger = await openPostgresLedger({ connectionString, ...options });
  cleanUp.push(() => ledger.close());
  return ledger;
}

async function query<Row>(connectionString: string, text: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function fillsOf(connectionString: string): Promise<readonly FillRow[]> {
  const rows = await query<
    Record<'venue' | 'currency' | 'trade_id' | 'label' | 'at', string> &
      Record<'quantity' | 'price' | 'fee', string>
  >(connectionString, 'SELECT * FROM fill');
  return rows.map(({ quantity, price, fee, ...row }) => ({
    venue: venueName(row.venue),
    currency: currency(row.currency),
    tradeId: tradeId(row.trade_id),
    label: childLabelOf(row.label),
    quantity,
    price,
    fee,
    at: instant(Number(row.at)),
  }));
}

/** Copies of portfolio 1 that are due in a day. */
const WAITING = `
  INSERT INTO portfolio (id, version, account, type, status, note, uid, last_edited_uid, instruments, kinds,
    coin, submitted_at, updated_at, next_due_at, has_fills, shard)
  SELECT n, version, account, type, status, note, uid, last_edited_uid, instruments, kinds, coin,
    submitted_at, updated_at, next_due_at + 86400000, has_fills, shard
  FROM portfolio, generate_series(1000, 4000) n WHERE id = 1`;

/** Rows of portfolios read so far. Sessions report theirs when they end, or after a while. */
async function readsOf(connectionString: string) {
  const [row] = await query<{ fromIndex: number; inSequence: number }>(
    connectionString,
    `SELECT (SELECT idx_tup_read::int FROM pg_stat_user_indexes WHERE indexrelname = 'portfolio_due')
       AS "fromIndex", seq_tup_read::int AS "inSequence"
     FROM pg_stat_user_tables WHERE relname = 'portfolio'`,
  );
  return must(row, 'the table exists');
}

describe('PostgresLedger', () => {
  ledgerConformance(async () => {
    const connectionString = await freshDatabase();
    let at: Instant = instant(0);
    const ledger = await openOn(connectionString, { now: () => at });
    return {
      ledger,
      setNow: (next) => {
        at = next;
      },
      fills: () => fillsOf(connectionString),
    };
  });

  test('calls that arrive during a transaction are written in the next one, up to the cap', async () => {
    const groups: GroupWritten[] = [];
    const ledger = await openOn(await freshDatabase(), {
      commitLanes: 1,
      maxGroupTurns: 50,
      onCommit: (group) => groups.push(group),
    });
    const first = ledger.commit([turnWith(1, 0)]);
    await new Promise((resolve) => setImmediate(resolve));
    const rest = Array.from({ length: 120 }, (_, n) => ledger.commit([turnWith(2 + n, 0)]));
    await Promise.all([first, ...rest]);
    expect(groups.map(({ turns, calls }) => [turns, calls])).toEqual([
      [1, 1],
      [50, 50],
      [50, 50],
      [20, 20],
    ]);
  });

  test('a committed turn is visible to another process immediately', async () => {
    const connectionString = await freshDatabase();
    const [one, other] = [await openOn(connectionString), await openOn(connectionString)];
    await one.commit([turnWith(7, 0, { turn: { key: 'k' } })]);
    expect((await other.load(portfolioId('7')))?.version).toBe(3);
    expect(await other.commit([turnWith(8, 0, { turn: { key: 'k' } })])).toEqual({
      kind: 'duplicate_key',
      portfolio: '7',
    });
  });

  test('of two processes on the same portfolios each version has one winner', async () => {
    const connectionString = await freshDatabase();
    const ledgers = [await openOn(connectionString), await openOn(connectionString)];
    const ids = Array.from({ length: 60 }, (_, n) => 100 + n);
    for (let turn = 0; turn < 6; turn += 1) {
      const outcomes = await Promise.all(
        ledgers.flatMap((ledger, writer) =>
          ids.map((id) => {
            // Pairs in opposite directions, which would deadlock if rows were locked in the order given.
            const pair = [id, ids[(ids.indexOf(id) + 1) % ids.length] ?? id].map((each) =>
              turnWith(each, turn, { row: { note: `writer ${writer}` } }),
            );
            return ledger.commit(writer === 0 ? pair : pair.reverse());
          }),
        ),
      );
      expect(outcomes.some(({ kind }) => kind === 'committed')).toBe(true);
      // A portfolio in no winning pair is committed alone.
      for (const id of ids) await ledgers[turn % 2]?.commit([turnWith(id, turn)]);
    }
    for (const id of ids) {
      const loaded = await ledgers[0]?.load(portfolioId(String(id)));
      expect(loaded?.events).toEqual([0, 1, 2, 3, 4, 5].flatMap((n) => turnWith(id, n).events));
    }
  });

  test('two processes submitting with the same keys create one portfolio per key', async () => {
    const connectionString = await freshDatabase();
    const ledgers = [await openOn(connectionString), await openOn(connectionString)];
    const keys = Array.from({ length: 40 }, (_, n) => `key-${n}`);
    const outcomes = await Promise.all(
      ledgers.flatMap((ledger, writer) =>
        keys.map((key, n) => ledger.commit([turnWith(100 + 2 * n + writer, 0, { turn: { key } })])),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'committed')).toHaveLength(40);
    expect(outcomes.filter(({ kind }) => kind === 'duplicate_key')).toHaveLength(40);
    expect(await ledgers[0]?.active()).toHaveLength(40);
  });

  test('a turn that cannot be stored is refused without affecting others', async () => {
    const ledger = await openOn(await freshDatabase());
    const fine = [1, 2, 3].map((id) => ledger.commit([turnWith(id, 0)]));
    const unstorable = ledger.commit([turnWith(4, 0, { row: { note: 'zero \u0000 byte' } })]);
    const unreal = ledger.commit([turnWith(5, 0, { row: { updatedAt: instant(0.5) } })]);
    for (const refused of [unstorable, unreal]) {
      const failure = await refused.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(LedgerFailure);
      expect(failure).toMatchObject({ maybe: false });
    }
    expect(new Set((await Promise.all(fine)).map(({ kind }) => kind))).toEqual(
      new Set(['committed']),
    );
    expect(await ledger.active()).toEqual(['1', '2', '3']);
  });

  test('the update of a turn stays within its page and touches no index', async () => {
    const connectionString = await freshDatabase();
    const ledger = await openOn(connectionString);
    // So few that every version fits into the page, whatever cleanup happens meanwhile.
    for (let turn = 0; turn < 8; turn += 1) {
      await Promise.all([7, 8].map((id) => ledger.commit([turnWith(id, turn)])));
    }
    await ledger.close();
    const counters = () =>
      query<{ updates: number; within: number }>(
        connectionString,
        `SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS within FROM pg_stat_user_tables
         WHERE relname = 'portfolio'`,
      );
    await until(async () => (await counters())[0]?.updates === 14);
    expect(await counters()).toEqual([{ updates: 14, within: 14 }]);
  });

  test('a turn of its own is logged with what it changes of the row, and with no lock of it', async () => {
    const connectionString = await freshDatabase();
    const ledger = await openOn(connectionString);
    const row = { note: 'a long note that no turn changes'.repeat(10) };
    await ledger.commit([turnWith(7, 0, { row, turn: { fills: [fillOf('t0')] } })]);
    await query(connectionString, 'CREATE EXTENSION pg_walinspect');
    const position = async () =>
      (await query<{ at: string }>(connectionString, 'SELECT pg_current_wal_flush_lsn() AS at'))[0]
        ?.at;
    const from = await position();
    for (let turn = 1; turn < 5; turn += 1) {
      await ledger.commit([turnWith(7, turn, { row, turn: { fills: [fillOf(`t${turn}`)] } })]);
    }
    // Only what a statement writes of rows: pages pruned, and hint bits after a checkpoint, come at any time.
    const records = await query<{ type: string; number: number; bytes: number }>(
      connectionString,
      `SELECT record_type AS type, count(*)::int AS number, max(main_data_length + block_data_length)::int AS bytes
       FROM pg_get_wal_block_info('${from}', '${await position()}')
       JOIN pg_database ON pg_database.oid = reldatabase AND datname = current_database()
       WHERE resource_manager = 'Heap'
         AND relfilenode IN (pg_relation_filenode('portfolio'), pg_relation_filenode('fill'))
       GROUP BY record_type ORDER BY record_type`,
    );
    expect(records.map(({ type, number }) => [type, number])).toEqual([
      ['HOT_UPDATE', 4],
      ['INSERT', 4],
    ]);
    expect(records[0]?.bytes).toBeLessThan(100);
  });

  test('the search for overdue portfolios reads those due within ten minutes, not all that wait', async () => {
    const connectionString = await freshDatabase();
    const now = instant(1_800_000_000_000);
    const ledger = await openOn(connectionString);
    const dueIn = (ms: number) => ({ row: { nextDueAt: instant(now + ms) } });
    await ledger.commit([turnWith(1, 0, dueIn(-1)), turnWith(2, 0, dueIn(0))]);
    await ledger.commit([turnWith(3, 0, dueIn(1)), turnWith(4, 0, dueIn(-900_000))]);
    await query(connectionString, WAITING);
    await query(connectionString, 'ANALYZE portfolio');
    const before = await readsOf(connectionString);
    expect(await ledger.overdue(now, 10)).toEqual(['4', '1', '2']);
    await ledger.close();
    await until(async () => (await readsOf(connectionString)).fromIndex > before.fromIndex);
    const after = await readsOf(connectionString);
    expect(after.fromIndex - before.fromIndex).toBe(4);
    expect(after.inSequence).toBe(before.inSequence);
  });

  test('close completes earlier calls and refuses later ones', async () => {
    const connectionString = await freshDatabase();
    const ledger = await openOn(connectionString);
    const asked = Array.from({ length: 50 }, (_, n) => ledger.commit([turnWith(1 + n, 0)]));
    await ledger.close();
    expect(new Set((await Promise.all(asked)).map(({ kind }) => kind))).toEqual(
      new Set(['committed']),
    );
    await expect(ledger.commit([turnWith(99, 0)])).rejects.toThrow(LedgerFailure);
    expect(await (await openOn(connectionString)).active()).toHaveLength(50);
  });
});
