// The ledger in PostgreSQL: a commit is acknowledged only once it is on disk.

import type { PortfolioEvent } from '../../core/portfolio/aggregate/portfolio-event.ts';
import type {
  CommitOutcome,
  Ledger,
  Page,
  PageQuery,
  StoredPortfolio,
  StoredRow,
  Turn,
} from '../../ports/ledger.ts';
import { assert, must } from '../../values/assert.ts';
import { type PortfolioId, portfolioId } from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { Claims } from './claims.ts';
import { CommitLane } from './commit/commit-lane.ts';
import { GroupCommit, type WriteGroup } from './commit/group-commit.ts';
import { migrate } from './migrate.ts';
import { type FoundPage, PageIndex } from './pages/page-index.ts';
import { isAtWorkOnly, pageStatement } from './pages/page-query.ts';
import { ReadPool } from './read-pool.ts';
import { PostgresKeptAnswers } from './records/postgres-kept-answers.ts';
import { PostgresMmpRecords } from './records/postgres-mmp-records.ts';
import { type PortfolioColumns, storedRow } from './stored-row.ts';
import { PostgresTurnLog } from './turn-log.ts';

export interface GroupWritten {
  readonly turns: number;
  readonly calls: number;
  readonly elapsedMs: number;
}

export interface PostgresLedgerOptions {
  readonly connectionString: string;
  /** Wall time, for the expiry of claims. */
  readonly now?: () => Instant;
  /** Number of concurrent transactions, each on a connection of its own. */
  readonly commitLanes?: number;
  readonly maxGroupTurns?: number;
  readonly maxReadConnections?: number;
  readonly statementTimeoutMs?: number;
  /** With more ended portfolios than this, pages are answered from an index in a separate thread. */
  readonly pageIndexAbove?: number;
  /** How long a commit is retried while the database is unreachable. */
  readonly patienceMs?: number;
  readonly onCommit?: (group: GroupWritten) => void;
  /** Called for faults that are handled: lost connections, races between processes. */
  readonly onFault?: (error: unknown) => void;
}

/** Waiting calls that open another lane, see {@link GroupCommit}. */
const CROWD = 8;

const DEFAULTS = {
  now: () => instant(Date.now()),
  commitLanes: 2,
  maxGroupTurns: 500,
  maxReadConnections: 4,
  statementTimeoutMs: 5_000,
  pageIndexAbove: 20_000,
  patienceMs: 10_000,
  onCommit: () => undefined,
  onFault: () => undefined,
} as const;

/** Migrates the schema and opens the ledger; see {@link migrate} for what it refuses. */
export async function openPostgresLedger(options: PostgresLedgerOptions): Promise<PostgresLedger> {
  await migrate(options.connectionString);
  return new PostgresLedger(options);
}

export class PostgresLedger implements Ledger {
  readonly #commits: GroupCommit;
  readonly #lanes: readonly CommitLane[];
  readonly #pool: ReadPool;
  readonly #claims: Claims;
  readonly turnLog: PostgresTurnLog;
  readonly keptAnswers: PostgresKeptAnswers;
  readonly mmpRecords: PostgresMmpRecords;
  readonly #pages: PageIndex;
  readonly #pageIndexAbove: number;
  readonly #onFault: (error: unknown) => void;
  #closing: Promise<void> | undefined;

