// The ledger in PostgreSQL: a commit is acknowledged only once it is on disk.

import type { ArchivedReads } from '../../ports/archive/archived-reads.ts';
import type { AuditReads } from '../../ports/audit-reads.ts';
import type {
  CommitOutcome,
  Ledger,
  Page,
  PageQuery,
  PortfolioAtWork,
  StoredPortfolio,
  StoredRow,
  Turn,
} from '../../ports/ledger.ts';
import { assert, must } from '../../values/assert.ts';
import {
  type AccountId,
  type InstrumentName,
  type PortfolioId,
  portfolioId,
} from '../../values/ids.ts';
import { type Instant, instant } from '../../values/instant.ts';
import { Claims } from './claims.ts';
import { CommitLane } from './commit/commit-lane.ts';
import { GroupCommit, type WriteGroup } from './commit/group-commit.ts';
import { DayPartitions } from './events/day-partitions.ts';
import { EventShapes } from './events/event-shapes.ts';
import { type EventsReader, readEvents } from './events/stored-events.ts';
import { migrate } from './migrate.ts';
import { PostgresTurnEvents } from './notify/postgres-turn-events.ts';
import { type FoundPage, PageIndex } from './pages/page-index.ts';
import { isAtWorkOnly, pageStatement } from './pages/page-query.ts';
import { ReadPool } from './read-pool.ts';
import { PostgresKeptAnswers } from './records/postgres-kept-answers.ts';
import { PostgresMmpRecords } from './records/postgres-mmp-records.ts';
import { PostgresStateSnapshots } from './records/postgres-state-snapshots.ts';
import { type PortfolioColumns, storedRow } from './stored-row.ts';
import { SUMMARY_SESSION, SummaryWriter } from './summaries/summary-writer.ts';
import { PostgresTurnLog } from './turn-log.ts';
import { type OnAway, whenThere } from './wait-for-database.ts';

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
  /** Where the events of archived days are read; absent: they are not. Never in a process that executes. */
  readonly archive?: ArchivedReads | undefined;
  /** Called while a start waits for the database; absent: it does not wait. */
  readonly onAway?: OnAway;
  readonly onCommit?: (group: GroupWritten) => void;
  /** Called for faults that are handled: lost connections, races between processes. */
  readonly onFault?: (error: unknown) => void;
}

