// Reads the audit trail page by page, for clients that look at it while it is being written.
import type { AccountId } from '../values/ids.ts';
import type { Instant } from '../values/instant.ts';
import type { Action } from './action-log.ts';

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
