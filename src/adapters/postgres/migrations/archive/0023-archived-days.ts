// Days whose events were written to the archive and are no longer in the database, and by which digest and chain their
// files are recognized. Fills get an index by portfolio that costs next to nothing, so that those of a day are found.
export const sql = `
CREATE TABLE archived_day (
  day         text    PRIMARY KEY CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  portfolios  integer NOT NULL,
  events      bigint  NOT NULL,
  head        text    NOT NULL,
  digest      text    NOT NULL,
  archived_at bigint  NOT NULL,
  is_cleared  boolean NOT NULL DEFAULT false
);
COMMENT ON COLUMN archived_day.day IS 'UTC, of the submit of the portfolios';
COMMENT ON COLUMN archived_day.head IS 'hash over the last hash of the chain of each portfolio';
COMMENT ON COLUMN archived_day.digest IS 'SHA-256 of the manifest of the day';
COMMENT ON COLUMN archived_day.is_cleared IS 'false until the rows outside the partitions of the day are deleted too';
CREATE INDEX fill_by_portfolio ON fill USING brin (portfolio);
`;
