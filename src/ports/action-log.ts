// Who did what by hand: one record per request that may change an order, kept for ever. Portfolios carry
// their own names; this is for what has no portfolio.
import type { AccountId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';

export interface Action {
  readonly at: Instant;
  readonly keyId: string;
  readonly uid: string;
  readonly nickname: string;
  /** Where the request came from. */
  readonly address: string;
  readonly method: string;
  readonly account: AccountId;
  readonly instrument?: string | undefined;
  readonly label?: string | undefined;
  /** Of the order, the quote, the Block RFQ or the portfolio. */
  readonly orderId?: string | undefined;
  /** `done`, `refused <code>`, `unknown`, or `fault` where the server itself failed. */
  readonly outcome: string;
}

/** All given conditions hold. */
export interface ActionQuery {
  readonly keyId?: string | undefined;
  readonly account?: string | undefined;
  readonly from?: Instant | undefined;
  readonly limit: number;
}

export interface ActionLog {
  /**
   * Resolves when it is written, a moment later together with others. Whoever does not wait for that
   * loses what was noted in that moment when the process is killed. While the store is away it resolves after the first attempt, and the
   * record waits: it is lost if the process dies before the store is back. Never rejects. A record whose
   * writing was not confirmed may be there twice.
   */
  record(action: Action): Promise<void>;
  /** True while so much waits that nothing more should be begun that needs a record. */
  readonly isBehind: boolean;
  /** Newest first. */
  find(query: ActionQuery): Promise<readonly Action[]>;
  /** Writes what waits, for a moment, then leaves the store. */
  close(): Promise<void>;
}
