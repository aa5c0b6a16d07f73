// The outcome of a commit is correct even if connections, backends or the whole server die at the worst
// moment.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openPostgresLedger,
  PostgresLedger,
  type PostgresLedgerOptions,
} from '../../../src/adapters/postgres/postgres-ledger.ts';
import { startEmbeddedPostgres } from '../../../src/adapters/postgres/private-server/embedded-postgres.ts';
import { LedgerFailure, type Turn } from '../../../src/ports/ledger.ts';
import { portfolioId } from '../../../src/values/ids.ts';
import { fillOf, turnWith } from '../../conformance/ledger-stage.ts';
import { copyClusterTemplate } from '../../support/daemon/cluster-template.ts';
import { createDatabase } from '../../support/daemon/services.ts';
import { until } from '../until.ts';
import { openPostgresProxy, type PostgresProxy } from './postgres-proxy.ts';

let connectionString: string;
let direct: PostgresLedger;
const cleanUp: (() => Promise<void>)[] = [];

beforeEach(async () => {
  const database = await createDatabase();
  cleanUp.push(() => database.drop());
  connectionString = database.connectionString;
  direct = await openOn(connectionString);
});

afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function openOn(
  to: string,
  options: Partial<PostgresLedgerOptions> = {},
): Promise<PostgresLedger> {
  const ledger = await openPostgresLedger({ connectionString: to, ...options });
  cleanUp.push(() => ledger.close());
  return ledger;
}

async function session(): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  cleanUp.push(() => client.end());
  return client;
}

const version = async (id: number): Promise<number | undefined> =>
  (await direct.load(portfolioId(String(id))))?.version;

const caught = async (promise: Promise<unknown>): Promise<unknown> => {
  try {
    return await promise;
  } catch (error) {
    return error;
  }
};

/** The outcome of a turn that a ledger of little patience, on a slow machine, may report as not made several times. */
async function madeAtLast(ledger: PostgresLedger, turn: Turn): Promise<unknown> {
  for (;;) {
    const outcome = await caught(ledger.commit([turn]));
    if (!(outcome instanceof LedgerFailure && !outcome.maybe)) return outcome;
  }
}