  /** For a database whose schema is up to date. */
  constructor(options: PostgresLedgerOptions) {
    const chosen = { ...DEFAULTS, ...options };
    const connectTimeoutMs = Math.min(chosen.patienceMs, 3_000);
    this.#pool = new ReadPool({
      ...chosen,
      connectTimeoutMs,
      maxConnections: chosen.maxReadConnections,
    });
    this.#claims = new Claims(this.#pool, chosen.now);
    this.keptAnswers = new PostgresKeptAnswers(this.#pool, chosen.now);
    this.mmpRecords = new PostgresMmpRecords(this.#pool);
    this.turnLog = new PostgresTurnLog(this.#pool, chosen);
    this.#pages = new PageIndex(chosen);
    this.#pageIndexAbove = chosen.pageIndexAbove;
    this.#onFault = chosen.onFault;
    this.#lanes = Array.from(
      { length: chosen.commitLanes },
      () => new CommitLane({ ...chosen, connectTimeoutMs }),
    );
    this.#commits = new GroupCommit(
      this.#lanes.map((lane) => timed(lane, chosen.onCommit)),
      { maxTurns: chosen.maxGroupTurns, crowd: CROWD },
    );
  }

  /** Load of the connections for reading. */
  get readLoad(): ReadPool['load'] {
    return this.#pool.load;
  }

  async commit(turns: readonly Turn[]): Promise<CommitOutcome> {
    return await this.#commits.commit(turns);
  }

  async load(portfolio: PortfolioId): Promise<StoredPortfolio | undefined> {
    const rows = await this.#pool.read<{ version: number; data: PortfolioEvent }>({
      name: 'load',
      text: 'SELECT version, data FROM event WHERE portfolio = $1 ORDER BY version',
      values: [portfolio],
    });
    if (rows.length === 0) return undefined;
    for (const [index, { version }] of rows.entries()) {
      assert(version === index + 1, `portfolio ${portfolio} has lost its event ${index + 1}`);
    }
    return { portfolio, version: rows.length, events: rows.map(({ data }) => data) };
  }

  async row(portfolio: PortfolioId): Promise<StoredRow | undefined> {
    const [columns] = await this.#pool.read<PortfolioColumns>({
      name: 'row',
      text: 'SELECT * FROM portfolio JOIN summary ON summary.portfolio = id WHERE id = $1',
      values: [portfolio],
    });
    return columns === undefined ? undefined : storedRow(columns);
  }

  async active(): Promise<readonly PortfolioId[]> {
    const rows = await this.#pool.read<{ id: string }>({
      name: 'active',
      text: 'SELECT id FROM portfolio WHERE status IN (1, 4) ORDER BY id',
    });
    return rows.map(({ id }) => portfolioId(id));
  }

  async overdue(at: Instant, limit: number): Promise<readonly PortfolioId[]> {
    const rows = await this.#pool.read<{ id: string }>({
      name: 'overdue',
      text: `SELECT id FROM portfolio WHERE status IN (1, 4) AND next_due_at <= $1
        ORDER BY next_due_at, id LIMIT $2`,
      values: [at, limit],
    });
    return rows.map(({ id }) => portfolioId(id));
  }

  async findByKey(key: string): Promise<PortfolioId | undefined> {
    const [row] = await this.#pool.read<{ id: string }>({
      name: 'find by key',
      text: 'SELECT id FROM portfolio WHERE key = $1',
      values: [key],
    });
    return row === undefined ? undefined : portfolioId(row.id);
  }

  async page(query: PageQuery): Promise<Page> {
    const found = await this.#indexed(query);
    if (found !== undefined) return { total: found.total, rows: found.rows.map(storedRow) };
    const rows = await this.#pool.read<{ total: string } & (PortfolioColumns | { id: null })>(
      pageStatement(query),
    );
    return {
      total: Number(rows[0]?.total ?? 0),
      rows: rows.flatMap((columns) => (columns.id === null ? [] : [storedRow(columns)])),
    };
  }

  /** From the index, if the ledger is large enough for one and it is ready. */
  async #indexed(query: PageQuery): Promise<FoundPage | undefined> {
    if (isAtWorkOnly(query)) return undefined;
    return (await this.isPageIndexReady()) ? await this.#pages.ask(query) : undefined;
  }

  /** Whether pages come from the index; starts building it if the ledger is large enough. */
  async isPageIndexReady(): Promise<boolean> {
    if (!this.#pages.isReady && (await this.#isLarge())) this.#pages.start();
    return this.#pages.isReady;
  }

  /** Starts building the index if the ledger is large enough, so that the first page need not wait for it. */
  preparePages(): void {
    this.isPageIndexReady().catch(this.#onFault);
  }

  async #isLarge(): Promise<boolean> {
    const rows = await this.#pool.read({
      name: 'is large',
      text: 'SELECT 1 FROM portfolio WHERE status IN (2, 3) OFFSET $1 LIMIT 1',
      values: [this.#pageIndexAbove],
    });
    return rows.length > 0;
  }

  async getMetadata(name: string): Promise<string | undefined> {
    const [row] = await this.#pool.read<{ value: string }>({
      name: 'read mark',
      text: 'SELECT value FROM mark WHERE name = $1',
      values: [name],
    });
    return row?.value;
  }

  async setMetadata(name: string, value: string): Promise<void> {
    await this.#pool.write({
      name: 'write mark',
      text: `INSERT INTO mark (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      values: [name, value],
    });
  }

  async initMetadata(name: string, value: string): Promise<string> {
    // An existing value is rewritten, because nothing is returned for a row left alone.
    const [row] = await this.#pool.write<{ value: string }>({
      name: 'claim mark',
      text: `INSERT INTO mark (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = mark.value RETURNING value`,
      values: [name, value],
    });
    return must(row, 'a claimed mark has no row').value;
  }

  claimOnce(key: string, until: Instant): Promise<boolean> {
    return this.#claims.claim(key, until);
  }

  /** Completes the queries in flight, then disconnects. */
  close(): Promise<void> {
    this.#closing ??= this.#leave();
    return this.#closing;
  }

  async #leave(): Promise<void> {
    this.turnLog.close();
    await this.#commits.close();
    await Promise.all([
      this.#pages.close(),
      this.#pool.close(),
      ...this.#lanes.map((lane) => lane.close()),
    ]);
  }
}

function timed(lane: CommitLane, onCommit: (group: GroupWritten) => void): WriteGroup {
  return async (calls) => {
    const startedAt = performance.now();
    const answers = await lane.write(calls);
    const turns = calls.reduce((sum, call) => sum + call.length, 0);
    onCommit({ turns, calls: calls.length, elapsedMs: performance.now() - startedAt });
    return answers;
  };
}
