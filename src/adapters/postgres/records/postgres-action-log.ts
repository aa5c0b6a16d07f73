// The audit trail in PostgreSQL: records are gathered for a moment and written together, by one lane of their
// own, so that no slice waits for them. Commits do not wait for the disk: a written record survives the end
// of any process, but a power failure may lose the last fraction of a second.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Action, ActionLog, ActionQuery } from '../../../ports/action-log.ts';
import { LedgerFailure } from '../../../ports/ledger.ts';
import { accountId } from '../../../values/ids.ts';
import { instant } from '../../../values/instant.ts';
import { queryFault } from '../query-fault.ts';
import { ReadPool } from '../read-pool.ts';

export interface ActionLogOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  /** Called once for each run of failures. */
  readonly onFault?: (error: unknown) => void;
  readonly statementTimeoutMs?: number;
  readonly retryMs?: number;
  /** How long the first record waits for others to be written with. Default 20. */
  readonly gatherMs?: number;
  /** Number of waiting records from which on the log is behind. */
  readonly behindFrom?: number;
}

interface Waiting {
  readonly action: Action;
  readonly resolve: () => void;
}

const GATHER_MS = 20;
const BATCH_MAX = 2_000;
const BEHIND_FROM = 50_000;
const CLOSE_WITHIN_MS = 2_000;

const INSERT = `
INSERT INTO action (at, key_id, uid, nickname, address, method, account, instrument, label, order_id, outcome)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
  $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])`;

const FIND = `
SELECT * FROM action
WHERE ($1::text IS NULL OR key_id = $1) AND ($2::text IS NULL OR account = $2)
  AND ($3::bigint IS NULL OR at >= $3)
ORDER BY seq DESC LIMIT $4`;

export class PostgresActionLog implements ActionLog {
  readonly #pool: ReadPool;
  readonly #onFault: (error: unknown) => void;
  readonly #gatherMs: number;
  readonly #retryMs: number;
  readonly #behindFrom: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #isClosing = false;

  constructor(options: ActionLogOptions) {
    this.#onFault = options.onFault ?? (() => undefined);
    this.#gatherMs = options.gatherMs ?? GATHER_MS;
    this.#retryMs = options.retryMs ?? 250;
    this.#behindFrom = options.behindFrom ?? BEHIND_FROM;
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 2_000,
      connectTimeoutMs: 1_000,
      settings: '-c synchronous_commit=off',
      onFault: () => undefined,
    });
  }

  get isBehind(): boolean {
    return this.#waiting.length >= this.#behindFrom;
  }

  record(action: Action): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ action, resolve });
      this.#writing ??= this.#write();
    });
  }

  async find({ keyId, account, from, limit }: ActionQuery): Promise<readonly Action[]> {
    const values = [keyId ?? null, account ?? null, from ?? null, limit];
    const rows = await this.#pool.read<ActionColumns>({ text: FIND, values });
    return rows.map(actionOf);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    const late = sleep(CLOSE_WITHIN_MS, undefined, { ref: false });
    await Promise.race([this.#writing, late]);
    await this.#pool.close();
  }

  async #write(): Promise<void> {
    let isFailing = false;
    while (this.#waiting.length > 0) {
      const isFew = this.#waiting.length < BATCH_MAX;
      if (isFew && !this.#isClosing) await sleep(this.#gatherMs);
      const batch = this.#waiting.slice(0, BATCH_MAX);
      const fault = await this.#insert(batch.map(({ action }) => action));
      if (fault === undefined) {
        this.#waiting.splice(0, batch.length);
        isFailing = false;
      } else if (!isFailing) {
        this.#onFault(fault);
        isFailing = true;
      }
      // Callers continue either way; records that were not written are retried.
      for (const { resolve } of isFailing ? this.#waiting : batch) resolve();
      if (isFailing && this.#isClosing) break;
      if (isFailing) await sleep(this.#retryMs, undefined, { ref: false });
    }
    this.#writing = undefined;
  }

  /**
   * Returns the fault that keeps them from being written, if any. A record that the server will never accept
   * is reported and skipped.
   */
  async #insert(actions: readonly Action[]): Promise<unknown> {
    const fault = await this.#tryInsert(actions);
    if (!(fault instanceof LedgerFailure) || queryFault(fault.cause) !== 'refused') return fault;
    if (actions.length === 1) {
      this.#onFault(new Error(`an action cannot be written: ${JSON.stringify(actions[0])}`));
      return undefined;
    }
    for (const action of actions) {
      const own = await this.#insert([action]);
      if (own !== undefined) return own;
    }
    return undefined;
  }

  async #tryInsert(actions: readonly Action[]): Promise<unknown> {
    try {
      const column = (of: (action: Action) => string | number | null): string =>
        arrayText(actions.map(of));
      const values = [
        column(({ at }) => at),
        column(({ keyId }) => keyId),
        column(({ uid }) => uid),
        column(({ nickname }) => nickname),
        column(({ address }) => address),
        column(({ method }) => method),
        column(({ account }) => account),
        column(({ instrument }) => instrument ?? null),
        column(({ label }) => label ?? null),
        column(({ orderId }) => orderId ?? null),
        column(({ outcome }) => outcome),
      ];
      await this.#pool.write({ name: 'record actions', text: INSERT, values });
      return undefined;
    } catch (error) {
      return error;
    }
  }
}

/** A row of the table. */
export interface ActionColumns {
  readonly seq: string;
  readonly at: string;
  readonly key_id: string;
  readonly uid: string;
  readonly nickname: string;
  readonly address: string;
  readonly method: string;
  readonly account: string;
  readonly instrument: string | null;
  readonly label: string | null;
  readonly order_id: string | null;
  readonly outcome: string;
}

export const actionOf = (row: ActionColumns): Action => ({
  at: instant(Number(row.at)),
  keyId: row.key_id,
  uid: row.uid,
  nickname: row.nickname,
  address: row.address,
  method: row.method,
  account: accountId(row.account),
  instrument: row.instrument ?? undefined,
  label: row.label ?? undefined,
  orderId: row.order_id ?? undefined,
  outcome: row.outcome,
});

// Columns as array literals of PostgreSQL. The driver escapes each element by two replacements, which takes most of the
// time of writing many short texts; nearly all of them contain nothing to escape.

/** Nothing else stands in most columns, and none of it has a meaning within quotes. */
const PLAIN = /^[\w .:/@+-]*$/;

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');

/** The literal of an array of texts or whole numbers. */
function arrayText(values: readonly (string | number | null)[]): string {
  let text = '{';
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as string | number | null;
    if (at > 0) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'number') text += String(value);
    else text += PLAIN.test(value) ? `"${value}"` : `"${escaped(value)}"`;
  }
  return `${text}}`;
}
