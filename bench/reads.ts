// What a client waits for at a daemon with a million ended portfolios and a hundred thousand that wait for their start: pages of
// a hundred, `twapd list` and a scrape of the metrics. The portfolios are written by SQL as the engine writes them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import {
  type Daemon,
  type DaemonFiles,
  daemonFiles,
  startDaemon,
} from '../test/support/daemon/daemon-process.ts';
import { turnOf } from './ledger-turn.ts';
import { marketLegs, NO_RATE_LIMITS, submitMany } from './many-portfolios.ts';
import { opened } from './opened.ts';
import { ACCOUNT, INSERT_PORTFOLIOS, INSERT_SUMMARIES, OVER } from './page-rows.ts';
import { percentile } from './percentile.ts';
import { cpuSec, residentMb } from './process-cost.ts';
import type { Row } from './row.ts';

const ENDED = Math.min(OVER, Number(process.env['TWAPD_BENCH_ENDED'] ?? String(OVER)));
const WAITING = Number(process.env['TWAPD_BENCH_WAITING'] ?? '100000');
const AT_ONCE = 100_000;
const PAGES = 200;
const PAGE_SIZE = 100;
const LISTS = 7;
const SCRAPES = 50;
const IDLE_MS = 10_000;
/** A page without the index takes seconds. */
const INDEXED_MS_MAX = 300;
const READY_MS_MAX = 120_000;
const DAY_MS = 86_400_000;

const PENDING = /^twapd_portfolios\{.*status="pending".*\} (\d+)$/m;

type PageFilter = Parameters<Daemon['client']['page']>[0];

/** Each page uses its own filter values. */
const PAGES_OF: readonly (readonly [what: string, filter: (n: number) => Partial<PageFilter>])[] = [
  ['first pages', (n) => ({ currentPage: n + 1 })],
  ['open ones', (n) => ({ portfolioTag: 'OPEN_ORDER', currentPage: n + 1 })],
  ['ended ones, deep', (n) => ({ portfolioTag: 'ORDER_HISTORY', currentPage: ENDED / 200 + n })],
  ['a note in one', (n) => ({ customizedNote: `ticket ${3_337 * (n + 1)}` })],
];

