// What a slice costs the ledger in the steady state of one daemon: bytes kept for ever, bytes of log, transactions. They
// hardly depend on the machine, unlike times: compare them with those of another version directly.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import { instant } from '../src/values/instant.ts';
import { opened } from './opened.ts';
import type { Row } from './row.ts';
import { openBench, sleep, submitAll } from './slices.ts';

const PER_SECOND = 80;
/** What is written while everything begins is not counted. */
const WARM_UP_MS = 6_000;

interface Reading {
  readonly log: number;
  readonly transactions: number;
  /** Events and fills with their indexes. */
  readonly kept: number;
}

const READING = `
SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS log,
  pg_snapshot_xmax(pg_current_snapshot())::text::float8 AS transactions,
  (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
    AND (relname ~ '^(turn_other|turn_[0-9]+|event_row|fill)$' OR relname = 'event'))::float8 AS kept`;

/** The address of a socket as the configuration accepts it: the user behind the question mark. */
function configured(address: string): string {
  const url = new URL(address.replace('@/', '@placeholder/'));
  url.searchParams.set('user', url.username);
  return `postgresql://${url.pathname}?${url.searchParams}`;
}

export async function benchLedgerBytes(seconds: number): Promise<Row[]> {
  await using all = opened();
  const dataDir = await mkdtemp(join(tmpdir(), 'twapd-bench-bytes-'));
  all.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log = { info: () => undefined, warn: console.warn };
  const server = await startEmbeddedPostgres({ dataDir, log });
  all.defer(() => server.stop());
  const client = new Client({ connectionString: server.address });
  await client.connect();
  all.defer(() => client.end());
  const bench = await openBench({}, new Map([['DATABASE_URL', configured(server.address)]]));
  all.defer(() => bench.close());
  const startAt = instant(Date.now() + 3_000);
  const load = { count: PER_SECOND, seconds: seconds + 20, startAt, isBurst: false };
  await submitAll(bench, load);
  const read = async (): Promise<Reading & { readonly slices: number }> => {
    const { rows } = await client.query<Reading>(READING);
    const [reading] = rows;
    if (reading === undefined) throw new Error('no reading');
    return { ...reading, slices: bench.lateMs.length };
  };
  await sleep(startAt - Date.now() + WARM_UP_MS);
  const before = await read();
  await sleep(seconds * 1_000);
  const after = await read();
  const slices = after.slices - before.slices;
  const per = (what: keyof Reading): number => (after[what] - before[what]) / slices;
  return [
    {
      what: `ledger, a slice at ${PER_SECOND}/s (${slices} in ${seconds} s)`,
      value: `${per('kept').toFixed(0)} B kept, ${per('log').toFixed(0)} B of log, ${per('transactions').toFixed(2)} transactions`,
      yardstick: 'at most 950 B, 2 000 B, 0.5',
    },
  ];
}
