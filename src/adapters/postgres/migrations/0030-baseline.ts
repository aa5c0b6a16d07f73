// The schema that every ledger begins with. Versions before 1.0.0 reached it in steps 1 to 30, so it has their number.
//
// Columns that a turn changes have no index, so that its update stays within the page (heap-only) and touches none:
// `next_due_at` and `updated_at` are not indexed. An instant is a bigint of Unix milliseconds, unless its type is timestamptz.

/** What is known of a market at an instant; NULL = unknown. */
const MARKET = `
  bid        numeric,
  bid_size   numeric,
  ask        numeric,
  ask_size   numeric,
  last       numeric,
  mark       numeric,
  index      numeric,
  underlying numeric,
  mark_iv    double precision,
  delta      double precision,
  gamma      double precision,
  vega       double precision,
  theta      double precision,
  age_ms     integer`;

// The columns that a turn changes stand together at the end: the log of an update gets what lies between the first and the
// last difference of the old row and the new one. `due_from`, the start of the ten minutes in which a portfolio is due, is
// indexed in place of `next_due_at`, because it changes once in many turns; the search for overdue portfolios reads no others.
const PORTFOLIOS = `
CREATE TABLE portfolio (
  id              bigint   PRIMARY KEY,
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
  key             text     UNIQUE,
  place           bigint,
  due_from        bigint   GENERATED ALWAYS AS (next_due_at - next_due_at % 600000) STORED,
  shard           smallint NOT NULL,
  is_pending      boolean  NOT NULL DEFAULT false,
  version         integer  NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX portfolio_by_account ON portfolio (account, submitted_at DESC, id DESC);
CREATE INDEX portfolio_at_work ON portfolio (shard, id) WHERE status IN (1, 4);
CREATE INDEX portfolio_due ON portfolio (due_from) WHERE status IN (1, 4);
CREATE INDEX portfolio_at_work_by_account ON portfolio (account, submitted_at, id) INCLUDE (status) WHERE status IN (1, 4);
CREATE UNIQUE INDEX portfolio_by_place ON portfolio (place) WHERE place IS NOT NULL;
CREATE INDEX portfolio_ended_without_place ON portfolio (id) WHERE place IS NULL AND status IN (2, 3);
`;

// Ended portfolios get a place, so that indexes outside the database know which ones they contain. One that changes after
// all loses its place, which is recorded as a hole, and gets another later. An active portfolio has none, so a turn never
// changes a place. The trigger fires after the update: one before it would have each row locked first, which is a record of
// its own in the log.
const PLACES = `
CREATE TABLE page_hole (
  place bigint PRIMARY KEY
);
CREATE FUNCTION portfolio_loses_place() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO page_hole (place) VALUES (OLD.place) ON CONFLICT DO NOTHING;
  UPDATE portfolio SET place = NULL WHERE id = OLD.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER portfolio_changes_after_all AFTER UPDATE ON portfolio FOR EACH ROW
  WHEN (OLD.place IS NOT NULL AND NEW.version <> OLD.version)
  EXECUTE FUNCTION portfolio_loses_place();
`;

// Summaries have a table of their own, so that searches over portfolios read rows of a hundred bytes, not of thousands. They
// are also written behind the commit: `version` is that of the portfolio that a summary describes. Those of archived days lie
// together in packs, where they take a fraction of the space.
const SUMMARIES = `
CREATE TABLE summary (
  portfolio bigint  PRIMARY KEY,
  record    json    NOT NULL,
  version   integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON COLUMN summary.record IS 'the summary, or [number of its pack, place in it from 1]: read it through summary_record';
CREATE TABLE summary_pack (
  number  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  records text[] NOT NULL
);
COMMENT ON COLUMN summary_pack.records IS 'JSON of each summary, in order of portfolio';
CREATE FUNCTION summary_record(record json) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE json_typeof(record) WHEN 'array' THEN (
  SELECT pack.records[(record->>1)::integer]::json FROM summary_pack AS pack WHERE pack.number = (record->>0)::bigint
) ELSE record END;
`;