/** The backend process of a commit that waits for a row lock. */
async function waitingBackend(client: Client): Promise<number> {
  for (;;) {
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
       AND application_name = 'twapd commit' AND wait_event_type = 'Lock'`,
    );
    if (rows[0] !== undefined) return rows[0].pid;
  }
}

describe('a lost connection', () => {
  let proxy: PostgresProxy;
  let ledger: PostgresLedger;

  /** It waits for a lost connection as long as a busy machine needs. */
  const openBehind = (options: Partial<PostgresLedgerOptions> = {}): Promise<PostgresLedger> =>
    openOn(proxy.connectionString, { commitLanes: 1, patienceMs: 60_000, ...options });

  beforeEach(async () => {
    proxy = await openPostgresProxy(connectionString);
    cleanUp.push(() => proxy.close());
    ledger = await openBehind();
    await ledger.commit([turnWith(7, 0)]);
  });

  test('a connection lost after the commit: the commit is found, not repeated', async () => {
    proxy.set('cut answers');
    const turns = [turnWith(7, 1), turnWith(8, 0, { turn: { key: 'eight' } })];
    expect(await ledger.commit(turns)).toEqual({ kind: 'committed' });
    expect(await version(7)).toBe(6);
    expect(await version(8)).toBe(3);
  });

  test('a connection lost before the commit: the commit is made', async () => {
    proxy.set('cut requests');
    expect(await ledger.commit([turnWith(7, 1)])).toEqual({ kind: 'committed' });
    expect(await version(7)).toBe(6);
  });

  test('a connection lost after the commit, while another process has continued: the commit is found', async () => {
    proxy.set('cut answers', 'refuse');
    const commit = ledger.commit([turnWith(7, 1)]);
    await proxy.whenCut();
    expect(await direct.commit([turnWith(7, 2)])).toEqual({ kind: 'committed' });
    proxy.set('pass');
    expect(await commit).toEqual({ kind: 'committed' });
    expect(await version(7)).toBe(9);
  });

  test('a connection lost before the commit, while another process writes the same events: the outcome is a conflict', async () => {
    proxy.set('cut requests', 'refuse');
    const commit = ledger.commit([turnWith(7, 1)]);
    await proxy.whenCut();
    expect(await direct.commit([turnWith(7, 1)])).toEqual({ kind: 'committed' });
    proxy.set('pass');
    expect(await commit).toEqual({ kind: 'conflict', portfolio: '7' });
    expect(await version(7)).toBe(6);
  });

  test('each caller of a group whose reply is lost gets its own outcome', async () => {
    await direct.commit([turnWith(9, 0, { turn: { key: 'nine' } })]);
    proxy.set('cut answers');
    const outcomes = await Promise.all([
      ledger.commit([turnWith(7, 1)]),
      ledger.commit([turnWith(9, 0)]),
      ledger.commit([turnWith(10, 0, { turn: { key: 'nine' } })]),
      ledger.commit([turnWith(11, 0)]),
    ]);
    expect(outcomes).toEqual([
      { kind: 'committed' },
      { kind: 'conflict', portfolio: '9' },
      { kind: 'duplicate_key', portfolio: '9' },
      { kind: 'committed' },
    ]);
    expect([await version(7), await version(9), await version(11)]).toEqual([6, 3, 3]);
  });

  test('a connection lost for good after sending: the outcome is reported as unknown', async () => {
    const hasty = await openBehind({ patienceMs: 2_000 });
    await hasty.commit([turnWith(8, 0)]);
    proxy.set('cut answers', 'refuse');
    const failure = await caught(hasty.commit([turnWith(7, 1)]));
    expect(failure).toBeInstanceOf(LedgerFailure);
    expect(failure).toMatchObject({ maybe: true });
    expect(await version(7)).toBe(6);
    proxy.set('pass');
    expect(await madeAtLast(hasty, turnWith(7, 2))).toEqual({ kind: 'committed' });
  });

  test('a connection lost before anything was sent: the commit is reported as not made', async () => {
    const fresh = await openBehind({ patienceMs: 200 });
    proxy.set('refuse');
    const failure = await caught(fresh.commit([turnWith(7, 1)]));
    expect(failure).toBeInstanceOf(LedgerFailure);
    expect(failure).toMatchObject({ maybe: false });
    await expect(fresh.row(portfolioId('7'))).rejects.toThrow(LedgerFailure);
    expect(await version(7)).toBe(3);
    proxy.set('pass');
    expect(await madeAtLast(fresh, turnWith(7, 1))).toEqual({ kind: 'committed' });
    await until(async () => {
      const row = await fresh.row(portfolioId('7')).catch(() => undefined);
      return row?.version === 6;
    });
  });

  test('a hanging connection is abandoned and reopened', async () => {
    const impatient = new PostgresLedger({
      connectionString: proxy.connectionString,
      commitLanes: 1,
      patienceMs: 60_000,
      statementTimeoutMs: 300,
    });
    cleanUp.push(() => impatient.close());
    await impatient.commit([turnWith(8, 0)]);
    proxy.set('hold answers');
    const commit = impatient.commit([turnWith(7, 1)]);
    // Long enough for the commit to complete behind the silence.
    await until(async () => (await version(7)) === 6);
    proxy.set('pass');
    expect(await commit).toEqual({ kind: 'committed' });
    expect(await version(7)).toBe(6);
  });
});

describe('a backend', () => {
  test('a backend terminated in the middle of a commit: the commit is made once', async () => {
    await direct.commit([turnWith(7, 0)]);
    const other = await session();
    await other.query('BEGIN');
    await other.query('SELECT FROM portfolio WHERE id = 7 FOR UPDATE');
    const commit = direct.commit([turnWith(8, 0), turnWith(7, 1)]);
    const observer = await session();
    await observer.query('SELECT pg_terminate_backend($1)', [await waitingBackend(observer)]);
    await waitingBackend(observer);
    await other.query('ROLLBACK');
    expect(await commit).toEqual({ kind: 'committed' });
    expect([await version(7), await version(8)]).toEqual([6, 3]);
  });

  test('a commit that waits too long for a row lock fails with nothing written', async () => {
    const hasty = await openOn(connectionString, { statementTimeoutMs: 2_000 });
    await hasty.commit([turnWith(7, 0)]);
    const other = await session();
    await other.query('BEGIN');
    await other.query('SELECT FROM portfolio WHERE id = 7 FOR UPDATE');
    const failure = await caught(hasty.commit([turnWith(8, 0), turnWith(7, 1)]));
    expect(failure).toBeInstanceOf(LedgerFailure);
    expect(failure).toMatchObject({ maybe: false });
    await other.query('ROLLBACK');
    expect([await version(7), await version(8)]).toEqual([3, undefined]);
  });

  test.for([
    ['that has moved the portfolio on', 'COMMIT', { kind: 'conflict', portfolio: '7' }, 4],
    ['that is rolled back', 'ROLLBACK', { kind: 'committed' }, 6],
  ] as const)(
    'a turn of its own that waits for a transaction %s has the right outcome, and those beside it are written',
    async ([, end, outcome, expected]) => {
      await direct.commit([turnWith(7, 0), turnWith(8, 0)]);
      const other = await session();
      await other.query('BEGIN');
      await other.query('UPDATE portfolio SET version = 4 WHERE id = 7');
      const commits = [
        direct.commit([turnWith(7, 1, { turn: { fills: [fillOf('late')] } })]),
        direct.commit([turnWith(8, 1)]),
      ];
      await waitingBackend(await session());
      await other.query(end);
      expect(await Promise.all(commits)).toEqual([outcome, { kind: 'committed' }]);
      const { rows } = await other.query(
        'SELECT id::text, version FROM portfolio ORDER BY portfolio.id',
      );
      expect(rows).toEqual([
        { id: '7', version: expected },
        { id: '8', version: 6 },
      ]);
      const isWritten = end === 'ROLLBACK';
      expect((await other.query('SELECT FROM fill')).rows).toHaveLength(isWritten ? 1 : 0);
      const turns = await other.query('SELECT FROM turn WHERE portfolio = 7');
      expect(turns.rows).toHaveLength(isWritten ? 2 : 1);
    },
  );

  test('a fill that another transaction is just booking is booked once', async () => {
    await direct.commit([turnWith(7, 0)]);
    const fill = fillOf('t1');
    const other = await session();
    await other.query('BEGIN');
    await other.query(
      `INSERT INTO fill (venue, currency, trade_id, portfolio, at, label, quantity, price, fee)
       VALUES ($1, $2, $3, 8, 1, $4, '1', '1', '0')`,
      [fill.venue, fill.currency, fill.tradeId, fill.label],
    );
    const commit = direct.commit([turnWith(7, 1, { turn: { fills: [fill, fillOf('t2')] } })]);
    await waitingBackend(await session());
    await other.query('COMMIT');
    expect(await commit).toEqual({ kind: 'committed' });
    const { rows } = await other.query(
      'SELECT trade_id, portfolio::int FROM fill ORDER BY trade_id',
    );
    expect(rows).toMatchObject([
      { trade_id: 't1', portfolio: 8 },
      { trade_id: 't2', portfolio: 7 },
    ]);
    expect(await version(7)).toBe(6);
  });

  test('a fill that is booked already is left as it is and reported as no fault', async () => {
    const faults: unknown[] = [];
    const ledger = await openOn(connectionString, { onFault: (error) => faults.push(error) });
    await ledger.commit([turnWith(7, 0), turnWith(8, 0)]);
    for (const [portfolio, trades] of [
      [7, ['own']],
      [8, ['own', 'next']],
    ] as const) {
      const fills = trades.map(fillOf);
      expect(await ledger.commit([turnWith(portfolio, 1, { turn: { fills } })])).toEqual({
        kind: 'committed',
      });
    }
    const { rows } = await (await session()).query(
      'SELECT portfolio::int, trade_id FROM fill ORDER BY fill.portfolio',
    );
    expect(rows).toEqual([
      { portfolio: 7, trade_id: 'own' },
      { portfolio: 8, trade_id: 'next' },
    ]);
    expect([await version(7), await version(8)]).toEqual([6, 6]);
    expect(faults).toEqual([]);
  });

  test('a transaction that loses a deadlock is retried', async () => {
    const faults: unknown[] = [];
    const ledger = await openOn(connectionString, { onFault: (error) => faults.push(error) });
    await ledger.commit([turnWith(7, 0), turnWith(8, 0)]);
    const other = await session();
    await other.query("SET deadlock_timeout = '60s'");
    await other.query('BEGIN');
    await other.query('SELECT FROM portfolio WHERE id = 8 FOR UPDATE');
    const commit = ledger.commit([turnWith(7, 1), turnWith(8, 1)]);
    await waitingBackend(await session());
    await other.query('SELECT FROM portfolio WHERE id = 7 FOR UPDATE');
    await other.query('ROLLBACK');
    expect(await commit).toEqual({ kind: 'committed' });
    // The retry may meet the other one once more before it has rolled back.
    expect(faults.length).toBeGreaterThan(0);
    expect(faults).toEqual(faults.map(() => expect.objectContaining({ code: '40P01' })));
    expect([await version(7), await version(8)]).toEqual([6, 6]);
  });

  test('a commit that meets an id and a key being created reports their final state', async () => {
    await direct.commit([turnWith(7, 0)]);
    const other = await session();
    for (const [end, outcome] of [
      ['ROLLBACK', { kind: 'committed' }],
      ['COMMIT', { kind: 'duplicate_key', portfolio: '19' }],
    ] as const) {
      const id = end === 'COMMIT' ? 19 : 9;
      await other.query('BEGIN');
      await other.query(
        `INSERT INTO portfolio (id, key, version, account, type, status, note, uid, last_edited_uid, instruments,
           kinds, coin, submitted_at, updated_at, has_fills, shard)
         SELECT $1, $2, version, account, type, status, note, uid, last_edited_uid, instruments,
           kinds, coin, submitted_at, updated_at, has_fills, shard FROM portfolio WHERE id = 7`,
        [id, end],
      );
      const turns = [turnWith(id + 1, 0, { turn: { key: end } }), turnWith(id + 2, 0)];
      const commit = direct.commit(turns);
      await waitingBackend(await session());
      await other.query(end);
      expect(await commit).toEqual(outcome);
      expect(await version(id + 2)).toBe(end === 'COMMIT' ? undefined : 3);
    }
  });

  test('a commit to a read-only database fails with nothing written', async () => {
    const observer = await session();
    const name = new URL(connectionString.replace('@/', '@placeholder/')).pathname.slice(1);
    await observer.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const ledger = new PostgresLedger({ connectionString });
    cleanUp.push(() => ledger.close());
    const failure = await caught(ledger.commit([turnWith(7, 0)]));
    expect(failure).toMatchObject({ name: 'LedgerFailure', maybe: false });
    expect((failure as Error).message).toMatch(/read-only/);
  });
});

describe('the server', () => {
  test('a server killed and restarted under load keeps every acknowledged turn, and none partially', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'twapd-ledger-'));
    cleanUp.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10 }));
    await chmod(dataDir, 0o711);
    copyClusterTemplate(dataDir);
    const log = { info: () => undefined, warn: () => undefined };
    let server = await startEmbeddedPostgres({ dataDir, log });
    cleanUp.push(() => server.stop());
    const ledger = await openOn(server.address, { patienceMs: 45_000 });
    const acknowledged = new Map<number, number>();
    let stopping = false;
    const run = async (id: number): Promise<void> => {
      for (let turn = 0; !stopping; turn += 1) {
        expect(await ledger.commit([turnWith(id, turn), turnWith(id + 1_000, turn)])).toEqual({
          kind: 'committed',
        });
        acknowledged.set(id, turn + 1);
      }
    };
    const runs = Array.from({ length: 30 }, (_, n) => run(100 + n));
    const busy = (turns: number) => () => [...acknowledged.values()].some((n) => n >= turns);
    for (let kills = 1; kills <= 3; kills += 1) {
      await until(busy(kills * 30));
      process.kill(server.pid, 'SIGKILL');
      server = await startEmbeddedPostgres({ dataDir, log });
    }
    await until(busy(120));
    stopping = true;
    await Promise.all(runs);
    for (const [id, turns] of acknowledged) {
      for (const each of [id, id + 1_000]) {
        const expected = Array.from({ length: turns }, (_, n) => turnWith(each, n).events).flat();
        const loaded = await ledger.load(portfolioId(String(each)));
        expect(loaded?.events).toEqual(expected);
        expect((await ledger.row(portfolioId(String(each))))?.version).toBe(turns * 3);
      }
    }
  });
});
