// Takes a day out of the database once its archive is written and verified. In one transaction the day is recorded as
// archived and its partitions are detached and dropped: it is in the database whole, or in the archive. Rows of the day that
// are outside its partitions follow afterwards, in pieces; interrupted, that is done again.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, DatabaseError } from 'pg';
import type { ArchiveRow } from '../../../ports/archive/archive-tables.ts';
import type { DayName } from '../../../ports/archive/submit-day.ts';
import type { ArchivedDay } from './archived-days.ts';
import { idsOf, timesOf } from './day-source.ts';

/** The day has changed since it was archived, or the database is too busy: nothing was taken out. */
export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';
}

/** While a table waits for its lock, commits wait behind it. */
const LOCK_WITHIN = '250ms';
const TRIES_MAX = 40;
const REST_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const ROWS_AT_ONCE = 5_000;

const STILL_AS = `
SELECT count(*)::int AS portfolios, coalesce(sum(version), 0)::float8 AS events,
  count(*) FILTER (WHERE status IN (1, 4))::int AS at_work
FROM portfolio WHERE id >= $1 AND id < $2`;

const ADD = `INSERT INTO archived_day (day, portfolios, events, head, digest, archived_at)
VALUES ($1, $2, $3, $4, $5, $6)`;

/** @throws ReleaseRefused */
export async function releaseDay(
  client: Client,
  of: Omit<ArchivedDay, 'isCleared' | 'isPacked'>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await released(client, of);
    } catch (error) {
      await client.query('ROLLBACK');
      const isBusy = error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE;
      if (!isBusy) throw error;
      if (tries === TRIES_MAX) {
        throw new ReleaseRefused(
          `the tables of ${of.day} are in use, perhaps by a backup: nothing was taken out; run it again later`,
        );
      }
      await sleep(REST_MS);
    }
  }
}

async function released(
  client: Client,
  of: Omit<ArchivedDay, 'isCleared' | 'isPacked'>,
): Promise<void> {
  const { day, portfolios, events, head, digest, archivedAt } = of;
  const ids = idsOf(day);
  await client.query('BEGIN');
  await client.query(`SET LOCAL lock_timeout = '${LOCK_WITHIN}'`);
  // From here on no turn is committed: what is compared next stays as it is.
  await client.query('LOCK TABLE ONLY turn IN ACCESS EXCLUSIVE MODE');
  const now = (await client.query(STILL_AS, [...ids])).rows[0];
  if (now.portfolios !== portfolios || now.events !== events || now.at_work > 0) {
    throw new ReleaseRefused(
      `a portfolio of ${day} has changed since it was archived: nothing was taken out; run it again`,
    );
  }
  await client.query(ADD, [day, portfolios, events, head, digest, archivedAt]);
  for (const [table, column, [from, below]] of [
    ['turn', 'portfolio', ids],
    ['leg_moment', 'portfolio', ids],
    ['market_second', 'second', timesOf(day)],
    ['market_instant', 'at', timesOf(day)],
  ] as const) {
    const partition = `${table}_${day.replaceAll('-', '')}`;
    if (await holdsOnly(client, { partition, column, from, below })) {
      await client.query(`ALTER TABLE ${table} DETACH PARTITION ${partition}`);
      await client.query(`DROP TABLE ${partition}`);
    }
    // What is left of the day, whatever the partition is called that it is in.
    await client.query(`DELETE FROM ${table} WHERE ${column} >= $1 AND ${column} < $2`, [
      from,
      below,
    ]);
  }
  await client.query('COMMIT');
}

interface DayTable {
  readonly partition: string;
  readonly column: string;
  readonly from: number;
  readonly below: number;
}

/** Whether there is a partition of that name that has no row of another day: names were wrong once. */
async function holdsOnly(
  client: Client,
  { partition, column, from, below }: DayTable,
): Promise<boolean> {
  const isThere = await client.query('SELECT to_regclass($1) IS NOT NULL AS yes', [partition]);
  if (isThere.rows[0].yes !== true) return false;
  const others = await client.query(
    `SELECT EXISTS (SELECT FROM ${partition} WHERE ${column} < $1 OR ${column} >= $2) AS yes`,
    [from, below],
  );
  return others.rows[0].yes === false;
}

const CLEAR_ROWS = `DELETE FROM event_row WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM event_row WHERE portfolio >= $1 AND portfolio < $2 LIMIT $3))`;
const CLEAR_SNAPSHOTS = 'DELETE FROM state_snapshot WHERE portfolio >= $1 AND portfolio < $2';
const CLEAR_FILLS = `DELETE FROM fill USING unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS gone (venue, currency, trade_id, label)
WHERE fill.venue = gone.venue AND fill.currency = gone.currency AND fill.trade_id = gone.trade_id AND fill.label = gone.label`;
/** Where the key of a fill stands in a row of the archive. */
const FILL_KEY = [0, 1, 2, 5];

/** Deletes what is left of a day that is archived. `fills` are the rows of its archive. */
export async function clearDay(
  client: Client,
  day: DayName,
  fills: AsyncIterable<readonly ArchiveRow[]>,
): Promise<void> {
  const ids = idsOf(day);
  for (;;) {
    const { rowCount } = await client.query(CLEAR_ROWS, [...ids, ROWS_AT_ONCE]);
    if (rowCount === 0) break;
  }
  await client.query(CLEAR_SNAPSHOTS, [...ids]);
  for await (const some of fills) {
    for (let from = 0; from < some.length; from += ROWS_AT_ONCE) {
      const piece = some.slice(from, from + ROWS_AT_ONCE);
      await client.query(
        CLEAR_FILLS,
        FILL_KEY.map((column) => piece.map((row) => row[column])),
      );
    }
  }
  await client.query('UPDATE archived_day SET is_cleared = true WHERE day = $1', [day]);
}
