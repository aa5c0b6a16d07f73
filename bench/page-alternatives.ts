// The counts of pages as PostgreSQL itself can have them, on the rows of the page bench: one pass over an index
// or a table that holds nothing else, and bitmaps. The columns in memory are needed for what none of these
// answers in time.
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { ACCOUNT, FIRST_AT, SPAN_MS } from './page-rows.ts';
import { percentile } from './percentile.ts';
import type { Row } from './row.ts';

const RUNS = 15;

const COVERING = `
CREATE INDEX bench_covering ON portfolio (account, submitted_at DESC, id DESC)
  INCLUDE (type, status, has_fills, uid, last_edited_uid, note)`;

/** As narrow as rows can be: texts as numbers, in a table that no turn writes to. */
const NARROW = `
CREATE TABLE bench_narrow WITH (fillfactor = 100) AS
SELECT submitted_at, status, (type = 'TWAP') AS is_twap, has_fills, uid::smallint AS uid, note
FROM portfolio ORDER BY submitted_at, id`;

/** A bit for each portfolio, in the order of submission; a megabit for each value. */
const BITMAPS = `
CREATE TABLE bench_bitmap AS
SELECT kind, value, string_agg(CASE WHEN has THEN '1' ELSE '0' END, '' ORDER BY submitted_at, id)::bit varying AS bits
FROM portfolio CROSS JOIN LATERAL (VALUES
  ('status', '2', status = 2), ('type', 'TWAP', type = 'TWAP'), ('fills', '1', has_fills),
  ('uid', '7003', uid = '7003'), ('uid', '7010', uid = '7010')
) AS bit (kind, value, has)
GROUP BY kind, value`;

const HALF = `submitted_at BETWEEN ${FIRST_AT + SPAN_MS / 4} AND ${FIRST_AT + (3 * SPAN_MS) / 4}`;
const bits = (kind: string, value: string): string =>
  `(SELECT bits FROM bench_bitmap WHERE kind = '${kind}' AND value = '${value}')`;

const COUNTS: readonly (readonly [what: string, text: string])[] = [
  ['covering index, no filter', `SELECT count(*) FROM portfolio WHERE account = '${ACCOUNT}'`],
  [
    'covering index, status',
    `SELECT count(*) FROM portfolio WHERE account = '${ACCOUNT}' AND status = 2`,
  ],
  [
    'covering index, part of a note',
    `SELECT count(*) FROM portfolio WHERE account = '${ACCOUNT}' AND strpos(note, 'o') > 0`,
  ],
  [
    'covering index, page 50 000 without a count',
    `SELECT id FROM portfolio WHERE account = '${ACCOUNT}' ORDER BY submitted_at DESC, id DESC LIMIT 10 OFFSET 500000`,
  ],
  ['table of numbers, status', 'SELECT count(*) FROM bench_narrow WHERE status = 2'],
  ['table of numbers, half of the time', `SELECT count(*) FROM bench_narrow WHERE ${HALF}`],
  [
    'table of numbers, part of a note',
    "SELECT count(*) FROM bench_narrow WHERE strpos(note, 'o') > 0",
  ],
  [
    'bitmaps, status and type and two of uid and fills',
    `SELECT bit_count(${bits('status', '2')} & ${bits('type', 'TWAP')} & ${bits('fills', '1')}
      & (${bits('uid', '7003')} | ${bits('uid', '7010')}))`,
  ],
];

export async function benchPageAlternatives(connectionString: string): Promise<Row[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    for (const text of [COVERING, NARROW, BITMAPS, 'VACUUM ANALYZE']) {
      await client.query(text);
    }
    const { rows: backends } = await client.query<{ pid: number }>(
      'SELECT pg_backend_pid() AS pid',
    );
    const backend = backends[0]?.pid ?? 0;
    const rows: Row[] = [];
    for (const [what, text] of COUNTS) {
      const tookMs: number[] = [];
      const cpuFrom = cpuMs(backend);
      for (let run = 0; run < RUNS; run += 1) {
        const from = performance.now();
        await client.query(text);
        tookMs.push(performance.now() - from);
      }
      rows.push({
        what: `page, in PostgreSQL: ${what}`,
        value: `p50 ${percentile(tookMs, 0.5).toFixed(1)} ms, at best ${Math.min(...tookMs).toFixed(1)} ms; ${((cpuMs(backend) - cpuFrom) / RUNS).toFixed(0)} ms of processor time`,
        yardstick: 'p99 under 50 ms',
      });
    }
    await client.query('DROP INDEX bench_covering; DROP TABLE bench_narrow, bench_bitmap');
    return rows;
  } finally {
    await client.end();
  }
}

/** Hundredths of a second, from proc(5): fields 14 and 15 of stat; other load on the machine does not change it much. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
