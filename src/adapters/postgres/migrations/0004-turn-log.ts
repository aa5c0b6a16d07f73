// One row per transaction: the turns it wrote that carry news. Its position is the transaction number, from
// which a reader knows that no earlier one is still in flight. The first row marks the beginning.
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
