// Which days of the ledger are in the archive, and which could go there.
import type { Client } from 'pg';
import type { DayName } from '../../../ports/archive/submit-day.ts';

export interface ArchivedDay {
  readonly day: DayName;
  readonly portfolios: number;
  readonly events: number;
  /** Hash over the last hash of the chain of each portfolio; empty without portfolios. */
  readonly head: string;
  /** SHA-256 of the manifest. */
  readonly digest: string;
  /** Unix milliseconds. */
  readonly archivedAt: number;
  /** False: rows of it are left outside its partitions. */
  readonly isCleared: boolean;
  /** False: the summaries of its portfolios are not packed yet. */
  readonly isPacked: boolean;
}

const ARCHIVED = `
SELECT day, portfolios, events::float8 AS events, head, digest, archived_at::float8 AS "archivedAt",
  is_cleared AS "isCleared", is_packed AS "isPacked" FROM archived_day ORDER BY day`;

export async function archivedDays(client: Pick<Client, 'query'>): Promise<readonly ArchivedDay[]> {
  return (await client.query<ArchivedDay>(ARCHIVED)).rows;
}

/**
 * Days of portfolios, of partitions that hold nothing of a portfolio, and of rows of the market that found no partition. Steps
 * over the ids of a day at once.
 */
const DAYS = `
WITH RECURSIVE found (day) AS (
  (SELECT id / 86400000000 FROM portfolio ORDER BY id LIMIT 1)
  UNION ALL
  SELECT (SELECT id / 86400000000 FROM portfolio WHERE id >= (found.day + 1) * 86400000000 ORDER BY id LIMIT 1)
  FROM found WHERE found.day IS NOT NULL
)
SELECT day FROM (
  SELECT to_char(to_timestamp(day * 86400) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day FROM found WHERE day IS NOT NULL
  UNION
  SELECT to_char(to_date(right(one.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD')
  FROM pg_class AS one JOIN pg_inherits ON inhrelid = one.oid
  WHERE one.relnamespace = current_schema()::regnamespace AND one.relname ~ '^(turn|leg_moment|market_second|market_instant)_[0-9]{8}$'
  UNION
  SELECT DISTINCT to_char(to_timestamp(second / 86400000 * 86400) AT TIME ZONE 'UTC', 'YYYY-MM-DD') FROM market_second_other
  UNION
  SELECT DISTINCT to_char(to_timestamp(at / 86400000 * 86400) AT TIME ZONE 'UTC', 'YYYY-MM-DD') FROM market_instant_other
) AS one WHERE day < $1 AND day NOT IN (SELECT day FROM archived_day) ORDER BY day`;

/** The days before `before` that the database has and the archive does not. */
export async function daysInDatabase(
  client: Pick<Client, 'query'>,
  before: DayName,
): Promise<readonly DayName[]> {
  return (await client.query<{ day: DayName }>(DAYS, [before])).rows.map(({ day }) => day);
}

export async function schemaNumber(client: Pick<Client, 'query'>): Promise<number> {
  const { rows } = await client.query('SELECT max(number) AS number FROM schema_migration');
  return rows[0]?.number;
}
