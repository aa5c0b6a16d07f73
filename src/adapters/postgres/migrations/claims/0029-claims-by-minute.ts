// Claims of one-time keys, in four tables that take turns: a claim is in the table of the minute in which it ends. Those of a
// minute that is over are removed together, which costs nothing for each of them: row by row it cost as much as writing
// them, and more the longer the daemon ran, because an index on their ends had to be read past all that were gone.
const TABLES = [0, 1, 2, 3];

export const sql = `
${TABLES.map(
  (table) => `CREATE TABLE claim_${table} (
  key   text   COLLATE "C" PRIMARY KEY,
  until bigint NOT NULL
) WITH (autovacuum_enabled = false);
INSERT INTO claim_${table} (key, until) SELECT key, until FROM claim
WHERE until > extract(epoch FROM now()) * 1000 AND until / 60000 % 4 = ${table};`,
).join('\n')}
DROP TABLE claim;

-- Not while a claim of the table is live by the clock of the caller, nor while anyone, a backup for example, reads it: others
-- would wait behind the lock.
CREATE FUNCTION clear_claims(which integer, at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_live boolean;
BEGIN
  IF pg_relation_size(format('claim_%s', which)::regclass) = 0 THEN RETURN; END IF;
  EXECUTE format('LOCK TABLE claim_%s IN ACCESS EXCLUSIVE MODE NOWAIT', which);
  EXECUTE format('SELECT EXISTS (SELECT FROM claim_%s WHERE until > $1)', which) INTO is_live USING at;
  IF NOT is_live THEN EXECUTE format('TRUNCATE claim_%s', which); END IF;
EXCEPTION WHEN lock_not_available THEN NULL;
END
$$;
`;
