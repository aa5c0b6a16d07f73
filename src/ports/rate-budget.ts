// How much of a limit on messages is left, for those who watch. Asked for seldom; changes nothing.

export interface RateBudget {
  /** `messages`: orders and changes; `questions`: what is asked of the venue. */
  readonly bucket: 'messages' | 'questions';
  /** What may leave at once; below zero it was exceeded by what must not wait. */
  readonly tokens: number;
  /** When full. */
  readonly burst: number;
}
