// The system of record: an append-only log of events per portfolio, and one index row per portfolio. Only what is
// committed here has happened.
import type { Lease } from '../core/ownership/lease.ts';
import type { PortfolioEvent } from '../core/portfolio/aggregate/portfolio-event.ts';
import type { ListedStatus } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { PortfolioSummary } from '../core/portfolio/summary/portfolio-summary.ts';
import { assert } from '../values/assert.ts';
import type {
  AccountId,
  Currency,
  InstrumentName,
  PortfolioId,
  TradeId,
  VenueName,
} from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { InstrumentKind } from '../values/instrument.ts';
import type { ClaimStore } from './deployment/claim-store.ts';

/** The fields by which a portfolio is found and listed; rewritten with every turn. */
export interface PortfolioRow {
  readonly account: AccountId;
  readonly portfolioType: string;
  readonly status: ListedStatus;
  readonly strategy?: string | undefined;
  readonly note: string;
  readonly uid: string;
  readonly lastEditedUid: string;
  readonly instruments: readonly string[];
  readonly kinds: readonly InstrumentKind[];
  readonly coin: string;
  readonly submittedAt: Instant;
  readonly updatedAt: Instant;
  readonly hasFills: boolean;
  /** When the portfolio is next due by the clock; absent when terminal. */
  readonly nextDueAt?: Instant | undefined;
  readonly record: PortfolioSummary;
}

/** Fills are stored once per (venue, fee currency, trade id, label), alongside the events: a trade between two portfolios has two. */
export interface FillRow {
  readonly venue: VenueName;
  readonly currency: Currency;
  readonly tradeId: TradeId;
  readonly label: string;
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
  readonly at: Instant;
}

/** A shard, and the epoch of its lease as its owner knows it. */
export type HeldLease = Pick<Lease, 'shard' | 'epoch'>;

/** The events of one turn of one portfolio, and the data derived from them. */
export interface Turn {
  readonly portfolio: PortfolioId;
  /** Version on which the turn was decided: the number of events before it. 0 for a new portfolio. */
  readonly fromVersion: number;
  readonly events: readonly PortfolioEvent[];
  readonly row: PortfolioRow;
  readonly fills: readonly FillRow[];
  /** Number of messages published for the turn; a turn without any is not in the turn log. */
  readonly tells?: number | undefined;
  /** Idempotency key, unique over the deployment; only on the turn that creates the portfolio. */
  readonly key?: string | undefined;
  /** The portfolio's shard; only on the turn that creates it. A shadow has that of the portfolio it mirrors. */
  readonly shard?: number | undefined;
  /**
   * The lease under which the turn was decided; absent: by a process that does not own the portfolio, or alone. A lease
   * that has another epoch by now refuses the turn.
   */
  readonly lease?: HeldLease | undefined;
  /** It may be written so much later, together with others: nothing is sent because of it before. Default: 0. */
  readonly mayWaitMs?: number | undefined;
  /**
   * The record of the row may be stored up to a second after the turn, together with those of others. Until then other
   * processes read an earlier one; this one reads what it committed. Not for the turn that creates the portfolio.
   */
  readonly summaryMayWait?: boolean | undefined;
  /** Nothing of it has begun: no order of the portfolio is or was sent. Absent: it may have. */
  readonly isPending?: boolean | undefined;
}

export type CommitOutcome =
  | { readonly kind: 'committed' }
  /** Another process changed one of the portfolios first (or the id is taken): load and decide again. */
  | { readonly kind: 'conflict'; readonly portfolio: PortfolioId }
  /** Another process has taken the shard since: decide again as one that does not own it. */
  | { readonly kind: 'lease_lost'; readonly lease: HeldLease }
  /** The idempotency key has been used; `portfolio` is the one it created. */
  | { readonly kind: 'duplicate_key'; readonly portfolio: PortfolioId };

export interface StoredPortfolio {
  readonly portfolio: PortfolioId;
  readonly version: number;
  readonly events: readonly PortfolioEvent[];
}

/** A portfolio that is not terminal, as it is known before its events are read. */
export interface PortfolioAtWork {
  readonly portfolio: PortfolioId;
  readonly shard: number;
  readonly account: AccountId;
  readonly version: number;
  /** When it is next due by the clock. */
  readonly dueAt?: Instant | undefined;
  /** One for each leg. */
  readonly instruments: readonly InstrumentName[];
  /** False: orders of it may be open. */
  readonly isPending: boolean;
}

export interface StoredRow extends PortfolioRow {
  readonly portfolio: PortfolioId;
  readonly version: number;
}

