// One row a transaction: the turns it wrote that have something to tell. Its place is the number of the
// transaction, for that is how one knows that no earlier one is still under way. The first row stands for
// the beginning.
export const sql = `
CREATE TABLE turn_log (
  position      xid8      PRIMARY KEY,
  at            bigint    NOT NULL,
  portfolios    bigint[]  NOT NULL,
  accounts      text[]    NOT NULL,
  from_versions integer[] NOT NULL,
  versions      integer[] NOT NULL,
  tells         integer[] NOT NULL
);
INSERT INTO turn_log VALUES ('0', 0, '{}', '{}', '{}', '{}', '{}');
`;
