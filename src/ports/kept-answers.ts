// First answers to requests that carry a key of their sender's, for whoever asks the same again.
import type { Instant } from '../values/instant.ts';

export interface OnceRequest {
  /** Unique over the deployment: whose key it is is part of it. */
  readonly key: string;
  /** Digest of what is asked for. */
  readonly digest: string;
  readonly until: Instant;
}

export type Claim =
  /** Nobody has used the key: the caller acts, then keeps the answer or lets the key go. */
  | { readonly kind: 'first' }
  | { readonly kind: 'again'; readonly answer: string }
  /** The first request is at work, or its process died before there was an answer. */
  | { readonly kind: 'unanswered' }
  /** The key belongs to a request for something else. */
  | { readonly kind: 'other' };

/** All reject with a LedgerFailure while the store is away. */
export interface KeptAnswers {
  claim(request: OnceRequest): Promise<Claim>;
  keep(key: string, answer: string): Promise<void>;
  /** As if the key had not been used; harmless where there is an answer. */
  letGo(key: string): Promise<void>;
}
