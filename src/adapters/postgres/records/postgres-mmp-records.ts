// Market-maker protection in PostgreSQL. One statement moves a protection from one version to the next, with
// its events and the trades they count, or reports why it could not.
import type { MmpKind } from '../../../core/mmp/mmp-config.ts';
import type { MmpEvent } from '../../../core/mmp/mmp-event.ts';
import type { MmpStateRecord } from '../../../core/mmp/mmp-record.ts';
import {
  COUNTED_KEPT_MS,
  type ExceededTrade,
  LATEST_COUNTED,
  type LoadedMmp,
  type MmpCommit,
  type MmpOf,
  type MmpRecords,
  type MmpTurn,
  mmpTurnFault,
  type StoredMmp,
  type TradedSpan,
} from '../../../ports/mmp-records.ts';
import { accountId } from '../../../values/ids.ts';
import { later } from '../../../values/instant.ts';
import type { ReadPool } from '../read-pool.ts';

/** The second writer waits for the row, and finds another version than it decided on. */
const MOVE = `
WITH known AS (
  SELECT trade FROM mmp_trade WHERE account = $1 AND kind = $2 AND trade = ANY ($6::text[])),
moved AS (
  INSERT INTO mmp_state AS held (account, kind, version, state)
  SELECT $1, $2, $4::integer, $5::jsonb WHERE NOT EXISTS (SELECT FROM known)
    AND ($3::integer = 0 OR EXISTS (SELECT FROM mmp_state WHERE account = $1 AND kind = $2))
  ON CONFLICT (account, kind) DO UPDATE SET version = excluded.version, state = excluded.state
  WHERE held.version = $3::integer
  RETURNING account),
told AS (
  INSERT INTO mmp_event (account, kind, version, data)
  SELECT $1, $2, $3::integer + told.place, told.data::jsonb
  FROM moved, unnest($8::text[]) WITH ORDINALITY AS told (data, place)),
counted AS (
  INSERT INTO mmp_trade (account, kind, trade, at)
  SELECT $1, $2, new.trade, new.at
  FROM moved, unnest($6::text[], $7::bigint[]) AS new (trade, at)),
swept AS (
  DELETE FROM mmp_trade WHERE (account, kind, trade) IN (
    SELECT account, kind, trade FROM mmp_trade WHERE at < $9 ORDER BY at LIMIT 20
    FOR UPDATE SKIP LOCKED))
SELECT EXISTS (SELECT FROM moved) AS moved, ARRAY (SELECT trade FROM known) AS known`;

interface StateColumns {
  readonly account: string;
  readonly kind: MmpKind;
  readonly state: MmpStateRecord;
}

export class PostgresMmpRecords implements MmpRecords {
  readonly #pool: ReadPool;

  constructor(pool: ReadPool) {
    this.#pool = pool;
  }

  async commit(turn: MmpTurn): Promise<MmpCommit> {
    const fault = mmpTurnFault(turn);
    if (fault !== undefined) throw fault;
    const { account, kind, fromVersion, events, state, trades, now } = turn;
    const [row] = await this.#pool.write<{ moved: boolean; known: string[] }>({
      name: 'move mmp',
      text: MOVE,
      values: [
        account,
        kind,
        fromVersion,
        fromVersion + events.length,
        JSON.stringify(state),
        trades.map(({ tradeId }) => tradeId),
        trades.map(({ at }) => at),
        events.map((event) => JSON.stringify(event)),
        later(now, -COUNTED_KEPT_MS),
      ],
    });
    if (row?.moved) return { kind: 'committed' };
    const known = row?.known ?? [];
    return known.length > 0 ? { kind: 'counted', trades: known } : { kind: 'conflict' };
  }

  async load(
    { account, kind }: MmpOf,
    trades: readonly string[] = [],
  ): Promise<LoadedMmp | undefined> {
    const [row] = await this.#pool.read<StateColumns & { counted: string[] }>({
      name: 'load mmp',
      text: `SELECT account, kind, state, ARRAY (
          SELECT trade FROM mmp_trade WHERE account = $1 AND kind = $2 AND trade = ANY ($3::text[])
          UNION (SELECT trade FROM mmp_trade WHERE account = $1 AND kind = $2
            ORDER BY at DESC LIMIT $4)
        ) AS counted FROM mmp_state WHERE account = $1 AND kind = $2`,
      values: [account, kind, trades, LATEST_COUNTED],
    });
    return row && { ...stored(row), counted: row.counted };
  }

  async all(): Promise<readonly StoredMmp[]> {
    const rows = await this.#pool.read<StateColumns>({
      name: 'all mmp',
      text: 'SELECT account, kind, state FROM mmp_state ORDER BY account, kind',
    });
    return rows.map(stored);
  }

  async versions(): Promise<readonly (MmpOf & { readonly version: number })[]> {
    const rows = await this.#pool.read<{ account: string; kind: MmpKind; version: number }>({
      name: 'mmp versions',
      text: 'SELECT account, kind, version FROM mmp_state',
    });
    return rows.map((row) => ({ ...row, account: accountId(row.account) }));
  }

  async events({ account, kind }: MmpOf): Promise<readonly MmpEvent[]> {
    const rows = await this.#pool.read<{ data: MmpEvent }>({
      name: 'mmp events',
      text: 'SELECT data FROM mmp_event WHERE account = $1 AND kind = $2 ORDER BY version',
      values: [account, kind],
    });
    return rows.map(({ data }) => data);
  }

  async exceeded(
    { account, kind }: MmpOf,
    { from, to }: TradedSpan,
  ): Promise<readonly ExceededTrade[]> {
    const rows = await this.#pool.read<{ data: ExceededTrade }>({
      name: 'exceeded mmp',
      text: `SELECT data FROM mmp_event WHERE account = $1 AND kind = $2 AND data->>'kind' = 'exceeded'
        AND (data->>'tradedAt')::bigint >= $3 AND (data->>'tradedAt')::bigint < $4
        ORDER BY (data->>'tradedAt')::bigint, version`,
      values: [account, kind, from, to],
    });
    return rows.map(({ data }) => data);
  }
}

const stored = ({ account, kind, state }: StateColumns): StoredMmp => ({
  account: accountId(account),
  kind,
  state,
});
