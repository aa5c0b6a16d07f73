// How far the events of each portfolio are sealed by a hash chain.
export const sql = `
CREATE TABLE audit_seal (
  portfolio bigint  PRIMARY KEY,
  version   integer NOT NULL CHECK (version > 0),
  hash      text    NOT NULL
);
`;
