// The latency of a page over a million ended portfolios: every filter alone and combined, first and deep
// pages, with exact counts; also the time to read the table and build the index, and the time cancel-all
// takes to find the portfolios it cancels.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from 'pg';
import {
  openPostgresLedger,
  type PostgresLedger,
} from '../src/adapters/postgres/postgres-ledger.ts';
import { startEmbeddedPostgres } from '../src/adapters/postgres/private-server/embedded-postgres.ts';
import type { PageQuery } from '../src/ports/ledger.ts';
import { accountId } from '../src/values/ids.ts';
import { instant } from '../src/values/instant.ts';
import { turnOf } from './ledger-turn.ts';
import { opened } from './opened.ts';
import { benchPageAlternatives } from './page-alternatives.ts';
import {
  ACCOUNT,
  AT_WORK,
  FIRST_AT,
  INSERT_PORTFOLIOS,
  INSERT_SUMMARIES,
  OVER,
  SPAN_MS,
} from './page-rows.ts';
import type { Row } from './row.ts';

const PAGES = 100;
const PLAIN_PAGES = 5;
const AT_ONCE = 100_000;
const DAY_MS = 86_400_000;

type Asked = Partial<PageQuery>;

const at = (share: number) => instant(Math.floor(FIRST_AT + share * SPAN_MS));
const uid = (n: number): string => String(7_000 + (n % 32));

/** Each page uses its own filter values. */
const FILTERS: readonly (readonly [what: string, asked: (n: number) => Asked])[] = [
  ['no filter, first pages', (n) => ({ offset: n * 10 })],
  ['no filter, page 50 000', (n) => ({ offset: 500_000 + n * 10 })],
  ['by update time, oldest first', (n) => ({ orderBy: 'updatedAt', descending: false, offset: n })],
  ['portfolioType', (n) => ({ portfolioType: n % 2 ? 'TWAP' : 'BALANCE' })],
  ['tag ORDER_HISTORY', (n) => ({ statuses: ['filled', 'cancelled'], offset: n * 10 })],
  ['tag OPEN_ORDER', () => ({ statuses: ['active', 'cancelling'] })],
  ['status', (n) => ({ statuses: [n % 2 ? 'filled' : 'cancelled'] })],
  ['derivativesTypes', (n) => ({ kinds: n % 2 ? ['option'] : ['option', 'perpetual'] })],
  ['coinOrSymbol, a coin', (n) => ({ coinOrSymbol: ['btc', 'eth', 'sol', 'xrp'][n % 4] })],
  ['coinOrSymbol, part of a name', (n) => ({ coinOrSymbol: `-${20_000 + 1_000 * (n % 128)}-` })],
  ['instrument', (n) => ({ instrument: `${n % 2 ? 'BTC' : 'ETH'}-PERPETUAL` })],
  [
    'time range, a day',
    (n) => ({ submittedFrom: at(n / 200), submittedTo: instant(at(n / 200) + DAY_MS) }),
  ],
  [
    'time range, half of all',
    (n) => ({ submittedFrom: at(n / 500), submittedTo: at(0.5 + n / 500) }),
  ],
  ['updatedAfter, the latest hundredth', (n) => ({ updatedAfter: at(0.99 + n / 100_000) })],
  [
    'every account of a key, changed of late',
    (n) => ({
      account: undefined,
      accounts: [ACCOUNT, '20001', '30001'].map(accountId),
      updatedAfter: at(0.9 + n / 10_000),
      orderBy: 'updatedAt',
    }),
  ],
  ['hideFullyUnfilled', (n) => ({ hideFullyUnfilled: true, offset: n * 10 })],
  ['customizedNote, in many', (n) => ({ note: `book ${n % 10}` })],
  ['customizedNote, in one', (n) => ({ note: `ticket ${3_337 * (n + 1)}` })],
  ['customizedNote, one letter', (n) => ({ note: 'tickeroby'[n % 9] })],
  ['createUidList', (n) => ({ uids: [uid(n), uid(n + 7)] })],
  ['lastEditedUidList', (n) => ({ lastEditedUids: [uid(n), uid(n + 3), uid(n + 5)] })],
  [
    'all of them together',
    (n) => ({
      portfolioType: 'TWAP',
      statuses: ['filled', 'cancelled'],
      kinds: ['perpetual'],
      coinOrSymbol: 'btc',
      note: 'o',
      hideFullyUnfilled: true,
      uids: Array.from({ length: 16 }, (_, i) => uid(n + i)),
      submittedFrom: at(0.1),
      submittedTo: at(0.9),
      lastEditedUids: [uid(n), uid(n + 1)],
    }),
  ],
];

/** The query of cancel-all before it cancels, with each of its filters. */
const CANCELLED: typeof FILTERS = (
  [
    ['every active one', () => ({})],
    ['portfolioType', () => ({ portfolioType: 'BALANCE' })],
    ['coinOrSymbol', (n) => ({ coinOrSymbol: ['btc', 'eth', '-30000-'][n % 3] })],
    ['createUidList', (n) => ({ uids: [uid(n), uid(n + 1)] })],
    ['derivativesTypes', () => ({ kinds: ['option', 'spot'] })],
  ] as typeof FILTERS
).map(([what, asked]) => [
  what,
  (n) => ({ ...asked(n), statuses: ['active'], descending: false, limit: 500 }),
]);

