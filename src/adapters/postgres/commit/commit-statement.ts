// One statement, one round trip, one transaction for the turns of many callers: a caller's turns are written
// all or none, and a refused caller does not affect the others. Rows are locked in the order given (ascending
// id), so two processes never deadlock.
import type { FillRow, PortfolioRow, Turn } from '../../../ports/ledger.ts';
import { storedStatus } from '../status-column.ts';
import type { BinaryArrays } from './binary-array.ts';

/** The turns of one call, which are written or refused together. */
export type Call = readonly Turn[];

/** Separates the names of a list inside one text; no name may contain it. */
const SEPARATOR = '\u001f';

const TURN_COLUMNS = `id, call, from_version, version, key, account, type, status, strategy, note, uid,
  last_edited_uid, instruments, kinds, coin, submitted_at, updated_at, next_due_at, has_fills, record,
  tells`;

/** True for the turns of calls that are not refused; refusals are rare. */
const spared = (call: string): string =>
  `(${call} = ANY ((SELECT calls FROM refused)::int4[])) IS NOT TRUE`;

/*
 * `held` is a lateral sub-select so that its plan is always one index probe per turn, in turn order,
 * whatever the planner believes about the size of the tables. An id or key that another transaction is just
 * creating is not seen here; inserting it then fails as a whole (unique_violation), and the repeated
 * statement sees it.
 */
export const COMMIT = `
WITH turn AS MATERIALIZED (
  SELECT * FROM unnest(
    $2::int8[], $3::int4[], $4::int4[], $5::int4[], $6::text[], $7::text[], $8::text[], $9::int2[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[],
    $17::int8[], $18::int8[], $19::int8[], $20::bool[], $21::text[],
    $38::int4[]
  ) AS t (${TURN_COLUMNS})
), held AS MATERIALIZED (
  SELECT t.call, t.id, t.from_version, p.version
  FROM turn t CROSS JOIN LATERAL (
    SELECT version FROM portfolio WHERE portfolio.id = t.id FOR NO KEY UPDATE
  ) p
), wrong AS MATERIALIZED (
  SELECT t.call, t.id, p.id AS holder
  FROM turn t CROSS JOIN LATERAL (SELECT id FROM portfolio WHERE portfolio.key = t.key OFFSET 0) p
  WHERE t.key IS NOT NULL
  UNION ALL
  SELECT call, id, NULL FROM held WHERE version <> from_version
  UNION ALL
  SELECT t.call, t.id, NULL FROM turn t
  LEFT JOIN LATERAL (SELECT true AS found FROM portfolio WHERE portfolio.id = t.id OFFSET 0) p ON true
  WHERE t.from_version > 0 AND p.found IS NULL
), refused AS MATERIALIZED (
  SELECT array_agg(call) AS calls FROM wrong
), created AS (
  INSERT INTO portfolio (id, version, key, account, type, status, strategy, note, uid, last_edited_uid,
    instruments, kinds, coin, submitted_at, updated_at, next_due_at, has_fills)
  SELECT id, version, key, account, type, status, strategy, note, uid, last_edited_uid,
    string_to_array(instruments, '${SEPARATOR}'), string_to_array(kinds, '${SEPARATOR}'), coin,
    submitted_at, updated_at, next_due_at, has_fills
  FROM turn
  WHERE from_version = 0 AND ${spared('call')}
), moved AS (
  UPDATE portfolio p SET version = t.version, account = t.account, type = t.type, status = t.status,
    strategy = t.strategy, note = t.note, uid = t.uid, last_edited_uid = t.last_edited_uid,
    instruments = string_to_array(t.instruments, '${SEPARATOR}'),
    kinds = string_to_array(t.kinds, '${SEPARATOR}'), coin = t.coin, submitted_at = t.submitted_at,
    updated_at = t.updated_at, next_due_at = t.next_due_at, has_fills = t.has_fills
  FROM turn t
  WHERE p.id = t.id AND t.from_version > 0
    AND ${spared('t.call')}
), described AS (
  INSERT INTO summary (portfolio, record)
  SELECT id, record::json FROM turn
  WHERE from_version = 0 AND ${spared('call')}
), redescribed AS (
  UPDATE summary s SET record = t.record::json
  FROM turn t
  WHERE s.portfolio = t.id AND t.from_version > 0
    AND ${spared('t.call')}
), said AS (
  INSERT INTO event (batch, portfolio, version, at, kind, data)
  SELECT $1::int8, e.portfolio, e.version, e.at, e.kind, e.data::json
  FROM unnest($22::int8[], $23::int4[], $24::int4[], $25::int8[], $26::text[], $27::text[])
    AS e (portfolio, call, version, at, kind, data)
  WHERE ${spared('e.call')}
), booked AS (
  INSERT INTO fill (venue, currency, trade_id, portfolio, at, label, quantity, price, fee)
  SELECT f.venue, f.currency, f.trade_id, f.portfolio, f.at, f.label, f.quantity, f.price, f.fee
  FROM unnest($28::int8[], $29::int4[], $30::text[], $31::text[], $32::text[], $33::int8[],
    $34::text[], $35::text[], $36::text[], $37::text[])
    AS f (portfolio, call, venue, currency, trade_id, at, label, quantity, price, fee)
  WHERE ${spared('f.call')}
  ON CONFLICT DO NOTHING
), logged AS (
  INSERT INTO turn_log (position, at, portfolios, accounts, from_versions, versions, tells)
  SELECT pg_current_xact_id(), max(updated_at), array_agg(id), array_agg(account),
    array_agg(from_version), array_agg(version), array_agg(tells)
  FROM turn
  WHERE tells > 0 AND ${spared('call')}
  HAVING count(*) > 0
)
SELECT call, id, holder FROM wrong`;

/** A turn that cannot be written: with a holder its key is used, without one its portfolio has moved on. */
export interface Wrong {
  readonly call: number;
  readonly id: string;
  readonly holder: string | null;
}

export interface Batch {
  /** Identifies the events this batch writes. */
  readonly number: number;
  /** Encodes the parameters. */
  readonly arrays: BinaryArrays;
}

/** Parameters of {@link COMMIT}; calls are identified by their index. */
export function commitParameters(calls: readonly Call[], { number, arrays }: Batch): unknown[] {
  const turns = calls
    .flatMap((call, index) => call.map((turn) => ({ turn, call: index })))
    .sort((a, b) => Number(a.turn.portfolio) - Number(b.turn.portfolio));
  const tells = arrays.int4(turns.map(({ turn }) => turn.tells ?? 0));
  return [
    number,
    ...turnArrays(turns, arrays),
    ...eventArrays(turns, arrays),
    ...fillArrays(turns, arrays),
    tells,
  ];
}

interface Placed {
  readonly turn: Turn;
  readonly call: number;
}

function turnArrays(turns: readonly Placed[], arrays: BinaryArrays): Buffer[] {
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
    rowText((row) => JSON.stringify(row.record)),
  ];
}

function eventArrays(turns: readonly Placed[], arrays: BinaryArrays): Buffer[] {
  const events = turns.flatMap(({ turn, call }) =>
    turn.events.map((event, index) => ({
      event,
      call,
      portfolio: Number(turn.portfolio),
      version: turn.fromVersion + index + 1,
    })),
  );
  return [
    arrays.int8(events.map((e) => e.portfolio)),
    arrays.int4(events.map((e) => e.call)),
    arrays.int4(events.map((e) => e.version)),
    arrays.int8(events.map((e) => e.event.at)),
    arrays.text(events.map((e) => e.event.kind)),
    arrays.text(events.map((e) => JSON.stringify(e.event))),
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
