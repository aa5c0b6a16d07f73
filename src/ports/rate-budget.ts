// How much of a message rate limit is left, for monitoring. Read seldom; reading changes nothing.

export interface RateBudget {
  /** `messages`: orders and changes; `questions`: queries to the venue. */
  readonly bucket: 'messages' | 'questions';
  /** Messages that may be sent immediately; negative if urgent messages exceeded the limit. */
  readonly tokens: number;
  /** Tokens when full. */
  readonly burst: number;
}
