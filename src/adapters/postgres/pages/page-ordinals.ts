// Assigns places to ended portfolios, and reads those that are new. One process at a time assigns places, so
// that they become visible in order.
import type { Client, QueryArrayConfig } from 'pg';
import { type IndexedRow, NAME_SEPARATOR } from './page-columns.ts';

/** Arbitrary, as long as every version of the program uses the same number. */
const LOCK = 7_492_013_552;
const PLACED_AT_ONCE = 20_000;
/** More at once would outlive a collection and stay resident: 30 MB with 20 000. */
const READ_AT_ONCE = 2_000;

const PLACE = `
UPDATE portfolio SET place = last.place + over.number
FROM (SELECT greatest(0, (SELECT max(place) FROM portfolio), (SELECT max(place) FROM page_hole)) AS place
) AS last, (
  SELECT id, row_number() OVER (ORDER BY updated_at, id) AS number FROM (
    SELECT id, updated_at FROM portfolio WHERE place IS NULL AND status IN (2, 3)
    ORDER BY id LIMIT ${PLACED_AT_ONCE} FOR UPDATE SKIP LOCKED
  ) AS ended
) AS over
WHERE portfolio.id = over.id`;

/** Assigns at most about ten thousand places; returns how many. */
export async function assignOrdinals(client: Client): Promise<number> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const { rowCount } = await client.query(PLACE);
    await client.query('COMMIT');
    return rowCount ?? 0;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

const named = (column: string): string =>
  `'${NAME_SEPARATOR}' || array_to_string(${column}, '${NAME_SEPARATOR}') || '${NAME_SEPARATOR}'`;

const READ = `
SELECT place, id, account, type, status, strategy, note, uid, last_edited_uid,
  ${named('instruments')}, ${named('kinds')},
  coin, submitted_at, updated_at, has_fills
FROM portfolio WHERE place > $1 ORDER BY place LIMIT ${READ_AT_ONCE}`;

type Cells = [
  place: string,
  id: string,
  account: string,
  type: string,
  status: number,
  strategy: string | null,
  note: string,
  uid: string,
  lastEditedUid: string,
  instruments: string,
  kinds: string,
  coin: string,
  submittedAt: string,
  updatedAt: string,
  hasFills: boolean,
];

/** The next rows with a place above `after`, a few thousand at most. */
export async function readOrdinals(client: Client, after: number): Promise<readonly IndexedRow[]> {
  const query: QueryArrayConfig = { name: 'placed', text: READ, values: [after], rowMode: 'array' };
  const { rows } = await client.query<Cells>(query);
  return rows.map(
    ([place, id, account, type, status, strategy, note, uid, lastEditedUid, ...rest]) => {
      const [instruments, kinds, coin, submittedAt, updatedAt, hasFills] = rest;
      return {
        place: Number(place),
        id: Number(id),
        account,
        type,
        status,
        strategy,
        note,
        uid,
        lastEditedUid,
        instruments,
        kinds,
        coin,
        hasFills,
        submittedAt: Number(submittedAt),
        updatedAt: Number(updatedAt),
      };
    },
  );
}
