// Summaries of archived days lie together in packs, where they take a fraction of the space; `summary.record` then is a list of
// the pack and the place in it. `summary_record` gives a record wherever it lies, to the roles that could read the summaries.
// Days that were archived before are packed by the next `twapd archive`.
export const sql = `
CREATE TABLE summary_pack (
  number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  records text[] NOT NULL
);
COMMENT ON COLUMN summary_pack.records IS 'JSON of each summary, in order of portfolio';
COMMENT ON COLUMN summary.record IS 'the summary, or [number of its pack, place in it from 1]: read it through summary_record';

CREATE FUNCTION summary_record(record json) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE json_typeof(record) WHEN 'array' THEN (
  SELECT pack.records[(record->>1)::integer]::json FROM summary_pack AS pack WHERE pack.number = (record->>0)::bigint
) ELSE record END;

ALTER TABLE archived_day ADD COLUMN is_packed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN archived_day.is_packed IS 'false until the summaries of the day are in packs';

DO $$
DECLARE
  reader regrole;
BEGIN
  FOR reader IN
    SELECT held.grantee FROM pg_class, aclexplode(relacl) AS held
    WHERE oid = 'summary'::regclass AND held.privilege_type = 'SELECT' AND held.grantee NOT IN (0, relowner)
  LOOP
    EXECUTE format('GRANT SELECT ON summary_pack TO %s', reader);
  END LOOP;
END $$;
`;