/** Another waiting portfolio for each number, like the only one there is. */
async function cloneWaiting(client: Client, id: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = 'portfolio' AND table_schema = current_schema() AND column_name NOT IN ('id', 'key') AND is_generated = 'NEVER'`,
  );
  const columns = rows.map(({ name }) => `"${name}"`).join(', ');
  const numbers = `generate_series(1, ${WAITING - 1}) AS n`;
  const named = (column: string): string =>
    `replace(${column}::text, '${id}', (${id} + n * 1000)::text)::json`;
  await client.query(
    `INSERT INTO portfolio (id, key, ${columns})
     SELECT id + n * 1000, 'waiting-' || n, ${columns} FROM portfolio, ${numbers} WHERE id = ${id}`,
  );
  await client.query(
    `INSERT INTO summary (portfolio, version, record)
     SELECT portfolio + n * 1000, version, ${named('record')} FROM summary, ${numbers} WHERE portfolio = ${id}`,
  );
  await client.query(
    `INSERT INTO turn (portfolio, batch, version, size, events)
     SELECT portfolio + n * 1000, batch, version, size, ${named('events')} FROM turn, ${numbers} WHERE portfolio = ${id}`,
  );
}

/** Either this or the daemon's start takes up the ledger's server where it still runs. */
async function fill({ dataDir }: DaemonFiles, id: string): Promise<void> {
  const log = { info: () => undefined, warn: console.warn };
  const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log });
  const client = new Client({ connectionString: server.address });
  await client.connect();
  try {
    const record = JSON.stringify(turnOf(1, 1).row.record);
    for (let first = 1; first <= ENDED; first += AT_ONCE) {
      const last = Math.min(first + AT_ONCE - 1, ENDED);
      await client.query(INSERT_PORTFOLIOS, [first, last]);
      await client.query(INSERT_SUMMARIES, [record, first, last]);
    }
    await cloneWaiting(client, id);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
    await server.stop();
  }
}

/** Pages of so many portfolios are read from the index of the gateway, which is made after its start. */
async function isIndexed({ client }: Daemon): Promise<boolean> {
  const from = performance.now();
  const page = await client.page({
    accountId: ACCOUNT,
    pageSize: PAGE_SIZE,
    customizedNote: 'ticket 7',
  });
  return page.kind === 'done' && performance.now() - from < INDEXED_MS_MAX;
}

/** Waits until every waiting portfolio is counted and pages are answered from the index. */
async function ready(daemon: Daemon): Promise<void> {
  for (const until = performance.now() + READY_MS_MAX; ; await sleep(200)) {
    const text = await (await fetch(`${daemon.url}/metrics`)).text();
    if (Number(PENDING.exec(text)?.[1]) >= WAITING && (await isIndexed(daemon))) return;
    if (performance.now() > until) throw new Error('the portfolios are not taken up');
  }
}

const figures = (elapsedMs: readonly number[]): string =>
  `p50 ${percentile([...elapsedMs], 0.5).toFixed(1)} ms, p99 ${percentile([...elapsedMs], 0.99).toFixed(1)} ms`;

async function timed(times: number, what: (n: number) => Promise<unknown>): Promise<number[]> {
  const elapsedMs: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const from = performance.now();
    await what(n);
    elapsedMs.push(performance.now() - from);
  }
  return elapsedMs;
}

async function pages({ client }: Daemon): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, filter] of PAGES_OF) {
    let total = 0;
    const one = async (n: number): Promise<void> => {
      const page = await client.page({ accountId: ACCOUNT, pageSize: PAGE_SIZE, ...filter(n) });
      if (page.kind !== 'done') throw new Error(JSON.stringify(page));
      total = page.value.totalCount;
    };
    await timed(5, one);
    rows.push({
      what: `page of ${PAGE_SIZE}, ${what} (${total})`,
      value: figures(await timed(PAGES, one)),
      yardstick: 'target: p99 <= 50 ms',
    });
  }
  return rows;
}

async function list({ url }: Daemon, configPath: string): Promise<void> {
  const words = ['src/setup/run.mjs', '--quiet', 'src/main/cli.ts', 'list'];
  const args = [...words, '--config', configPath, '--url', url];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`list ended with ${code}`);
}

export async function benchReads(): Promise<Row[]> {
  await using all = opened();
  const files = daemonFiles('read', 'config/paper.yaml', 'apart');
  all.defer(() => files.remove());
  appendFileSync(files.configPath, NO_RATE_LIMITS);
  let daemon = await startDaemon(files);
  all.defer(async () => void (await daemon.end('SIGTERM')));
  const [id = ''] = await submitMany(daemon, 1, () => ({
    accountId: Number(ACCOUNT),
    portfolioType: 'TWAP',
    twapTrade: { startTimestamp: Date.now() + DAY_MS, durationSec: 3_600, frequencySec: 60 },
    legs: marketLegs(0, 240),
  }));
  await daemon.end('SIGTERM');
  await fill(files, id);
  const from = performance.now();
  daemon = await startDaemon(files);
  const listeningMs = performance.now() - from;
  await ready(daemon);
  const readyMs = performance.now() - from;
  await sleep(IDLE_MS);
  const [engine, gateway] = [daemon.part('engine'), daemon.part('gateway')];
  const cpuFrom = cpuSec(engine);
  await sleep(IDLE_MS);
  const share = ((cpuSec(engine) - cpuFrom) * 100_000) / IDLE_MS;
  const idleMb = residentMb(engine);
  const read = await pages(daemon);
  const listMs = await timed(LISTS, () => list(daemon, files.configPath));
  let bytes = 0;
  const scrapeMs = await timed(SCRAPES, async () => {
    bytes = (await (await fetch(`${daemon.url}/metrics`)).text()).length;
  });
  const what = `${ENDED} ended portfolios, ${WAITING} that wait`;
  return [
    {
      what: `${what}: start to accepting requests, and to all of them counted`,
      value: `${listeningMs.toFixed(0)} and ${readyMs.toFixed(0)} ms`,
    },
    {
      what: `${what}: the engine idle`,
      value: `${share.toFixed(1)} % of a core, ${idleMb.toFixed(0)} MB resident; gateway ${residentMb(gateway).toFixed(0)} MB after the pages`,
      yardstick: 'target: <= 5 % of a core, <= 400 MB',
    },
    ...read,
    {
      what: 'twapd list, the process from start to end',
      value: figures(listMs),
      yardstick: 'target: <= 1 s',
    },
    {
      what: `metrics scrape (${Math.round(bytes / 1_000)} kB)`,
      value: figures(scrapeMs),
      yardstick: 'target: <= 50 ms',
    },
  ];
}
