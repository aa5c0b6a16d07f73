// The ledger's tables. Columns that a turn changes have no index, so that its update stays within the page
// (heap-only) and touches none: `next_due_at` and `updated_at` are therefore not indexed. Summaries have a
// table of their own, so that searches over portfolios read rows of a hundred bytes, not of thousands.
export const sql = `
CREATE TABLE portfolio (
  id              bigint   PRIMARY KEY,
  version         integer  NOT NULL,
  account         text     NOT NULL,
  type            text     NOT NULL,
  status          smallint NOT NULL CHECK (status IN (1, 2, 3, 4)),
  strategy        text,
  note            text     NOT NULL,
  uid             text     NOT NULL,
  last_edited_uid text     NOT NULL,
  instruments     text[]   NOT NULL,
  kinds           text[]   NOT NULL,
  coin            text     NOT NULL,
  submitted_at    bigint   NOT NULL,
  updated_at      bigint   NOT NULL,
  next_due_at     bigint,
  has_fills       boolean  NOT NULL,
  key             text     UNIQUE
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX portfolio_by_account ON portfolio (account, submitted_at DESC, id DESC);
CREATE INDEX portfolio_at_work ON portfolio (id) WHERE status IN (1, 4);

CREATE TABLE summary (
  portfolio bigint PRIMARY KEY,
  record    json   NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE event (
  seq       bigint  GENERATED ALWAYS AS IDENTITY (CACHE 32),
  batch     bigint  NOT NULL,
  portfolio bigint  NOT NULL,
  at        bigint  NOT NULL,
  version   integer NOT NULL,
  kind      text    NOT NULL,
  data      json    NOT NULL,
  PRIMARY KEY (portfolio, version)
);
COMMENT ON COLUMN event.seq IS 'unique; about the order of commits, not exactly';
COMMENT ON COLUMN event.batch IS 'drawn for every transaction: tells whose commit it was when the answer was lost';

CREATE TABLE fill (
  venue     text   NOT NULL,
  currency  text   NOT NULL,
  trade_id  text   NOT NULL,
  portfolio bigint NOT NULL,
  at        bigint NOT NULL,
  label     text   NOT NULL,
  quantity  text   NOT NULL,
  price     text   NOT NULL,
  fee       text   NOT NULL,
  PRIMARY KEY (venue, currency, trade_id)
);

CREATE TABLE mark (
  name  text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE claim (
  key   text   PRIMARY KEY,
  until bigint NOT NULL
);
CREATE INDEX claim_by_end ON claim (until);
`;
