// How much of a message rate limit is left, for monitoring. Read seldom; reading changes nothing.

import type { AccountId } from '../values/ids.ts';

export interface RateBudget {
  /** Whose limit it is; absent if several accounts share it. */
  readonly account?: AccountId | undefined;
  /** `messages`: orders and changes; `questions`: queries to the venue. */
  readonly bucket: 'messages' | 'questions';
  /** Messages that may be sent immediately; negative if urgent messages exceeded the limit. */
  readonly tokens: number;
  /** Tokens when full. */
  readonly burst: number;
  /** Tokens that only cancels may use; absent: none. */
  readonly reserve?: number;
}
