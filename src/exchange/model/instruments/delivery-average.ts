// The average of the index over the half hour before an expiry, so far: the published estimate of the
// delivery price. The market source supplies the actual delivery price.
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

  /** Time-weighted up to the last index noted; `undefined` before the window starts. */
  get value(): number | undefined {
    if (this.#since === undefined) return undefined;
    const passedMs = this.#lastAt - this.#since;
    return passedMs === 0 ? this.#lastIndex : this.#sum / passedMs;
  }
}
