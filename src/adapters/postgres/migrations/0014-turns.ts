// One row per turn with its events, in partitions by the UTC day of submit: ids begin with the instant of the submit, so
// a range of ids is a day, and a portfolio is in one partition for its life. Partitions are created ahead by the program;
// what has none is in `turn_other`. Events written before, one row each, stay in `event_row`; `event` is now a view that
// shows every event of both, to the roles that could read the table.
export const sql = `
CREATE TABLE turn (
  portfolio bigint  NOT NULL,
  batch     bigint  NOT NULL,
  version   integer NOT NULL,
  size      integer NOT NULL CHECK (size > 0),
  events    json    NOT NULL,
  PRIMARY KEY (portfolio, version)
) PARTITION BY RANGE (portfolio);
COMMENT ON COLUMN turn.batch IS 'drawn for every transaction: tells whose commit it was when the answer was lost';
COMMENT ON COLUMN turn.version IS 'of the portfolio after the turn';
COMMENT ON COLUMN turn.size IS 'number of events';
CREATE TABLE turn_other PARTITION OF turn DEFAULT;

ALTER TABLE event RENAME TO event_row;
CREATE VIEW event AS
SELECT portfolio, version, at, kind, data, batch FROM event_row
UNION ALL
SELECT turn.portfolio, (turn.version - turn.size + one.place)::integer, (one.data->>'at')::bigint,
  one.data->>'kind', one.data, turn.batch
FROM turn CROSS JOIN LATERAL json_array_elements(turn.events) WITH ORDINALITY AS one (data, place);

DO $$
DECLARE
  reader regrole;
BEGIN
  FOR reader IN
    SELECT held.grantee FROM pg_class, aclexplode(relacl) AS held
    WHERE oid = 'event_row'::regclass AND held.privilege_type = 'SELECT' AND held.grantee NOT IN (0, relowner)
  LOOP
    EXECUTE format('GRANT SELECT ON event TO %s', reader);
  END LOOP;
END $$;
`;
