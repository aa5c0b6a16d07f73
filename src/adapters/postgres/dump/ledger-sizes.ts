// How large the tables of a ledger are, with their indexes, and what each day added to those that are kept by day.
import { Client } from 'pg';

export interface TableSize {
  readonly table: string;
  /** With indexes and out-of-line values. */
  readonly bytes: number;
  /** As the database estimates it from its last statistics. */
  readonly rows: number;
}

export interface DaySize {
  /** Such as 2026-11-24, UTC: of the submit of portfolios, and of the market. */
  readonly day: string;
  readonly bytes: number;
}

export interface LedgerSizes {
  /** Of the whole database. */
  readonly bytes: number;
  /** Largest first; the partitions of a table count as the table. */
  readonly tables: readonly TableSize[];
  /** Oldest first, without days that have nothing. */
  readonly days: readonly DaySize[];
}

const TABLES = `
SELECT coalesce(parent.relname, one.relname) AS table, sum(pg_total_relation_size(one.oid))::text AS bytes,
  sum(greatest(one.reltuples, 0))::text AS rows
FROM pg_class AS one
LEFT JOIN pg_inherits ON inhrelid = one.oid LEFT JOIN pg_class AS parent ON parent.oid = inhparent
WHERE one.relnamespace = current_schema()::regnamespace AND one.relkind = 'r'
GROUP BY 1 ORDER BY sum(pg_total_relation_size(one.oid)) DESC, 1`;

const DAYS = `
SELECT to_char(to_date(right(one.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') AS day,
  sum(pg_total_relation_size(one.oid))::text AS bytes
FROM pg_class AS one JOIN pg_inherits ON inhrelid = one.oid
WHERE one.relnamespace = current_schema()::regnamespace AND one.relkind = 'r' AND one.relname ~ '_[0-9]{8}$'
  AND pg_relation_size(one.oid) > 0
GROUP BY 1 ORDER BY 1`;

/** @throws Error if the database does not answer. */
export async function ledgerSizes(connectionString: string): Promise<LedgerSizes> {
  const client = new Client({ connectionString, application_name: 'twapd ledger status' });
  // The query under way reports a lost connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const whole = await client.query<{ bytes: string }>(
      'SELECT pg_database_size(current_database())::text AS bytes',
    );
    const tables = await client.query<{ table: string; bytes: string; rows: string }>(TABLES);
    const days = await client.query<{ day: string; bytes: string }>(DAYS);
    return {
      bytes: Number(whole.rows[0]?.bytes),
      tables: tables.rows.map(({ table, bytes, rows }) => ({
        table,
        bytes: Number(bytes),
        rows: Number(rows),
      })),
      days: days.rows.map(({ day, bytes }) => ({ day, bytes: Number(bytes) })),
    };
  } finally {
    await client.end();
  }
}
