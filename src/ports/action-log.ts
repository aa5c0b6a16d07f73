// Audit log of manual actions: one record per request that may change an order, kept for ever. Portfolios record
// their actors themselves; this log is for actions without a portfolio.
import type { AccountId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

export interface Action {
  readonly at: Instant;
  readonly keyId: string;
  readonly uid: string;
  readonly nickname: string;
  /** The address the request came from. */
  readonly address: string;
  readonly method: string;
  readonly account: AccountId;
  readonly instrument?: string | undefined;
  readonly label?: string | undefined;
  /** Id of the order, the quote, the Block RFQ or the portfolio. */
  readonly orderId?: string | undefined;
  /** `done`, `refused <code>`, `unknown`, or `fault` if the server itself failed. */
  readonly outcome: string;
}

/** All given conditions must match. */
export interface ActionQuery {
  readonly keyId?: string | undefined;
  readonly account?: string | undefined;
  readonly from?: Instant | undefined;
  readonly limit: number;
}

export interface ActionLog {
  /**
   * Resolves once the record is written, a moment later together with others. A caller that does not wait loses the
   * records of that moment if the process is killed. While the store is unreachable, it resolves after the first
   * attempt and the record stays queued; it is lost if the process dies before the store is back. Never rejects. A
   * record whose write was not confirmed may be stored twice.
   */
  record(action: Action): Promise<void>;
  /** True while the backlog is so long that no new action that needs a record should start. */
  readonly isBehind: boolean;
  /** Newest first. */
  find(query: ActionQuery): Promise<readonly Action[]>;
  /** Writes the backlog, for a limited time, then closes the store. */
  close(): Promise<void>;
}

/** Where an action stands in the trail: by time, and among those of one instant by number. */
export interface ActionPlace {
  readonly at: Instant;
  /** A whole number below 2^63, as text. */
  readonly number: string;
}

export interface PlacedAction extends Action {
  readonly number: string;
}

/** All given conditions must match. */
export interface ActionPageQuery {
  /** Actions of these accounts; the empty id stands for actions of no account. */
  readonly accounts: readonly AccountId[];
  readonly keyId?: string | undefined;
  readonly from?: Instant | undefined;
  /** Only what stands before this place. */
  readonly before?: ActionPlace | undefined;
  readonly limit: number;
}

/** Rejects with {@link import('./ledger.ts').LedgerFailure} if the store cannot answer. */
export interface ActionPages {
  /** Newest first. */
  page(query: ActionPageQuery): Promise<readonly PlacedAction[]>;
}