// One row per turn with its events, in partitions by the UTC day of submit: ids begin with the instant of the submit, so a
// range of ids is a day, and a portfolio is in one partition for its life. Partitions are created ahead by the program; what
// has none is in `turn_other`. The names of an event's fields are stored once, as its shape: in a turn, an event is a list of
// the shape's number and the values, or an object. `event_row` has the events that versions before stored, one each; nothing
// is added to it. The view shows every event of both as an object, character by character as it was written.
const EVENTS = `
CREATE TABLE turn (
  portfolio bigint  NOT NULL,
  batch     bigint  NOT NULL,
  version   integer NOT NULL,
  size      integer NOT NULL CHECK (size > 0),
  events    json    NOT NULL,
  PRIMARY KEY (portfolio, version)
) PARTITION BY RANGE (portfolio);
COMMENT ON COLUMN turn.batch IS 'drawn for every transaction: tells whose commit it was when the answer was lost';
COMMENT ON COLUMN turn.version IS 'of the portfolio after the turn';
COMMENT ON COLUMN turn.size IS 'number of events';
CREATE TABLE turn_other PARTITION OF turn DEFAULT;

CREATE TABLE event_shape (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  names  text NOT NULL UNIQUE
);
COMMENT ON COLUMN event_shape.names IS 'a JSON list: the kind, then the names of the fields after it, in order';

CREATE TABLE event_row (
  seq       bigint  GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME event_seq_seq CACHE 32),
  batch     bigint  NOT NULL,
  portfolio bigint  NOT NULL,
  at        bigint  NOT NULL,
  version   integer NOT NULL,
  kind      text    NOT NULL,
  data      json    NOT NULL,
  CONSTRAINT event_pkey PRIMARY KEY (portfolio, version)
);
COMMENT ON COLUMN event_row.seq IS 'unique; about the order of commits, not exactly';
COMMENT ON COLUMN event_row.batch IS 'drawn for every transaction: tells whose commit it was when the answer was lost';

CREATE VIEW event AS
SELECT portfolio, version, at, kind, data, batch FROM event_row
UNION ALL
SELECT turn.portfolio, (turn.version - turn.size + stored.place)::integer, (one.data->>'at')::bigint,
  one.data->>'kind', one.data, turn.batch
FROM turn
CROSS JOIN LATERAL json_array_elements(turn.events) WITH ORDINALITY AS stored (data, place)
CROSS JOIN LATERAL (
  SELECT CASE json_typeof(stored.data) WHEN 'object' THEN stored.data ELSE (
    SELECT concat('{"kind":', shape.names::json->0,
      string_agg(concat(',', field.name, ':', given.value), '' ORDER BY given.place), '}')::json
    FROM event_shape AS shape
    CROSS JOIN LATERAL json_array_elements(stored.data) WITH ORDINALITY AS given (value, place)
    JOIN LATERAL json_array_elements(shape.names::json) WITH ORDINALITY AS field (name, place)
      ON field.place = given.place
    WHERE shape.number = (stored.data->>0)::integer AND given.place > 1
    GROUP BY shape.number
  ) END AS data
  OFFSET 0
) AS one;
`;

// Snapshots are a cache of states alongside the events: nothing depends on their rows. Both sides of a trade between two
// portfolios are fills, so the label belongs to the key.
const STATES_AND_FILLS = `
CREATE TABLE state_snapshot (
  portfolio bigint   PRIMARY KEY,
  version   integer  NOT NULL,
  format    smallint NOT NULL,
  state     text     NOT NULL
) WITH (fillfactor = 70);

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
  PRIMARY KEY (venue, currency, trade_id, label)
);
CREATE INDEX fill_by_portfolio ON fill USING brin (portfolio);

CREATE TABLE mark (
  name  text PRIMARY KEY,
  value text NOT NULL
);
`;

// One row per transaction: the turns it wrote that carry news. Its position is the transaction number, from which a reader
// knows that no earlier one is still in flight. The first row marks the beginning.
const TURN_LOG = `
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

// The daemons of a deployment, and which of them owns which shard; the epoch of a lease is checked by every commit.
const SHARDS = `
CREATE TABLE member (
  name       text        PRIMARY KEY,
  is_leaving boolean     NOT NULL,
  address    text,
  until      timestamptz NOT NULL
);
CREATE TABLE shard_lease (
  shard smallint PRIMARY KEY,
  owner text,
  epoch bigint   NOT NULL
) WITH (fillfactor = 50);
INSERT INTO shard_lease (shard, epoch) SELECT shard, 0 FROM generate_series(0, 255) AS shard;
`;

// Claims of one-time keys, in four tables that take turns by the period in which a claim ends: those of a period that is over
// are removed together. A table is not cleared while one of its claims is live by the clock of the caller, nor while anyone,
// a backup for example, reads it: others would wait behind the lock. `kept_answer` has first replies to requests with an
// idempotency key; `answer` is NULL while the first request is in progress.
const REQUESTS = `
${[0, 1, 2, 3]
  .map(
    (table) => `CREATE TABLE claim_${table} (
  key   text   COLLATE "C" PRIMARY KEY,
  until bigint NOT NULL
) WITH (autovacuum_enabled = false);`,
  )
  .join('\n')}