/** All given conditions must match; lists mean "one of". */
export interface PageQuery {
  readonly account?: AccountId | undefined;
  readonly accounts?: readonly AccountId[] | undefined;
  readonly portfolioType?: string | undefined;
  readonly statuses?: readonly ListedStatus[] | undefined;
  readonly kinds?: readonly InstrumentKind[] | undefined;
  /** Exact coin, or part of an instrument name; case-insensitive. */
  readonly coinOrSymbol?: string | undefined;
  readonly instrument?: string | undefined;
  readonly note?: string | undefined;
  readonly submittedFrom?: Instant | undefined;
  readonly submittedTo?: Instant | undefined;
  /** Changed later than this. */
  readonly updatedAfter?: Instant | undefined;
  readonly uids?: readonly string[] | undefined;
  readonly lastEditedUids?: readonly string[] | undefined;
  readonly strategy?: string | undefined;
  readonly hideFullyUnfilled?: boolean | undefined;
  readonly orderBy: 'submittedAt' | 'updatedAt';
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface Page {
  readonly total: number;
  readonly rows: readonly StoredRow[];
}

/** A failure of the store itself (unreachable, disk full). Nothing was committed unless `maybe` is set. */
export class LedgerFailure extends Error {
  override readonly name = 'LedgerFailure';
  /** True if the commit may have happened: read back before deciding again. */
  readonly maybe: boolean;
  constructor(message: string, maybe: boolean, cause?: unknown) {
    super(message, { cause });
    this.maybe = maybe;
  }
}

/**
 * The refusal of text that no store accepts, so that none of them accepts what another refuses: PostgreSQL has no text with a
 * NUL character. `given` are texts, or records and lists of them.
 */
export const nulRefusal = (...given: readonly unknown[]): LedgerFailure | undefined =>
  given.some(hasNul)
    ? new LedgerFailure('text has a NUL character; accepted: text without one', false)
    : undefined;

function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(hasNul);
}

/** Preconditions of a commit; a violation is our own bug. */
export function checkCommit(turns: readonly Turn[]): void {
  if (turns.length > 1) {
    const names = new Set(turns.map(({ portfolio }) => portfolio as string));
    const keys = turns.flatMap(({ key }) => (key === undefined ? [] : [key]));
    assert(
      names.size === turns.length && new Set(keys).size === keys.length,
      'a commit names a portfolio or key twice',
    );
  }
  for (const { fromVersion, events, key, portfolio } of turns) {
    assert(
      fromVersion > 0 || events.length > 0,
      () => `portfolio ${portfolio} begins without an event`,
    );
    assert(
      fromVersion === 0 || key === undefined,
      () => `portfolio ${portfolio} has its key already`,
    );
  }
}

export interface Ledger extends ClaimStore {
  /** Writes all turns or none, durably. Turns of many callers share one transaction. */
  commit(turns: readonly Turn[]): Promise<CommitOutcome>;
  load(portfolio: PortfolioId): Promise<StoredPortfolio | undefined>;
  row(portfolio: PortfolioId): Promise<StoredRow | undefined>;
  /** The portfolio's shard, which never changes; `undefined` if it does not exist. */
  shardOf(portfolio: PortfolioId): Promise<number | undefined>;
  /** Portfolios that are not terminal, in order of id: all of them, or those among the given ones. */
  active(among?: readonly PortfolioId[]): Promise<readonly PortfolioId[]>;
  /** Those of the given shards, in order of id; without `shards` those of all. */
  atWork(shards?: readonly number[]): Promise<readonly PortfolioAtWork[]>;
  /**
   * Portfolios of the given shards, or of all, that are not terminal and have `nextDueAt` at or before `at`, most
   * overdue first.
   */
  overdue(at: Instant, limit: number, shards?: readonly number[]): Promise<readonly PortfolioId[]>;
  /** Portfolios of the given shards, or of all, that are at work and whose stored record a process left unwritten. */
  withOldRecord(shards?: readonly number[]): Promise<readonly PortfolioId[]>;
  /**
   * When a portfolio of the account changed last, or a while before that where that would be long to find; `undefined` if the account
   * has none.
   */
  changedAt(account: AccountId): Promise<Instant | undefined>;
  findByKey(key: string): Promise<PortfolioId | undefined>;
  page(query: PageQuery): Promise<Page>;
  /** Metadata: small named values that survive a restart, such as the strategy cursor and the number of starts. */
  getMetadata(name: string): Promise<string | undefined>;
  setMetadata(name: string, value: string): Promise<void>;
  /** Writes the value if there is none and returns the stored value, the same to all concurrent callers. */
  initMetadata(name: string, value: string): Promise<string>;
  close(): Promise<void>;
}
