// Settings of trading switches in PostgreSQL, in the ledger's database.
import type {
  SwitchScope,
  SwitchSetting,
  TradingState,
} from '../../../core/risk/trading-switch.ts';
import { LedgerFailure } from '../../../ports/ledger.ts';
import type { NumberedSetting, SwitchRecords } from '../../../ports/switch-records.ts';
import { must } from '../../../values/assert.ts';
import { instant } from '../../../values/instant.ts';
import { isThereAlready } from '../query-fault.ts';
import { ReadPool } from '../read-pool.ts';

export interface SwitchRecordsOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  readonly statementTimeoutMs?: number;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

interface Columns extends Record<string, unknown> {
  readonly number: number;
  readonly scope: SwitchScope;
  readonly name: string;
  readonly state: TradingState;
  readonly uid: string;
  readonly nickname: string;
  readonly reason: string;
  readonly at: string;
}

/** The lock ends with the statement; without it two writers would take the same number. */
const ADD = `
WITH held AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtext('twapd switch_setting')))
INSERT INTO switch_setting (number, scope, name, state, uid, nickname, reason, at)
SELECT (SELECT coalesce(max(number), 0) + 1 FROM switch_setting), $1, $2, $3, $4, $5, $6, $7 FROM held
RETURNING number`;

const TRIES_MAX = 20;

export class PostgresSwitchRecords implements SwitchRecords {
  readonly #pool: ReadPool;

  constructor(options: SwitchRecordsOptions) {
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 2_000,
      connectTimeoutMs: 2_000,
      onFault: options.onFault ?? (() => undefined),
    });
  }

  async after(number: number): Promise<readonly NumberedSetting[]> {
    const rows = await this.#pool.read<Columns>({
      name: 'switch settings',
      text: 'SELECT * FROM switch_setting WHERE number > $1::int8 ORDER BY number',
      values: [number],
    });
    return rows.map(({ scope, name, state, uid, nickname, reason, at, ...row }) => ({
      scope,
      of: name,
      state,
      reason,
      number: row.number,
      by: { uid, nickname },
      at: instant(Number(at)),
    }));
  }

  async add({ scope, of, state, by, reason, at }: SwitchSetting): Promise<number> {
    const values = [scope, of, state, by.uid, by.nickname, reason, at];
    for (let tries = 1; ; tries += 1) {
      try {
        const [row] = await this.#pool.write<Columns>({ name: 'set switch', text: ADD, values });
        return must(row?.number, 'a setting that was added has its number');
      } catch (error) {
        if (!isTaken(error) || tries === TRIES_MAX) throw error;
      }
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** A statement that started before the other ended does not see its number. */
const isTaken = (error: unknown): boolean =>
  error instanceof LedgerFailure && isThereAlready(error.cause);
