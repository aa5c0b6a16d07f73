// The turn log in PostgreSQL. Positions are transaction numbers: a row is shown once every transaction below
// it has ended, so that no row ever appears before one that was already shown. Rows are kept for a while, and
// the newest for ever, so that an up-to-date reader can always continue.
import {
  checkGroupsMax,
  type LoggedTurn,
  type TurnGroup,
  type TurnLog,
} from '../../ports/turn-log.ts';
import { must } from '../../values/assert.ts';
import { accountId, portfolioId } from '../../values/ids.ts';
import { HOUR_MS, type Instant, later, MINUTE_MS } from '../../values/instant.ts';
import { oldestActiveTransaction } from './commit/oldest-active-transaction.ts';
import type { ReadPool } from './read-pool.ts';

export interface TurnLogOptions {
  readonly now: () => Instant;
  readonly onFault: (error: unknown) => void;
}

/** How long turns can be read. */
export const LOG_KEPT_MS = HOUR_MS;
const FORGET_EVERY_MS = MINUTE_MS;
const FORGOTTEN_AT_ONCE = 5_000;

/** ORDER BY prefers an output column to a table column: unqualified, `position` would be sorted as text. */
const NEWEST = `SELECT position::text FROM turn_log
WHERE position < $1::xid8 ORDER BY turn_log.position DESC LIMIT 1`;

const FROM = `SELECT position::text, portfolios::text[], accounts, from_versions, versions, tells
FROM turn_log
WHERE position >= $1::xid8 AND position < $3::xid8
ORDER BY turn_log.position LIMIT $2`;

/** Deletes all old rows but the latest, so that one remains if nothing is new. */
const FORGET = `WITH gone AS (
  DELETE FROM turn_log WHERE position < (
    SELECT position FROM (SELECT position, at FROM turn_log ORDER BY position LIMIT $2) AS old
    WHERE at < $1 ORDER BY position DESC LIMIT 1
  ) RETURNING 1
) SELECT count(*)::int4 AS count FROM gone`;

interface Columns {
  readonly position: string;
  readonly portfolios: readonly string[];
  readonly accounts: readonly string[];
  readonly from_versions: readonly number[];
  readonly versions: readonly number[];
  readonly tells: readonly number[];
}

export class PostgresTurnLog implements TurnLog {
  readonly #pool: ReadPool;
  readonly #options: TurnLogOptions;
  readonly #timer: NodeJS.Timeout;

  constructor(pool: ReadPool, options: TurnLogOptions) {
    this.#pool = pool;
    this.#options = options;
    this.#timer = setInterval(() => void this.#forgetOld(), FORGET_EVERY_MS);
    this.#timer.unref();
  }

  async newestPosition(): Promise<bigint> {
    const values = [String(await oldestActiveTransaction(this.#pool))];
    const statement = { name: 'newest', text: NEWEST, values };
    const [row] = await this.#pool.read<{ position: string }>(statement);
    return BigInt(must(row, 'the turn log has a beginning').position);
  }

  async groupsFrom(from: bigint, limit: number): Promise<readonly TurnGroup[] | undefined> {
    checkGroupsMax(limit);
    if (from < 0n || from >= TRANSACTION_END) return undefined;
    const values = [String(from), limit, String(await oldestActiveTransaction(this.#pool))];
    const rows = await this.#pool.read<Columns>({ name: 'turns from', text: FROM, values });
    const groups = rows.map(turnGroup);
    return groups[0]?.position === from ? groups : undefined;
  }

  /** Deletes what became durable before `before`, except the latest row of it. */
  async forget(before: Instant): Promise<void> {
    const values = [before, FORGOTTEN_AT_ONCE];
    for (;;) {
      const rows = await this.#pool.write<{ count: number }>({ text: FORGET, values });
      if ((rows[0]?.count ?? 0) < FORGOTTEN_AT_ONCE - 1) return;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #forgetOld(): Promise<void> {
    const { now, onFault } = this.#options;
    try {
      await this.forget(later(now(), -LOG_KEPT_MS));
    } catch (error) {
      onFault(error);
    }
  }
}

/** Transaction numbers have 64 bits. */
const TRANSACTION_END = 2n ** 64n;

const turnGroup = (row: Columns): TurnGroup => ({
  position: BigInt(row.position),
  turns: row.portfolios.map((portfolio, index): LoggedTurn => {
    const at = <T>(list: readonly T[]): T => must(list[index], 'columns of one length');
    return {
      portfolio: portfolioId(portfolio),
      account: accountId(at(row.accounts)),
      fromVersion: at(row.from_versions),
      version: at(row.versions),
      tells: at(row.tells),
    };
  }),
});
