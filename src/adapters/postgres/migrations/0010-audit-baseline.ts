// The position of each account when its record last agreed with its venue.
export const sql = `
CREATE TABLE audit_baseline (
  account   text   PRIMARY KEY,
  at        bigint NOT NULL,
  positions json   NOT NULL
);
`;
