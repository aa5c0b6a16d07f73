// Limits how much processor time may be spent waiting for an instant without sleeping. Spinning gains half a
// millisecond of punctuality; without a limit a thousand timers a second would use a whole core.

/** Maximum saved credit: about thirty spins. */
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