CREATE FUNCTION clear_claims(which integer, at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_live boolean;
BEGIN
  IF pg_relation_size(format('claim_%s', which)::regclass) = 0 THEN RETURN; END IF;
  EXECUTE format('LOCK TABLE claim_%s IN ACCESS EXCLUSIVE MODE NOWAIT', which);
  EXECUTE format('SELECT EXISTS (SELECT FROM claim_%s WHERE until > $1)', which) INTO is_live USING at;
  IF NOT is_live THEN EXECUTE format('TRUNCATE claim_%s', which); END IF;
EXCEPTION WHEN lock_not_available THEN NULL;
END
$$;

CREATE TABLE kept_answer (
  key    text   PRIMARY KEY,
  digest text   NOT NULL,
  until  bigint NOT NULL,
  answer text
);
CREATE INDEX kept_answer_by_end ON kept_answer (until);
`;

// Market-maker protection per account and kind (orders, Block RFQs): the state, its events, and the counted trades, which are
// deleted after two days.
const PROTECTION = `
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

// Every setting of every trading switch. Numbers have no gaps: a reader that has one has all before it.
const SWITCHES = `
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

// API keys with sealed secrets, and every grant that a key has had. The single row of `api_key_version` is incremented with
// every change, in the same statement, so that changes become visible in the order of their numbers.
const KEYS = `
CREATE TABLE api_key (
  id              text     PRIMARY KEY,
  uid             text     NOT NULL,
  nickname        text     NOT NULL,
  accounts        text[]   NOT NULL,
  scopes          text[]   NOT NULL,
  maker_alias     text,
  bind_body       boolean  NOT NULL,
  addresses       text[]   NOT NULL,
  created_at      bigint   NOT NULL,
  expires_at      bigint,
  generation      integer  NOT NULL DEFAULT 1,
  sealed          text     NOT NULL,
  previous_sealed text,
  previous_until  bigint,
  revoked_at      bigint,
  CHECK ((previous_sealed IS NULL) = (previous_until IS NULL))
);
CREATE TABLE api_key_version (
  version bigint NOT NULL
);
INSERT INTO api_key_version (version) VALUES (1);
CREATE UNIQUE INDEX api_key_version_is_one ON api_key_version ((true));
CREATE TABLE key_change (
  number bigint PRIMARY KEY,
  id     text   NOT NULL,
  grants jsonb  NOT NULL
);
COMMENT ON COLUMN key_change.number IS 'the version of the keys that the change made';
COMMENT ON COLUMN key_change.grants IS 'the row of the key after the change, with digests of its sealed secrets';
`;

// The trail of manual actions, append-only; the hash chain that seals the events of each portfolio; the position of each
// account when its record last agreed with its venue.
const AUDIT = `
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
CREATE INDEX action_by_account ON action (account, at, seq);

CREATE TABLE audit_seal (
  portfolio bigint  PRIMARY KEY,
  version   integer NOT NULL CHECK (version > 0),
  hash      text    NOT NULL
);
CREATE TABLE audit_baseline (
  account   text   PRIMARY KEY,
  at        bigint NOT NULL,
  positions json   NOT NULL
);
`;

// Signed heads of the ledger and the portfolios they cover. A head that is here and not at a witness yet is sent again.
const WITNESSES = `
CREATE TABLE witness_head (
  number  bigint PRIMARY KEY CHECK (number > 0),
  at      bigint NOT NULL,
  line    text   NOT NULL,
  actions text   NOT NULL
);
COMMENT ON COLUMN witness_head.actions IS 'multirange of the numbers of all actions in this head and those before it';
CREATE TABLE witnessed (
  portfolio bigint  PRIMARY KEY,
  version   integer NOT NULL,
  hash      text    NOT NULL
) WITH (fillfactor = 70);
CREATE TABLE witness_delivery (
  witness text   PRIMARY KEY,
  number  bigint NOT NULL
);
`;

// Days whose events were written to the archive and are no longer in the database, and by which digest and chain their files
// are recognized.
const ARCHIVE = `
CREATE TABLE archived_day (
  day         text    PRIMARY KEY CHECK (day ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
  portfolios  integer NOT NULL,
  events      bigint  NOT NULL,
  head        text    NOT NULL,
  digest      text    NOT NULL,
  archived_at bigint  NOT NULL,
  is_cleared  boolean NOT NULL DEFAULT false,
  is_packed   boolean NOT NULL DEFAULT false
);
COMMENT ON COLUMN archived_day.day IS 'UTC, of the submit of the portfolios';
COMMENT ON COLUMN archived_day.head IS 'hash over the last hash of the chain of each portfolio';
COMMENT ON COLUMN archived_day.digest IS 'SHA-256 of the manifest of the day';
COMMENT ON COLUMN archived_day.is_cleared IS 'false until the rows outside the partitions of the day are deleted too';
COMMENT ON COLUMN archived_day.is_packed IS 'false until the summaries of the day are in packs';
`;

// What reports on execution costs are made from: markets second by second, in partitions by their UTC day, and markets at the
// events of portfolios, in partitions by the day of submit as turns are. Written apart from turns, and never needed to trade:
// rows may be missing. The funding rate of perpetuals is a fraction in eight hours.
const COSTS = `
CREATE TABLE market_second (
  venue      text   NOT NULL,
  instrument text   NOT NULL,
  second     bigint NOT NULL,
  at         bigint NOT NULL,${MARKET} NOT NULL,
  volume       numeric,
  funding_rate double precision,
  PRIMARY KEY (venue, instrument, second)
) PARTITION BY RANGE (second);
COMMENT ON COLUMN market_second.second IS 'start of the second in epoch milliseconds, on the clock of the venue';
COMMENT ON COLUMN market_second.at IS 'when it was seen, on the same clock';
COMMENT ON COLUMN market_second.volume IS 'traded by everybody since the second before, in the amount unit';
CREATE TABLE market_second_other PARTITION OF market_second DEFAULT;

CREATE TABLE leg_moment (
  portfolio bigint  NOT NULL,
  version   integer NOT NULL,
  leg       integer NOT NULL,
  at        bigint  NOT NULL,${MARKET},
  expected_bps          double precision,
  expected_fee          numeric,
  expected_fee_currency text,
  funding_rate          double precision,
  PRIMARY KEY (portfolio, version, leg)
) PARTITION BY RANGE (portfolio);
COMMENT ON COLUMN leg_moment.version IS 'number of the event in the history of its portfolio, from 1';
COMMENT ON COLUMN leg_moment.age_ms IS 'NULL = nothing was known of the market';
CREATE TABLE leg_moment_other PARTITION OF leg_moment DEFAULT;
`;

// Happenings that people are notified of, and the notices of them that wait for a channel or were sent. A key returns as
// another episode if the same happens again.
const NOTICES = `
CREATE TABLE happening (
  number  bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key     text    NOT NULL,
  episode integer NOT NULL,
  at      bigint  NOT NULL,
  body    json    NOT NULL,
  UNIQUE (key, episode)
);
CREATE TABLE notice (
  channel   text   NOT NULL,
  happening bigint NOT NULL REFERENCES happening (number) ON DELETE CASCADE,
  outcome   text   CHECK (outcome IN ('sent', 'dropped')),
  PRIMARY KEY (channel, happening)
);
COMMENT ON COLUMN notice.outcome IS 'null while it waits';
CREATE INDEX notice_waiting ON notice (channel, happening) WHERE outcome IS NULL;
CREATE INDEX notice_of_happening ON notice (happening);
CREATE TABLE notice_cursor (
  source   text PRIMARY KEY,
  position text NOT NULL
);
CREATE TABLE notice_lead (
  single boolean     PRIMARY KEY DEFAULT true CHECK (single),
  member text        NOT NULL,
  until  timestamptz NOT NULL
);
`;

// Sessions of the page and its one-time codes. Secrets are stored as digests: who reads the tables cannot use a session. A
// session that a proxy opened for a person it has signed in ends when the proxy names another.
const PAGE_SESSIONS = `
CREATE TABLE page_session (
  id         text    PRIMARY KEY,
  digest     text    NOT NULL UNIQUE,
  key_id     text    NOT NULL,
  generation integer NOT NULL,
  scopes     text[]  NOT NULL,
  address    text    NOT NULL,
  agent      text    NOT NULL,
  opened_at  bigint  NOT NULL,
  used_at    bigint  NOT NULL,
  ends_at    bigint  NOT NULL,
  person     text
);
CREATE TABLE page_code (
  digest     text    PRIMARY KEY,
  purpose    text    NOT NULL CHECK (purpose IN ('open', 'confirm')),
  key_id     text    NOT NULL,
  generation integer NOT NULL,
  scopes     text[]  NOT NULL,
  until      bigint  NOT NULL
);
`;

export const sql = [
  PORTFOLIOS,
  PLACES,
  SUMMARIES,
  EVENTS,
  STATES_AND_FILLS,
  TURN_LOG,
  SHARDS,
  REQUESTS,
  PROTECTION,
  SWITCHES,
  KEYS,
  AUDIT,
  WITNESSES,
  ARCHIVE,
  COSTS,
  NOTICES,
  PAGE_SESSIONS,
].join('');
