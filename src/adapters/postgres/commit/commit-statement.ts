// One statement, one round trip, one transaction for the turns of many callers: a caller's turns are written
// all or none, and a refused caller does not affect the others. Rows are locked or updated in the order given
// (ascending id), so two processes never deadlock.

import { shardOf } from '../../../core/ownership/shards.ts';
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { FillRow, PortfolioRow, Turn } from '../../../ports/ledger.ts';
import { storedStatus } from '../status-column.ts';
import type { BinaryArrays } from './binary-array.ts';
import { recordText } from './record-text.ts';

/** Of a turn that is committed under no lease. */
const NO_SHARD = -1;

/** The turns of one call, which are written or refused together. */
export type Call = readonly Turn[];

/** Separates the names of a list inside one text; no name may contain it. */
const SEPARATOR = '\u001f';

const TURN_COLUMNS = `id, call, from_version, version, key, account, type, status, strategy, note, uid,
  last_edited_uid, instruments, kinds, coin, submitted_at, updated_at, next_due_at, has_fills, record,
  events, tells, shard, lease_shard, lease_epoch, is_pending, has_company`;

/** True for the turns of calls that are not refused before anything is written; refusals are rare. */
const spared = (call: string): string => isNotIn('refused', call);

/** True for the turns of calls that are written. */
const isWritten = (call: string): string => isNotIn('left_out', call);

const isNotIn = (some: string, call: string): string =>
  `(${call} = ANY ((SELECT calls FROM ${some})::int4[])) IS NOT TRUE`;

/*
 * Turns of one call are locked before any is written, because all of them are refused if one is. A turn that has no such company
 * needs no lock, which is a record of the log: it is left out if the update finds another version.
 * `held` is a lateral sub-select so that its plan is always one index probe per turn, in turn order, whatever the planner
 * believes about the size of the tables; `moved` has that plan by the settings of the session. An id or key that another
 * transaction is just creating is not seen here; inserting it then fails as a whole (unique_violation), and the repeated
 * statement sees it. So does a fill that is there already, which hardly any is: with ON CONFLICT the log has a second record of
 * each, and only the repeated statement has it.
 * Leases are read without a lock, for what they say is advice: a lease that is taken in the same moment refuses the next
 * turn, and the version refuses what was decided on an old state.
 */
