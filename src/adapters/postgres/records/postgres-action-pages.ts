// Pages of the audit trail in PostgreSQL, over a connection of their own: a long read delays no record.
import type { ActionPageQuery, ActionPages, PlacedAction } from '../../../ports/action-log.ts';
import { ReadPool } from '../read-pool.ts';
import { type ActionColumns, actionOf } from './postgres-action-log.ts';

export interface ActionPagesOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  readonly statementTimeoutMs?: number;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

/** The newest of each account, each from its part of the index, and of these the newest. */
const PAGE = `
SELECT found.* FROM unnest($1::text[]) AS own (account)
CROSS JOIN LATERAL (
  SELECT * FROM action
  WHERE action.account = own.account AND ($2::text IS NULL OR key_id = $2)
    AND at >= coalesce($3::bigint, 0)
    AND (at, seq) < (coalesce($4::bigint, 9223372036854775807), coalesce($5::bigint, 0))
  ORDER BY at DESC, seq DESC LIMIT $6
) AS found
ORDER BY found.at DESC, found.seq DESC LIMIT $6`;

export class PostgresActionPages implements ActionPages {
  readonly #pool: ReadPool;

  constructor(options: ActionPagesOptions) {
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 2_000,
      connectTimeoutMs: 2_000,
      onFault: options.onFault ?? (() => undefined),
    });
  }

  async page(query: ActionPageQuery): Promise<readonly PlacedAction[]> {
    const { accounts, keyId, from, before, limit } = query;
    const place = [before?.at ?? null, before?.number ?? null];
    const values = [[...new Set(accounts)], keyId ?? null, from ?? null, ...place, limit];
    const rows = await this.#pool.read<ActionColumns>({ name: 'actions', text: PAGE, values });
    return rows.map((row) => ({ ...actionOf(row), number: row.seq }));
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
