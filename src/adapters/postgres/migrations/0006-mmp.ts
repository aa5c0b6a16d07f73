// Market-maker protection per account and kind (orders, Block RFQs): the state, its events, and the counted
// trades, which are deleted after two days.
export const sql = `
CREATE TABLE mmp_state (
  account text    NOT NULL,
  kind    text    NOT NULL,
  version integer NOT NULL,
  state   jsonb   NOT NULL,
  PRIMARY KEY (account, kind)
);
CREATE TABLE mmp_event (
  account text    NOT NULL,
  kind    text    NOT NULL,
  version integer NOT NULL,
  data    jsonb   NOT NULL,
  PRIMARY KEY (account, kind, version)
);
CREATE TABLE mmp_trade (
  account text   NOT NULL,
  kind    text   NOT NULL,
  trade   text   NOT NULL,
  at      bigint NOT NULL,
  PRIMARY KEY (account, kind, trade)
);
CREATE INDEX mmp_trade_by_time ON mmp_trade (at);
CREATE INDEX mmp_trade_latest ON mmp_trade (account, kind, at DESC);
`;
