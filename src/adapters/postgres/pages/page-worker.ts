// The thread that answers pages: columns of all ended portfolios in memory, the rest queried from the
// database, both of the same snapshot. It catches up by itself and never blocks the trading thread.

import { parentPort, workerData } from 'node:worker_threads';
import { Client } from 'pg';
import type { PageQuery } from '../../../ports/ledger.ts';
import { must } from '../../../values/assert.ts';
import { isProgrammingError } from '../../../values/errors/programming-error.ts';
import { PageColumns } from './page-columns.ts';
import type { FoundRows, PageAnswer, PageQuestion, TextRow } from './page-index.ts';
import { PageOrders } from './page-orders.ts';
import { assignOrdinals, readOrdinals } from './page-ordinals.ts';
import { looseStatement } from './page-query.ts';

const KEEP_UP_MS = 1_000;
/** Number of newly assigned places after which the database's statistics are stale. */
const MANY = 10_000;

const port = must(parentPort, 'pages are answered in a thread of their own');
const { connectionString } = workerData as { readonly connectionString: string };
const columns = new PageColumns();
const orders = new PageOrders(columns);
let lastPlace = 0;

const client = new Client({ connectionString, application_name: 'twapd pages' });
// A lost connection ends the thread; its owner starts another.
client.on('error', (error) => {
  throw error;
});

/** Records are read as text: as values they would be built here, copied to the other thread and built there. */
const ROWS = `SELECT p.*, summary_record(s.record)::text AS record, s.version AS record_version
FROM unnest($1::bigint[]) WITH ORDINALITY AS shown (id, at)
JOIN portfolio p USING (id) JOIN summary s ON s.portfolio = p.id ORDER BY shown.at`;

interface Found {
  readonly count: string;
  readonly ids: readonly number[] | null;
  readonly keys: readonly number[] | null;
  readonly holes: readonly number[] | null;
}

/** One query at a time: there is one connection. */
let line: Promise<void> = Promise.resolve();
const inLine = (work: () => Promise<void>): void => {
  line = line.then(work);
};

async function keepUp(): Promise<void> {
  let total = 0;
  for (let placed = 1; placed > 0; total += placed) placed = await assignOrdinals(client);
  // Otherwise the database would assume for a while that most have no place, and scan everything to find them.
  if (total > MANY) await client.query('ANALYZE portfolio (place)');
  await readUp();
}

async function readUp(): Promise<void> {
  let reading = readOrdinals(client, lastPlace);
  for (let rows = await reading; rows.length > 0; rows = await reading) {
    lastPlace = rows.at(-1)?.place ?? lastPlace;
    // The database prepares the next rows while these are processed.
    reading = readOrdinals(client, lastPlace);
    for (const row of rows) columns.add(row);
  }
  orders.extend();
}

async function pageOf(query: PageQuery): Promise<FoundRows> {
  const { text, values } = looseStatement(query, lastPlace);
  const [found] = (await client.query<Found>(text, [...values])).rows;
  const { count, ids: looseIds, keys, holes } = must(found, 'a count has no row');
  const loose = (looseIds ?? []).map((id, index) => ({ id, key: keys?.[index] ?? 0 }));
  const hits = columns.hits(query, holes ?? [], orders.within(query));
  const total = hits.total + Number(count);
  const ids = orders.page(hits, loose, query);
  if (ids.length === 0) return { total, rows: [] };
  const { rows } = await client.query<TextRow>({
    name: 'rows',
    text: ROWS,
    values: [ids],
  });
  return { total, rows };
}

/** All queries use one snapshot. */
async function answer({ number, query }: PageQuestion): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    port.postMessage({ number, ...(await pageOf(query)) } satisfies PageAnswer);
  } catch (error) {
    const fault = { why: String(error), isMistake: isProgrammingError(error) };
    port.postMessage({ number, total: 0, rows: [], fault } satisfies PageAnswer);
  }
  await client.query('COMMIT');
}

await client.connect();
await keepUp();
port.on('message', (question: PageQuestion) => inLine(() => answer(question)));
port.postMessage('ready');
setInterval(() => inLine(keepUp), KEEP_UP_MS);