interface AtWorkColumns {
  readonly id: string;
  readonly shard: number;
  readonly account: AccountId;
  readonly version: number;
  readonly next_due_at: string | null;
  readonly instruments: readonly InstrumentName[];
  readonly is_pending: boolean;
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

/**
 * Migrates the schema and opens the ledger; see {@link migrate} for what it refuses. With `onAway` it waits for a database
 * that is away; without, it rejects.
 */
export async function openPostgresLedger(options: PostgresLedgerOptions): Promise<PostgresLedger> {
  const { onAway } = options;
  return onAway === undefined
    ? await opened(options)
    : await whenThere(() => opened(options), onAway);
}

async function opened(options: PostgresLedgerOptions): Promise<PostgresLedger> {
  await migrate(options.connectionString);
  const ledger = new PostgresLedger(options);
  try {
    await ledger.partitions.mend();
    await ledger.partitions.createAhead();
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

export class PostgresLedger implements Ledger, Pick<AuditReads, 'eventsAfter'> {
  readonly #commits: GroupCommit;
  readonly #lanes: readonly CommitLane[];
  readonly #pool: ReadPool;
  readonly #shapes: EventShapes;
  readonly #reader: EventsReader;
  readonly #claims: Claims;
  readonly turnLog: PostgresTurnLog;
  readonly turnEvents: PostgresTurnEvents;
  readonly keptAnswers: PostgresKeptAnswers;
  readonly mmpRecords: PostgresMmpRecords;
  readonly partitions: DayPartitions;
  readonly #summaryPool: ReadPool;
  readonly #summaries: SummaryWriter;
  readonly snapshots: PostgresStateSnapshots;
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
    this.#shapes = new EventShapes(this.#pool, chosen);
    this.#reader = { pool: this.#pool, shapes: this.#shapes, archive: chosen.archive };
    this.#claims = new Claims(this.#pool, chosen);
    this.keptAnswers = new PostgresKeptAnswers(this.#pool, chosen.now);
    this.mmpRecords = new PostgresMmpRecords(this.#pool);
    this.snapshots = new PostgresStateSnapshots(this.#pool, this.#shapes);
    this.turnLog = new PostgresTurnLog(this.#pool, chosen);
    this.turnEvents = new PostgresTurnEvents(this.#pool, this.#shapes);
    this.partitions = new DayPartitions(this.#pool, chosen);
    this.#summaryPool = new ReadPool({
      ...chosen,
      connectTimeoutMs,
      maxConnections: 1,
      settings: SUMMARY_SESSION,
    });
    this.#summaries = new SummaryWriter(this.#summaryPool, chosen);
    this.#pages = new PageIndex(chosen);
    this.#pageIndexAbove = chosen.pageIndexAbove;
    this.#onFault = chosen.onFault;
    this.#lanes = Array.from(
      { length: chosen.commitLanes },
      () => new CommitLane({ ...chosen, connectTimeoutMs, eventsText: this.#shapes.textOf }),
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
    const outcome = await this.#commits.commit(turns);
    if (outcome.kind === 'committed') this.#summaries.committed(turns);
    return outcome;
  }

  async load(portfolio: PortfolioId): Promise<StoredPortfolio | undefined> {
    const { events, isWhole } = await readEvents(this.#reader, { portfolio });
    assert(isWhole, `portfolio ${portfolio} has lost its event ${events.length + 1}`);
    return events.length === 0 ? undefined : { portfolio, version: events.length, events };
  }

  async eventsAfter(portfolio: PortfolioId, after: number, limit: number) {
    return (await readEvents(this.#reader, { portfolio, after, limit })).events;
  }

  async row(portfolio: PortfolioId): Promise<StoredRow | undefined> {
    const [columns] = await this.#pool.read<PortfolioColumns>({
      name: 'row',
      text: `SELECT p.*, summary_record(s.record) AS record, s.version AS record_version
        FROM portfolio p JOIN summary s ON s.portfolio = p.id WHERE p.id = $1`,
      values: [portfolio],
    });
    return columns === undefined ? undefined : this.#row(columns);
  }

  /** With the record that this process committed last, stored or not. */
  #row(columns: PortfolioColumns): StoredRow {
    const row = storedRow(columns);
    const record = this.#summaries.newerThan(columns.record_version, row.portfolio);
    return record === undefined ? row : { ...row, record };
  }

  async shardOf(portfolio: PortfolioId): Promise<number | undefined> {
    const [row] = await this.#pool.read<{ shard: number }>({
      name: 'shard of',
      text: 'SELECT shard FROM portfolio WHERE id = $1',
      values: [portfolio],
    });
    return row?.shard;
  }

  async active(among?: readonly PortfolioId[]): Promise<readonly PortfolioId[]> {
    const rows = await this.#pool.read<{ id: string }>(
      among === undefined
        ? { name: 'active', text: 'SELECT id FROM portfolio WHERE status IN (1, 4) ORDER BY id' }
        : {
            name: 'active among',
            text: `SELECT id FROM portfolio
              WHERE status IN (1, 4) AND id = ANY ($1::bigint[]) ORDER BY id`,
            values: [among],
          },
    );
    return rows.map(({ id }) => portfolioId(id));
  }

  async atWork(shards?: readonly number[]): Promise<readonly PortfolioAtWork[]> {
    const rows = await this.#pool.read<AtWorkColumns & Record<string, unknown>>({
      name: 'at work',
      text: `SELECT id, shard, account, version, next_due_at, instruments, is_pending FROM portfolio
        WHERE status IN (1, 4) AND ($1::int2[] IS NULL OR shard = ANY ($1)) ORDER BY id`,
      values: [shards],
    });
    return rows.map(({ id, next_due_at: dueAt, is_pending: isPending, ...same }) => ({
      ...same,
      portfolio: portfolioId(id),
      dueAt: dueAt === null ? undefined : instant(Number(dueAt)),
      isPending,
    }));
  }

  async overdue(
    at: Instant,
    limit: number,
    shards?: readonly number[],
  ): Promise<readonly PortfolioId[]> {
    const rows = await this.#pool.read<{ id: string }>({
      name: 'overdue',
      text: `SELECT id FROM portfolio WHERE status IN (1, 4) AND due_from <= $1 AND next_due_at <= $1
        AND ($3::int2[] IS NULL OR shard = ANY ($3))
        ORDER BY next_due_at, id LIMIT $2`,
      values: [at, limit, shards],
    });
    return rows.map(({ id }) => portfolioId(id));
  }

  async withOldRecord(shards?: readonly number[]): Promise<readonly PortfolioId[]> {
    const rows = await this.#pool.read<{ id: string }>({
      name: 'with old record',
      text: `SELECT p.id FROM portfolio p JOIN summary s ON s.portfolio = p.id
        WHERE p.status IN (1, 4) AND s.version < p.version AND ($1::int2[] IS NULL OR p.shard = ANY ($1))
        ORDER BY p.id`,
      values: [shards],
    });
    return rows.map(({ id }) => portfolioId(id));
  }

  async changedAt(account: AccountId): Promise<Instant | undefined> {
    const [row] = await this.#pool.read<{ at: string | null }>(changedAtStatement(account));
    return row === undefined || row.at === null ? undefined : instant(Number(row.at));
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
    if (found !== undefined)
      return { total: found.total, rows: found.rows.map((columns) => this.#row(columns)) };
    const rows = await this.#pool.read<{ total: string } & (PortfolioColumns | { id: null })>(
      pageStatement(query),
    );
    return {
      total: Number(rows[0]?.total ?? 0),
      rows: rows.flatMap((columns) => (columns.id === null ? [] : [this.#row(columns)])),
    };
  }

  /** From the index, if the ledger is large enough for one and it is ready. */
  async #indexed(query: PageQuery): Promise<FoundPage | undefined> {
    if (isAtWorkOnly(query)) return undefined;
    return (await this.isPageIndexReady()) ? await this.#pages.find(query) : undefined;
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
    await Promise.all([this.partitions.close(), this.#commits.close()]);
    await Promise.all([this.#summaries.close(), this.#shapes.close()]);
    await Promise.all([
      this.#pages.close(),
      this.#pool.close(),
      this.#summaryPool.close(),
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

// When an account changed last, without reading all of its portfolios: the time of the last change has no index (decision 7).

/** Ended portfolios looked at: those that ended last have the highest places, or none yet. */
const ENDED_MAX = 20_000;

const CHANGED_AT = `
SELECT max(updated_at) AS at FROM (
  SELECT updated_at FROM portfolio WHERE account = $1 AND status IN (1, 4)
  UNION ALL SELECT updated_at FROM (
    SELECT account, updated_at FROM portfolio WHERE place IS NULL AND status IN (2, 3) ORDER BY id DESC LIMIT ${ENDED_MAX}
  ) AS unplaced WHERE account = $1
  UNION ALL SELECT updated_at FROM (
    SELECT account, updated_at FROM portfolio WHERE place IS NOT NULL ORDER BY place DESC LIMIT ${ENDED_MAX}
  ) AS placed WHERE account = $1
  UNION ALL (SELECT updated_at FROM portfolio WHERE account = $1 ORDER BY submitted_at DESC, id DESC LIMIT 1)
) AS change`;

/**
 * The last change among those at work, those that ended last and the one submitted last. So it is never later than the last of
 * all, and earlier only if that was of a portfolio with more than twenty thousand placed after it.
 */
const changedAtStatement = (account: AccountId) => ({
  name: 'changed at',
  text: CHANGED_AT,
  values: [account],
});
