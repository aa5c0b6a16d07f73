// What a dump of the ledger holds: every table of its schema, except what belongs to running processes or can be made again.
import type { ClientBase } from 'pg';

export interface DumpedTable {
  readonly name: string;
  /** Without those that the database computes itself. */
  readonly columns: readonly string[];
}

/** A partition, as the database describes it. */
export interface DumpedPartition {
  readonly of: string;
  readonly name: string;
  /** Such as `FOR VALUES FROM ('1') TO ('2')`. */
  readonly bound: string;
}

/** An identity column, and the last number that may have been drawn for it. */
export interface DumpedSequence {
  readonly table: string;
  readonly column: string;
  readonly last: string;
}

/**
 * `turn_log` and the positions in it are transaction numbers of one cluster, and mean nothing in another; leases, members and
 * the lead are of processes that run; snapshots are a cache. `schema_migration` is written by the migrations.
 */
const LEFT_OUT = [
  'schema_migration',
  'turn_log',
  'notice_cursor',
  'notice_lead',
  'member',
  'shard_lease',
  'state_snapshot',
] as const;

/** Happenings before the notices that refer to them, the rest by name. */
const TABLES = `
SELECT pg_class.relname AS name, array_agg(attname::text ORDER BY attnum) AS columns
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
  AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND relname <> ALL ($1)
GROUP BY pg_class.oid, pg_class.relname
ORDER BY EXISTS (SELECT 1 FROM pg_constraint WHERE conrelid = pg_class.oid AND contype = 'f'), pg_class.relname`;

const PARTITIONS = `
SELECT parent.relname AS of, part.relname AS name, pg_get_expr(part.relpartbound, part.oid) AS bound
FROM pg_inherits JOIN pg_class AS parent ON parent.oid = inhparent JOIN pg_class AS part ON part.oid = inhrelid
WHERE parent.relnamespace = current_schema()::regnamespace AND parent.relname <> ALL ($1) AND part.relkind = 'r'
  AND pg_get_expr(part.relpartbound, part.oid) <> 'DEFAULT'
ORDER BY part.relname`;

const SEQUENCES = `
SELECT pg_class.relname AS table, attname AS column, coalesce(last_value, 0)::text AS last
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
JOIN pg_sequences ON to_regclass(format('%I.%I', schemaname, sequencename))
  = pg_get_serial_sequence(quote_ident(pg_class.relname), attname)::regclass
WHERE relnamespace = current_schema()::regnamespace AND attidentity <> '' AND relname <> ALL ($1)
ORDER BY pg_class.relname`;

const of = async <T>(client: ClientBase, text: string): Promise<readonly T[]> =>
  (await client.query(text, [LEFT_OUT])).rows;

export const dumpedTables = (client: ClientBase): Promise<readonly DumpedTable[]> =>
  of(client, TABLES);
export const dumpedPartitions = (client: ClientBase): Promise<readonly DumpedPartition[]> =>
  of(client, PARTITIONS);
export const dumpedSequences = (client: ClientBase): Promise<readonly DumpedSequence[]> =>
  of(client, SEQUENCES);
