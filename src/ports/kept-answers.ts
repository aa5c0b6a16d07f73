// Idempotency store: keeps the first answer to each request that carries an idempotency key, for repeats of it.
import type { Instant } from '../values/instant.ts';

export interface IdempotentRequest {
  /** Unique over the deployment, because the owner is part of it. */
  readonly key: string;
  /** Digest of the request. */
  readonly digest: string;
  readonly until: Instant;
}

export type Claim =
  /** The key is new: the caller acts, then stores the answer or releases the key. */
  | { readonly kind: 'first' }
  | { readonly kind: 'again'; readonly answer: string }
  /** The first request is still in progress, or its process died before it answered. */
  | { readonly kind: 'unanswered' }
  /** The key was used by a different request. */
  | { readonly kind: 'other' };

/** All methods reject with a LedgerFailure while the store is unreachable. */
export interface KeptAnswers {
  claim(request: IdempotentRequest): Promise<Claim>;
  keep(key: string, answer: string): Promise<void>;
  /** Releases the key as if it had not been used; no effect once there is an answer. */
  release(key: string): Promise<void>;
}