const statement = (repeated: '' | ' ON CONFLICT DO NOTHING'): string => `
WITH given AS MATERIALIZED (
  SELECT * FROM unnest(
    $2::int8[], $3::int4[], $4::int4[], $5::int4[], $6::text[], $7::text[], $8::text[], $9::int2[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
    $17::int8[], $18::int8[], $19::int8[], $20::bool[], $21::text[], $22::text[], $23::int4[], $24::int2[],
    $35::int2[], $36::int8[], $37::bool[], $38::bool[]
  ) AS t (${TURN_COLUMNS})
), held AS MATERIALIZED (
  SELECT t.call, t.id, t.from_version, p.version
  FROM given t CROSS JOIN LATERAL (
    SELECT version FROM portfolio WHERE portfolio.id = t.id FOR NO KEY UPDATE
  ) p
  WHERE t.has_company OR t.from_version = 0
), wrong AS MATERIALIZED (
  SELECT t.call, t.id, p.id AS holder, NULL::int2 AS shard
  FROM given t CROSS JOIN LATERAL (SELECT id FROM portfolio WHERE portfolio.key = t.key OFFSET 0) p
  WHERE t.key IS NOT NULL
  UNION ALL
  SELECT call, id, NULL, NULL FROM held WHERE version <> from_version
  UNION ALL
  SELECT t.call, t.id, NULL, NULL FROM given t
  LEFT JOIN LATERAL (SELECT true AS found FROM portfolio WHERE portfolio.id = t.id OFFSET 0) p ON true
  WHERE t.from_version > 0 AND t.has_company AND p.found IS NULL
  UNION ALL
  SELECT t.call, t.id, NULL, t.lease_shard FROM given t
  CROSS JOIN LATERAL (SELECT epoch FROM shard_lease WHERE shard = t.lease_shard OFFSET 0) l
  WHERE l.epoch <> t.lease_epoch
), refused AS MATERIALIZED (
  SELECT array_agg(call) AS calls FROM wrong
), created AS (
  INSERT INTO portfolio (id, version, key, account, type, status, strategy, note, uid, last_edited_uid,
    instruments, kinds, coin, submitted_at, updated_at, next_due_at, has_fills, shard, is_pending)
  SELECT id, version, key, account, type, status, strategy, note, uid, last_edited_uid,
    string_to_array(instruments, '${SEPARATOR}'), string_to_array(kinds, '${SEPARATOR}'), coin,
    submitted_at, updated_at, next_due_at, has_fills, shard, is_pending
  FROM given
  WHERE from_version = 0 AND ${spared('call')}
), moved AS (
  UPDATE portfolio p SET version = t.version, account = t.account, type = t.type, status = t.status,
    strategy = t.strategy, note = t.note, uid = t.uid, last_edited_uid = t.last_edited_uid,
    instruments = string_to_array(t.instruments, '${SEPARATOR}'),
    kinds = string_to_array(t.kinds, '${SEPARATOR}'), coin = t.coin, submitted_at = t.submitted_at,
    updated_at = t.updated_at, next_due_at = t.next_due_at, has_fills = t.has_fills, is_pending = t.is_pending
  FROM given t
  WHERE p.id = t.id AND t.from_version > 0 AND (t.has_company OR p.version = t.from_version)
    AND ${spared('t.call')}
  RETURNING p.id
), left_out AS MATERIALIZED (
  SELECT array_agg(call) AS calls FROM given
  WHERE CASE WHEN from_version > 0 THEN (id IN (SELECT id FROM moved)) IS NOT TRUE ELSE NOT (${spared('call')}) END
), described AS (
  INSERT INTO summary (portfolio, version, record)
  SELECT id, version, record::json FROM given
  WHERE from_version = 0 AND ${spared('call')}
), redescribed AS (
  UPDATE summary s SET record = t.record::json, version = t.version
  FROM given t
  WHERE s.portfolio = t.id AND t.from_version > 0 AND t.record IS NOT NULL
    AND ${isWritten('t.call')}
), said AS (
  INSERT INTO turn (portfolio, batch, version, size, events)
  SELECT id, $1::int8, version, version - from_version, events::json FROM given
  WHERE version > from_version AND ${isWritten('call')}
), booked AS (
  INSERT INTO fill (venue, currency, trade_id, portfolio, at, label, quantity, price, fee)
  SELECT f.venue, f.currency, f.trade_id, f.portfolio, f.at, f.label, f.quantity, f.price, f.fee
  FROM unnest($25::int8[], $26::int4[], $27::text[], $28::text[], $29::text[], $30::int8[],
    $31::text[], $32::text[], $33::text[], $34::text[])
    AS f (portfolio, call, venue, currency, trade_id, at, label, quantity, price, fee)
  WHERE ${isWritten('f.call')}${repeated}
), logged AS (
  INSERT INTO turn_log (position, at, portfolios, accounts, from_versions, versions, tells)
  SELECT pg_current_xact_id(), max(updated_at), array_agg(id), array_agg(account),
    array_agg(from_version), array_agg(version), array_agg(tells)
  FROM given
  WHERE tells > 0 AND ${isWritten('call')}
  HAVING count(*) > 0
)
SELECT call, id, holder, shard FROM wrong
UNION ALL
SELECT call, id, NULL, NULL FROM given
WHERE call = ANY ((SELECT calls FROM left_out)::int4[]) AND ${spared('call')}`;

export const COMMIT = { name: 'commit', text: statement('') };
/** Leaves out fills that are there: for a group that another transaction, or a fill, was in the way of. */
export const COMMIT_AGAIN = { name: 'commit again', text: statement(' ON CONFLICT DO NOTHING') };

/**
 * A turn that cannot be written: with a holder its key is used, with a shard its lease is of another epoch, without both
 * its portfolio has moved on.
 */