const queryOf = (asked: Asked): PageQuery => ({
  account: accountId(ACCOUNT),
  orderBy: 'submittedAt',
  descending: true,
  offset: 0,
  limit: 10,
  ...asked,
});

/** Runs on its own PostgreSQL with the daemon's settings. */
export async function benchPage(): Promise<Row[]> {
  await using all = opened();
  const connectionString = await filledServer(all);
  const plain = await openPostgresLedger({ connectionString, pageIndexAbove: OVER * 2 });
  all.defer(() => plain.close());
  const plainMs = await measure(plain, () => ({}), PLAIN_PAGES);
  await plain.close();
  const alternatives = await benchPageAlternatives(connectionString);
  return [...(await measureAll(connectionString, plainMs)), ...alternatives];
}

/** Only what `updatedAfter` finds, which is what a page requests when it comes back. */
export async function benchPageUpdated(): Promise<Row[]> {
  await using all = opened();
  const connectionString = await filledServer(all);
  const ledger = await openPostgresLedger({ connectionString });
  all.defer(() => ledger.close());
  await ready(ledger);
  const filters = FILTERS.filter(([, asked]) => asked(0).updatedAfter !== undefined);
  return await measureEach(ledger, filters, 'page');
}

async function filledServer(all: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'twapd-bench-page-'));
  all.defer(() => rm(dataDir, { recursive: true, force: true }));
  const log = { info: () => undefined, warn: console.warn };
  const server = await startEmbeddedPostgres({ dataDir, log });
  all.defer(() => server.stop());
  const connectionString = server.address;
  await (await openPostgresLedger({ connectionString })).close();
  await fill(connectionString);
  return connectionString;
}

/** Waits for the index; returns the time in seconds. */
async function ready(ledger: PostgresLedger): Promise<number> {
  const from = performance.now();
  while (!(await ledger.isPageIndexReady())) await new Promise((go) => setTimeout(go, 100));
  return (performance.now() - from) / 1_000;
}

async function measureAll(connectionString: string, plainMs: readonly number[]): Promise<Row[]> {
  const first = await openPostgresLedger({ connectionString });
  const firstSec = await ready(first);
  await first.close();
  const ledger = await openPostgresLedger({ connectionString });
  try {
    const readySec = await ready(ledger);
    return [
      {
        what: `page, ${OVER} ended portfolios of one account, without the index`,
        value: figures(plainMs),
      },
      {
        what: 'page: time until the index is ready, first start',
        value: `${firstSec.toFixed(1)} s`,
      },
      {
        what: 'page: time until the index is ready, later start',
        value: `${readySec.toFixed(1)} s`,
      },
      ...(await measureEach(ledger, FILTERS, 'page')),
      ...(await measureEach(ledger, CANCELLED, 'filter of cancel-all')),
      {
        what: 'page: memory of the process with the index',
        value: `${Math.round(process.memoryUsage().rss / 1e6)} MB`,
      },
    ];
  } finally {
    await ledger.close();
  }
}

async function measureEach(
  ledger: PostgresLedger,
  filters: typeof FILTERS,
  name: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, asked] of filters) {
    const elapsedMs = await measure(ledger, asked, PAGES);
    const { total } = await ledger.page(queryOf(asked(1)));
    const value = figures(elapsedMs);
    // At once too: the table comes when everything is measured.
    process.stderr.write(`  ${name}: ${what} (${total}): ${value}\n`);
    rows.push({ what: `${name}: ${what} (${total})`, value, yardstick: 'p99 under 50 ms' });
  }
  return rows;
}

async function measure(
  ledger: PostgresLedger,
  asked: (n: number) => Asked,
  pages: number,
): Promise<readonly number[]> {
  const elapsedMs: number[] = [];
  for (let n = 0; n < pages; n += 1) {
    const from = performance.now();
    await ledger.page(queryOf(asked(n)));
    elapsedMs.push(performance.now() - from);
  }
  return elapsedMs.sort((a, b) => a - b);
}

function figures(elapsedMs: readonly number[]): string {
  const quantile = (q: number) => (elapsedMs[Math.floor(elapsedMs.length * q)] ?? 0).toFixed(1);
  return `p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`;
}

async function fill(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const record = JSON.stringify(turnOf(1, 1).row.record);
    for (let first = 1; first <= OVER + AT_WORK; first += AT_ONCE) {
      const last = Math.min(first + AT_ONCE - 1, OVER + AT_WORK);
      await client.query(INSERT_PORTFOLIOS, [first, last]);
      await client.query(INSERT_SUMMARIES, [record, first, last]);
      process.stderr.write(`  ${last} portfolios\r`);
    }
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}
