// Markets at the instants that cost reports need to the millisecond, in partitions by their UTC day.
export const sql = `
CREATE TABLE market_instant (
  venue         text   NOT NULL,
  instrument    text   NOT NULL,
  at            bigint NOT NULL,
  bid           numeric,
  ask           numeric,
  counted_since bigint,
  volume        numeric,
  value         numeric,
  PRIMARY KEY (venue, instrument, at)
) PARTITION BY RANGE (at);
COMMENT ON COLUMN market_instant.at IS 'end of this millisecond, on the clock of the venue';
COMMENT ON COLUMN market_instant.counted_since IS 'NULL = trades were not counted';
COMMENT ON COLUMN market_instant.volume IS 'traded by everybody up to then; only counts with the same counted_since are comparable';
COMMENT ON COLUMN market_instant.value IS 'sum of price times size of that volume';
CREATE TABLE market_instant_other PARTITION OF market_instant DEFAULT;
`;
