// What the auditor reads from the ledger and stores there, over a connection of its own.
import type { PortfolioEvent } from '../../../core/portfolio/aggregate/portfolio-event.ts';
import type { ArchivedReads } from '../../../ports/archive/archived-reads.ts';
import { submitDay } from '../../../ports/archive/submit-day.ts';
import type { AuditBaselines, AuditReads, PositionBaseline } from '../../../ports/audit-reads.ts';
import { type AccountId, type PortfolioId, portfolioId } from '../../../values/ids.ts';
import { instant } from '../../../values/instant.ts';
import { EventShapes } from '../events/event-shapes.ts';
import { type EventsReader, readEvents } from '../events/stored-events.ts';
import { ReadPool } from '../read-pool.ts';

export interface AuditRecordsOptions {
  /** Address of a database whose schema is up to date. */
  readonly connectionString: string;
  readonly statementTimeoutMs?: number;
  /** Where the events of archived days are; absent: they cannot be read. */
  readonly archive?: Pick<ArchivedReads, 'eventsAfter'> | undefined;
  /** Called for faults that are handled. */
  readonly onFault?: (error: unknown) => void;
}

/** A venue's clock and ours differ by less. */
const CLOCKS_APART_MS = 60_000;

const PUT = `
INSERT INTO audit_baseline (account, at, positions) VALUES ($1, $2, $3)
ON CONFLICT (account) DO UPDATE SET at = excluded.at, positions = excluded.positions`;

export class PostgresAuditRecords implements AuditReads, AuditBaselines {
  readonly #pool: ReadPool;
  readonly #reader: EventsReader;

  constructor(options: AuditRecordsOptions) {
    const { onFault = () => undefined } = options;
    this.#pool = new ReadPool({
      connectionString: options.connectionString,
      maxConnections: 1,
      statementTimeoutMs: options.statementTimeoutMs ?? 5_000,
      connectTimeoutMs: 3_000,
      onFault,
    });
    const shapes = new EventShapes(this.#pool, { onFault });
    this.#reader = { pool: this.#pool, shapes, archive: options.archive };
  }

  /** Ends at the first gap: events after it cannot be placed. */
  async eventsAfter(
    portfolio: PortfolioId,
    version: number,
    limit: number,
  ): Promise<readonly PortfolioEvent[]> {
    return (await readEvents(this.#reader, { portfolio, after: version, limit })).events;
  }

  async versionOf(portfolio: PortfolioId): Promise<number | undefined> {
    const [row] = await this.#pool.read<{ version: number }>({
      name: 'version of',
      text: 'SELECT version FROM portfolio WHERE id = $1',
      values: [portfolio],
    });
    return row?.version;
  }

  async portfoliosAfter(
    after: PortfolioId | undefined,
    limit: number,
  ): Promise<readonly PortfolioId[]> {
    const rows = await this.#pool.read<{ id: string }>({
      text: 'SELECT id::text FROM portfolio WHERE id > $1 ORDER BY portfolio.id LIMIT $2',
      values: [after ?? '0', limit],
    });
    return rows.map(({ id }) => portfolioId(id));
  }

  /** Whether the day of the portfolio is in the archive. */
  async isArchived(portfolio: PortfolioId): Promise<boolean> {
    const text = 'SELECT 1 FROM archived_day WHERE day = $1';
    const values = [submitDay(portfolio)];
    return (await this.#pool.read({ name: 'is archived', text, values })).length > 0;
  }

  /** Those of the account, or of all, that were at work between the two times, in order of id; Unix milliseconds. */
  async portfoliosOf(
    of: { readonly account?: AccountId | undefined; readonly from: number; readonly until: number },
    after: PortfolioId | undefined,
    limit: number,
  ): Promise<readonly PortfolioId[]> {
    const rows = await this.#pool.read<{ id: string }>({
      text: `SELECT id::text FROM portfolio WHERE ($1::text IS NULL OR account = $1) AND id > $2 AND updated_at >= $3
        AND submitted_at <= $4 ORDER BY portfolio.id LIMIT $5`,
      values: [
        of.account,
        after ?? '0',
        of.from - CLOCKS_APART_MS,
        of.until + CLOCKS_APART_MS,
        limit,
      ],
    });
    return rows.map(({ id }) => portfolioId(id));
  }

  async of(account: AccountId): Promise<PositionBaseline | undefined> {
    const [row] = await this.#pool.read<{
      at: string;
      positions: PositionBaseline['positions'];
    }>({
      text: 'SELECT at::text, positions FROM audit_baseline WHERE account = $1',
      values: [account],
    });
    return row && { at: instant(Number(row.at)), positions: row.positions };
  }

  async put(account: AccountId, { at, positions }: PositionBaseline): Promise<void> {
    const values = [account, at, JSON.stringify(positions)];
    await this.#pool.write({ text: PUT, values });
  }

  async remove(account: AccountId): Promise<void> {
    const text = 'DELETE FROM audit_baseline WHERE account = $1';
    await this.#pool.write({ text, values: [account] });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
