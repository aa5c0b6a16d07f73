// Snapshots of states: a cache beside the events, so that nothing depends on its rows.
export const sql = `
CREATE TABLE state_snapshot (
  portfolio bigint   PRIMARY KEY,
  version   integer  NOT NULL,
  format    smallint NOT NULL,
  state     text     NOT NULL
) WITH (fillfactor = 70);
`;
