// The index averaged over the half hour before an expiry, as far as it has passed: the estimate shown of
// the delivery price. The market says what it really is.
import { HOUR_MS, type Instant, later } from '../../../values/instant.ts';

const WINDOW_MS = HOUR_MS / 2;

export class DeliveryAverage {
  readonly #opensAt: Instant;
  #since: Instant | undefined;
  #lastAt: Instant;
  #lastIndex = 0;
  /** Index × milliseconds. */
  #sum = 0;

  constructor(expiresAt: Instant) {
    this.#opensAt = later(expiresAt, -WINDOW_MS);
    this.#lastAt = this.#opensAt;
  }

  note(at: Instant, index: number): void {
    if (at < this.#opensAt || at < this.#lastAt) return;
    if (this.#since === undefined) this.#since = at;
    else this.#sum += this.#lastIndex * (at - this.#lastAt);
    this.#lastAt = at;
    this.#lastIndex = index;
  }

  /** Weighted by time up to the last index that was noted; `undefined` before the window. */
  get value(): number | undefined {
    if (this.#since === undefined) return undefined;
    const passedMs = this.#lastAt - this.#since;
    return passedMs === 0 ? this.#lastIndex : this.#sum / passedMs;
  }
}
