// How long each migration after the baseline takes on a ledger that is full when it begins, and so for how long it holds its locks.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from 'pg';
import { migrate } from '../src/adapters/postgres/migrate.ts';
import { MIGRATIONS } from '../src/adapters/postgres/migrations.ts';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import { opened } from './opened.ts';
import type { Row } from './row.ts';

const QUIET = { info: () => undefined, warn: console.warn };
/** Two years of a desk that submits 137 portfolios a day. */
const PORTFOLIOS = Number(process.env['TWAPD_BENCH_PORTFOLIOS'] ?? '100000');
const EVENTS_EACH = 20;
const FILLS_EACH = 10;
const ACTIONS_EACH = 10;
const KEYS = 100;
/** Live nonces of 130 seconds at 500 requests a second. */
const CLAIMS_EACH_TABLE = 16_250;
/** One in a thousand is at work. */
const ONE_IN = 1_000;

/** What is written into the baseline before the next migration is timed. */
const FILLING: readonly string[] = [
  `INSERT INTO portfolio (id, version, account, type, status, note, uid, last_edited_uid, instruments, kinds, coin,
    submitted_at, updated_at, next_due_at, has_fills, key, shard)
  SELECT n, ${EVENTS_EACH}, (10000 + n % 50)::text, 'TWAP', CASE WHEN n % ${ONE_IN} = 0 THEN 1 ELSE 2 END, 'bench', '1001', '1001',
    '{BTC-PERPETUAL}', '{FUTURES}', 'BTC', 1700000000000 + n * 600, 1700000000000 + n * 600,
    CASE WHEN n % ${ONE_IN} = 0 THEN 1800000000000 + n END, true, 'key-' || n, n % 256
  FROM generate_series(1, ${PORTFOLIOS}) AS n`,
  `INSERT INTO summary SELECT n, json_build_object('id', n, 'legs', repeat('x', 1500)) FROM generate_series(1, ${PORTFOLIOS}) AS n`,
  `INSERT INTO turn (portfolio, batch, version, size, events)
  SELECT n, n, v, 1, json_build_array(json_build_object('kind', 'child_intended', 'at', 1700000000000 + n,
    'label', 'tw1-main-' || n || v, 'price', '90000.5', 'text', repeat('y', 200)))
  FROM generate_series(1, ${PORTFOLIOS}) AS n, generate_series(1, ${EVENTS_EACH}) AS v`,
  `INSERT INTO fill SELECT 'paper', 'BTC', n || '-' || v, n, 1700000000000 + n, 'tw1-main-' || n, '10', '90000.5', '0.00001'
  FROM generate_series(1, ${PORTFOLIOS}) AS n, generate_series(1, ${FILLS_EACH}) AS v`,
  ...[0, 1, 2, 3].map(
    (
      table,
    ) => `INSERT INTO claim_${table} SELECT 'key-' || n, extract(epoch FROM now()) * 1000 + 60000
    FROM generate_series(1, ${CLAIMS_EACH_TABLE}) AS n`,
  ),
  `INSERT INTO api_key (id, uid, nickname, accounts, scopes, bind_body, addresses, created_at, sealed)
  SELECT 'key-' || n, n::text, 'Desk', '{10001}', '{trade}', false, '{}', 1700000000000 + n, repeat('s', 200)
  FROM generate_series(1, ${KEYS}) AS n`,
  `INSERT INTO action (at, key_id, uid, nickname, address, method, account, outcome)
  SELECT 1700000000000 + n, 'key-1', '1001', 'Desk', '10.0.0.7', 'private/buy', (10000 + n % 50)::text, 'done'
  FROM generate_series(1, ${PORTFOLIOS * ACTIONS_EACH}) AS n`,
  `INSERT INTO market_second (venue, instrument, second, at, age_ms, bid, ask)
  SELECT 'paper', 'BTC-PERPETUAL', 1700000000000 + n * 1000, 1700000000000 + n * 1000, 5, 90000, 90001
  FROM generate_series(1, ${PORTFOLIOS * EVENTS_EACH}) AS n`,
];

export async function benchMigrations(): Promise<Row[]> {
  await using all = opened();
  const dataDir = await mkdtemp(join(tmpdir(), 'twapd-bench-migrations-'));
  all.defer(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startEmbeddedPostgres({ dataDir, log: QUIET });
  all.defer(() => server.stop());
  const client = new Client({ connectionString: server.address });
  await client.connect();
  all.defer(() => client.end());
  await migrate(server.address, MIGRATIONS.slice(0, 1));
  for (const statement of FILLING) await client.query(statement);
  await client.query('CHECKPOINT');
  const rows: Row[] = [];
  for (const [index, { number, name }] of MIGRATIONS.entries()) {
    if (index === 0) continue;
    const size = await client.query<{ text: string }>(
      'SELECT pg_size_pretty(pg_database_size(current_database())) AS text',
    );
    const startedMs = performance.now();
    await migrate(server.address, MIGRATIONS.slice(0, index + 1));
    const tookMs = performance.now() - startedMs;
    rows.push({
      what: `migration ${number}: ${name}`,
      value: `${tookMs.toFixed(0)} ms`,
      yardstick: `on ${size.rows[0]?.text ?? 'an unknown size'}`,
    });
  }
  return rows;
}
