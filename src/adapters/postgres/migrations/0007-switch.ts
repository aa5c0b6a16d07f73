// Every setting of every trading switch. Numbers have no gaps: a reader that has one has all before it.
export const sql = `
CREATE TABLE switch_setting (
  number   integer PRIMARY KEY,
  scope    text    NOT NULL CHECK (scope IN ('deployment', 'account', 'strategy', 'portfolio')),
  name     text    NOT NULL,
  state    text    NOT NULL CHECK (state IN ('active', 'reducing', 'halted')),
  uid      text    NOT NULL,
  nickname text    NOT NULL,
  reason   text    NOT NULL,
  at       bigint  NOT NULL
);
`;
