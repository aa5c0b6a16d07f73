// The schema of a database as its catalogs describe it, one line for each part, so that two can be compared.
import type { Client } from 'pg';

/** Columns by rank, because dropped ones keep their number; NOT NULL without the name that only newer servers give it. */
const PARTS = `
SELECT format('relation %s %s %s %s %s %s %s', relname, relkind, relpersistence, reloptions, relacl,
  pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid))
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind <> 'i' AND relkind <> 'I'
UNION ALL
SELECT format('column %s.%s #%s %s %s%s%s%s default %s storage %s collation %s options %s statistics %s acl %s', attrelid::regclass, attname,
  row_number() OVER (PARTITION BY attrelid ORDER BY attnum), format_type(atttypid, atttypmod),
  CASE WHEN attnotnull THEN 'not null ' END, attidentity, attgenerated, attcompression, pg_get_expr(adbin, adrelid), attstorage,
  attcollation::regcollation, attoptions, attstattarget, attacl)
FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND attnum > 0 AND NOT attisdropped
UNION ALL
SELECT format('constraint %s on %s %s', conname, conrelid::regclass, pg_get_constraintdef(oid))
FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
UNION ALL
SELECT format('index %s %s', pg_get_indexdef(oid), reloptions)
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('i', 'I')
UNION ALL
SELECT format('view %s %s', relname, pg_get_viewdef(oid))
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
UNION ALL
SELECT format('function %s acl %s', pg_get_functiondef(oid), proacl)
FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL
SELECT format('trigger %s %s', pg_get_triggerdef(pg_trigger.oid), tgenabled) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL
SELECT format('comment %s %s', pg_describe_object(classoid, objoid, objsubid), description)
FROM pg_description LEFT JOIN pg_class ON classoid = 'pg_class'::regclass AND pg_class.oid = objoid
WHERE relnamespace = 'public'::regnamespace
UNION ALL
SELECT format('sequence %s %s %s %s %s %s %s of %s', sequencename, data_type, start_value, min_value, increment_by, cycle, cache_size,
  pg_describe_object('pg_class'::regclass, refobjid, refobjsubid))
FROM pg_sequences LEFT JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = sequencename::regclass AND deptype = 'i'
WHERE schemaname = 'public'
UNION ALL
SELECT format('%s of schema public: %s', typtype, typname) FROM pg_type
WHERE typnamespace = 'public'::regnamespace AND typtype NOT IN ('b', 'c')`;

export async function schemaCatalog(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ part: string }>(`SELECT part FROM (${PARTS}) AS p (part)`);
  return rows.map(({ part }) => part).toSorted();
}
