// Audit seals in PostgreSQL, in the ledger's database.
import type { AuditSeals, Seal } from '../../../ports/audit-seals.ts';
import type { PortfolioId } from '../../../values/ids.ts';
import { ReadPool } from '../read-pool.ts';

export interface AuditSealsOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  readonly statementTimeoutMs?: number;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

/** A seal that is not there is inserted only if its writer saw none. */
const PUT = `
INSERT INTO audit_seal AS held (portfolio, version, hash)
SELECT $1::bigint, $2::integer, $3::text
WHERE $4::integer IS NULL OR EXISTS (SELECT FROM audit_seal WHERE portfolio = $1::bigint)
ON CONFLICT (portfolio) DO UPDATE SET version = excluded.version, hash = excluded.hash
WHERE held.version = $4::integer AND held.hash = $5::text
RETURNING version`;

export class PostgresAuditSeals implements AuditSeals {
  readonly #pool: ReadPool;

  constructor(options: AuditSealsOptions) {
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 5_000,
      connectTimeoutMs: 3_000,
      onFault: options.onFault ?? (() => undefined),
    });
  }

  async of(portfolio: PortfolioId): Promise<Seal | undefined> {
    const [seal] = await this.#pool.read<{ version: number; hash: string }>({
      name: 'seal',
      text: 'SELECT version, hash FROM audit_seal WHERE portfolio = $1',
      values: [portfolio],
    });
    return seal;
  }

  async put(
    portfolio: PortfolioId,
    { from, to }: Parameters<AuditSeals['put']>[1],
  ): Promise<boolean> {
    const values = [portfolio, to.version, to.hash, from?.version ?? null, from?.hash ?? null];
    return (await this.#pool.write({ name: 'put seal', text: PUT, values })).length === 1;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
