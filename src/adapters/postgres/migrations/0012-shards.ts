// Shards: each portfolio's, which never changes, and who owns which. The function repeats `shardOf` for the
// portfolios that are there; a shadow is in the shard of the portfolio that it mirrors. Shadows that have ended are
// not looked up: nothing happens to them any more.
export const sql = `
CREATE FUNCTION pg_temp.shard_of(account text) RETURNS smallint LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  hash numeric := 2166136261;
  bits bigint;
BEGIN
  FOR place IN 1 .. length(account) LOOP
    bits := hash::bigint # ascii(substr(account, place, 1));
    hash := mod(bits::numeric * 16777619, 4294967296);
  END LOOP;
  bits := hash::bigint # (hash::bigint >> 16);
  bits := mod(bits::numeric * 2246822507, 4294967296)::bigint;
  bits := bits # (bits >> 13);
  bits := mod(bits::numeric * 3266489909, 4294967296)::bigint;
  bits := bits # (bits >> 16);
  RETURN (bits % 256)::smallint;
END $$;

ALTER TABLE portfolio ADD COLUMN shard smallint;
WITH known AS MATERIALIZED (
  SELECT account, pg_temp.shard_of(account) AS shard
  FROM (SELECT DISTINCT account FROM portfolio) AS a
)
UPDATE portfolio SET shard = known.shard FROM known WHERE known.account = portfolio.account;
UPDATE portfolio shadow SET shard = original.shard
FROM event, portfolio original
WHERE shadow.status IN (1, 4) AND event.portfolio = shadow.id AND event.version = 1
  AND original.id = (event.data -> 'spec' ->> 'mirrorOf')::bigint;
ALTER TABLE portfolio ALTER COLUMN shard SET NOT NULL;
DROP INDEX portfolio_at_work;
CREATE INDEX portfolio_at_work ON portfolio (shard, id) WHERE status IN (1, 4);

CREATE TABLE member (
  name       text        PRIMARY KEY,
  is_leaving boolean     NOT NULL,
  address    text,
  until      timestamptz NOT NULL
);
CREATE TABLE shard_lease (
  shard smallint PRIMARY KEY,
  owner text,
  epoch bigint   NOT NULL
) WITH (fillfactor = 50);
INSERT INTO shard_lease (shard, epoch) SELECT shard, 0 FROM generate_series(0, 255) AS shard;
`;
