// How much of the processor may be spent waiting for an instant without sleeping. Spinning buys half a
// millisecond of punctuality; without a bound a thousand timers a second would buy a whole core.

/** Credit saved up at most: some thirty spins. */
const CREDIT_MS_MAX = 40;

export class SpinBudget {
  readonly #share: number;
  #creditMs = CREDIT_MS_MAX;
  #seenMs = 0;

  /** `share` of the time, 0 to 1, may be spent spinning on average. */
  constructor(share: number) {
    this.#share = share;
  }

  allows(nowMs: number): boolean {
    const earned = Math.max(0, nowMs - this.#seenMs) * this.#share;
    this.#creditMs = Math.min(CREDIT_MS_MAX, this.#creditMs + earned);
    this.#seenMs = nowMs;
    return this.#creditMs > 0;
  }

  spend(spentMs: number): void {
    this.#creditMs -= spentMs;
  }
}
