// When rows arrived, in microseconds that rise with every row: rows of one millisecond keep the order in which they
// arrived, across all files. A clock that is set back gives no stamps until it has caught up.
import type { Instant } from '../values/instant.ts';

const US_PER_MS = 1_000;
/** Rows of a burst may be stamped this far ahead of the clock. */
const AHEAD_US_MAX = 1_000_000;

export class ArrivalStamps {
  #lastUs: number;

  /** Stamps are above `lastUs`. */
  constructor(lastUs = 0) {
    this.#lastUs = lastUs;
  }

  /** The latest stamp. */
  get lastUs(): number {
    return this.#lastUs;
  }

  /** Microseconds since the epoch; `undefined` while the clock is behind the rows already stamped. */
  next(now: Instant): number | undefined {
    const nowUs = now * US_PER_MS;
    if (nowUs > this.#lastUs) this.#lastUs = nowUs;
    else if (this.#lastUs - nowUs < AHEAD_US_MAX) this.#lastUs += 1;
    else return undefined;
    return this.#lastUs;
  }
}
