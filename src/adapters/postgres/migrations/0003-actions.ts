// The audit trail of manual actions. Append-only, written by one lane of each process.
export const sql = `
CREATE TABLE action (
  seq        bigint GENERATED ALWAYS AS IDENTITY (CACHE 32) PRIMARY KEY,
  at         bigint NOT NULL,
  key_id     text   NOT NULL,
  uid        text   NOT NULL,
  nickname   text   NOT NULL,
  address    text   NOT NULL,
  method     text   NOT NULL,
  account    text   NOT NULL,
  instrument text,
  label      text,
  order_id   text,
  outcome    text   NOT NULL
);
CREATE INDEX action_by_time ON action USING brin (at);
`;