export interface Wrong {
  readonly call: number;
  readonly id: string;
  readonly holder: string | null;
  readonly shard: number | null;
}

export interface Batch {
  /** Identifies the events this batch writes. */
  readonly number: number;
  /** Encodes the parameters. */
  readonly arrays: BinaryArrays;
  readonly eventsText: (events: readonly PortfolioEvent[]) => string;
}

/** Parameters of {@link COMMIT}; calls are identified by their index. */
export function commitParameters(calls: readonly Call[], batch: Batch): unknown[] {
  const turns = calls
    .flatMap((call, index) => call.map((turn) => ({ turn, call: index })))
    .sort((a, b) => Number(a.turn.portfolio) - Number(b.turn.portfolio));
  const { number, arrays } = batch;
  return [
    number,
    ...turnArrays(turns, batch),
    ...fillArrays(turns, arrays),
    arrays.int2(turns.map(({ turn }) => turn.lease?.shard ?? NO_SHARD)),
    arrays.int8(turns.map(({ turn }) => turn.lease?.epoch)),
    arrays.bool(turns.map(({ turn }) => turn.isPending ?? false)),
    arrays.bool(turns.map(({ call }) => (calls[call]?.length ?? 0) > 1)),
  ];
}

interface Placed {
  readonly turn: Turn;
  readonly call: number;
}

function turnArrays(turns: readonly Placed[], { arrays, eventsText }: Batch): Buffer[] {
  const rowText = (of: (row: PortfolioRow) => string | undefined): Buffer =>
    arrays.text(turns.map(({ turn }) => of(turn.row)));
  return [
    arrays.int8(turns.map(({ turn }) => Number(turn.portfolio))),
    arrays.int4(turns.map(({ call }) => call)),
    arrays.int4(turns.map(({ turn }) => turn.fromVersion)),
    arrays.int4(turns.map(({ turn }) => turn.fromVersion + turn.events.length)),
    arrays.text(turns.map(({ turn }) => turn.key)),
    rowText((row) => row.account),
    rowText((row) => row.portfolioType),
    arrays.int2(turns.map(({ turn }) => storedStatus(turn.row.status))),
    rowText((row) => row.strategy),
    rowText((row) => row.note),
    rowText((row) => row.uid),
    rowText((row) => row.lastEditedUid),
    rowText((row) => row.instruments.join(SEPARATOR)),
    rowText((row) => row.kinds.join(SEPARATOR)),
    rowText((row) => row.coin),
    arrays.int8(turns.map(({ turn }) => turn.row.submittedAt)),
    arrays.int8(turns.map(({ turn }) => turn.row.updatedAt)),
    arrays.int8(turns.map(({ turn }) => turn.row.nextDueAt)),
    arrays.bool(turns.map(({ turn }) => turn.row.hasFills)),
    arrays.text(
      turns.map(({ turn }) =>
        turn.summaryMayWait === true ? undefined : recordText(turn.row.record),
      ),
    ),
    arrays.text(turns.map(({ turn }) => eventsText(turn.events))),
    arrays.int4(turns.map(({ turn }) => turn.tells ?? 0)),
    arrays.int2(turns.map(({ turn }) => turn.shard ?? shardOf(turn.row.account))),
  ];
}

function fillArrays(turns: readonly Placed[], arrays: BinaryArrays): Buffer[] {
  const fills = turns.flatMap(({ turn, call }) =>
    turn.fills.map((fill) => ({ fill, call, portfolio: Number(turn.portfolio) })),
  );
  const text = (of: (fill: FillRow) => string): Buffer =>
    arrays.text(fills.map(({ fill }) => of(fill)));
  return [
    arrays.int8(fills.map((f) => f.portfolio)),
    arrays.int4(fills.map((f) => f.call)),
    text((fill) => fill.venue),
    text((fill) => fill.currency),
    text((fill) => fill.tradeId),
    arrays.int8(fills.map((f) => f.fill.at)),
    text((fill) => fill.label),
    text((fill) => fill.quantity),
    text((fill) => fill.price),
    text((fill) => fill.fee),
  ];
}
