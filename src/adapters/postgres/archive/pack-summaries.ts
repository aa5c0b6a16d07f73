// Packs the summaries of archived portfolios: many in one row, which the database compresses together, and each is still read by
// itself. A turn that is committed for such a portfolio later writes its summary alongside the pack, as for any other.
import type { Client } from 'pg';
import type { DayName } from '../../../ports/archive/submit-day.ts';
import { idsOf } from './day-source.ts';

/** A page of a list reads some fifty packs at most; larger ones are smaller by little and take longer to read. */
const SUMMARIES_A_PACK = 32;

/** One pack, and what points into it, are written together or not at all. */
const PACK = `
WITH chosen AS MATERIALIZED (
  SELECT portfolio, record FROM summary
  WHERE portfolio >= $1 AND portfolio < $2 AND json_typeof(record) = 'object' ORDER BY portfolio LIMIT $3 FOR UPDATE
), placed AS MATERIALIZED (
  SELECT portfolio, record, row_number() OVER (ORDER BY portfolio) AS place FROM chosen
), pack AS (
  INSERT INTO summary_pack (records) SELECT array_agg(record::text ORDER BY place) FROM placed HAVING count(*) > 0
  RETURNING number
)
UPDATE summary SET record = json_build_array(pack.number, placed.place) FROM pack, placed
WHERE summary.portfolio = placed.portfolio`;

/** Packs what is not packed of a day that is archived. Interrupted, it is continued where it was. */
export async function packSummaries(client: Client, day: DayName): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(PACK, [...idsOf(day), SUMMARIES_A_PACK]);
    if (rowCount === 0) break;
  }
  await client.query('UPDATE archived_day SET is_packed = true WHERE day = $1', [day]);
}

/** As gentle as the server is by itself. A table that somebody else works on is left to the next run. */
const VACUUM = 'VACUUM (SKIP_LOCKED, TRUNCATE false) portfolio, summary, fill, event_row';

/**
 * Has the space of what was deleted and packed used again. By itself the server begins once a share of a table is free, and
 * tables of years are so large that this share would be weeks of it.
 */
export async function reuseSpace(client: Client): Promise<void> {
  await client.query("SET vacuum_cost_delay = '2ms'");
  await client.query(VACUUM);
}
