// Mends partitions whose bounds are not those of the day they are named after. A version that read its clock twice could create
// them on a new ledger: a day early by name and a millisecond short. Later days then overlap and get no partition.
import { DAY_MS } from '../../../values/instant.ts';

export interface PartitionedTable {
  readonly table: string;
  /** The partition key. */
  readonly column: string;
  /** What it gains in a millisecond. */
  readonly perMs: number;
}

/**
 * One transaction, of which nothing remains if it fails. Rows stay in the table they are in: it gets the name and the bounds
 * of the day that it covers. Only rows of the millisecond that belongs to the day before, and rows that found no partition,
 * are moved. Without a wrong partition it locks nothing.
 */
export function mendStatement({ table, column, perMs }: PartitionedTable): string {
  const perDay = DAY_MS * perMs;
  return `DO $$
DECLARE
  one record;
  named text;
  wrong CONSTANT text := $sql$
    SELECT relname, (bounds)[1]::bigint AS low, (bounds)[2]::bigint AS high FROM (
      SELECT relname, regexp_match(pg_get_expr(relpartbound, oid), '\\((?:''?)(-?\\d+)(?:''?)\\) TO \\((?:''?)(-?\\d+)') AS bounds
      FROM pg_class JOIN pg_inherits ON inhrelid = oid
      WHERE inhparent = '${table}'::regclass AND relname ~ '^${table}_[0-9]{8}$'
    ) AS found
    WHERE (bounds)[1]::bigint <> extract(epoch FROM to_timestamp(right(relname, 8) || ' UTC', 'YYYYMMDD TZ'))::bigint * ${perMs} * 1000
      OR (bounds)[2]::bigint - (bounds)[1]::bigint <> ${perDay} $sql$;
BEGIN
  EXECUTE 'SELECT 1 FROM (' || wrong || ') AS one LIMIT 1' INTO one;
  IF one IS NULL THEN RETURN; END IF;
  LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE;
  CREATE TEMP TABLE mended ON COMMIT DROP AS SELECT ''::text AS relname, 0::bigint AS day WHERE false;
  CREATE TEMP TABLE strays (LIKE ${table}) ON COMMIT DROP;
  FOR one IN EXECUTE wrong LOOP
    EXECUTE format('ALTER TABLE ${table} DETACH PARTITION %I', one.relname);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', one.relname, 'mended_' || one.relname);
    -- The day that it covers but for a moment.
    INSERT INTO mended VALUES ('mended_' || one.relname, (one.low + one.high) / 2 / ${perDay});
  END LOOP;
  FOR one IN SELECT * FROM mended LOOP
    named := '${table}_' || to_char(to_timestamp(one.day * 86400) AT TIME ZONE 'UTC', 'YYYYMMDD');
    EXECUTE format('WITH gone AS (DELETE FROM %I WHERE ${column} < $1 OR ${column} >= $2 RETURNING *) INSERT INTO strays SELECT * FROM gone', one.relname)
      USING one.day * ${perDay}, (one.day + 1) * ${perDay};
    IF to_regclass(named) IS NULL THEN
      EXECUTE format('ALTER TABLE %I RENAME TO %I', one.relname, named);
      EXECUTE format('WITH gone AS (DELETE FROM ${table}_other WHERE ${column} >= $1 AND ${column} < $2 RETURNING *) INSERT INTO %I SELECT * FROM gone', named)
        USING one.day * ${perDay}, (one.day + 1) * ${perDay};
      EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', named, one.day * ${perDay}, (one.day + 1) * ${perDay});
    ELSE
      EXECUTE format('INSERT INTO strays SELECT * FROM %I', one.relname);
      EXECUTE format('DROP TABLE %I', one.relname);
    END IF;
  END LOOP;
  INSERT INTO ${table} SELECT * FROM strays;
  DROP TABLE mended, strays;
END $$;`;
}
