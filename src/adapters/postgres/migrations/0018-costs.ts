// What reports on execution costs are made from: markets second by second, in partitions by their UTC day, and markets at
// the events of portfolios, in partitions by the day of submit as turns are. Written apart from turns, and never needed to
// trade: rows may be missing. NULL = unknown.
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

export const sql = `
CREATE TABLE market_second (
  venue      text   NOT NULL,
  instrument text   NOT NULL,
  second     bigint NOT NULL,
  at         bigint NOT NULL,${MARKET} NOT NULL,
  volume     numeric,
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
  PRIMARY KEY (portfolio, version, leg)
) PARTITION BY RANGE (portfolio);
COMMENT ON COLUMN leg_moment.version IS 'number of the event in the history of its portfolio, from 1';
COMMENT ON COLUMN leg_moment.age_ms IS 'NULL = nothing was known of the market';
CREATE TABLE leg_moment_other PARTITION OF leg_moment DEFAULT;
`;
