// The funding rate of a perpetual: it follows from the premium over the index; also its average over the last
// eight hours. Longs pay a positive rate, shorts receive it.
//
// Source: Deribit's perpetual specification: a premium within ±0.025 % costs nothing; beyond that the rate is
// the excess, per eight hours, accruing continuously.
import { HOUR_MS, MINUTE_MS } from '../../../values/instant.ts';

/** The period of a rate. */
const FUNDING_PERIOD_MS = 8 * HOUR_MS;
const DAMPENER = 0.00025;
const MINUTES = FUNDING_PERIOD_MS / MINUTE_MS;
/** Published rates are rounded to this fraction. */
const PER_UNIT = 1e8;

/** Rate per eight hours at a premium; both are fractions. */
export function fundingRate(premium: number): number {
  const rate = Math.max(DAMPENER, premium) + Math.min(-DAMPENER, premium);
  return Math.round(rate * PER_UNIT) / PER_UNIT;
}

/** Is given the premium of the mark price at an instant (epoch milliseconds). */
export class Funding {
  readonly #premiumAt: (atMs: number) => number;
  /** The rate of each of the last minutes, by minute. */
  readonly #rates = new Float64Array(MINUTES);
  #newest = Number.NaN;
  #mean = 0;

  constructor(premiumAt: (atMs: number) => number) {
    this.#premiumAt = premiumAt;
  }

  /** Average rate of the eight hours that end with the minute of `atMs`. */
  lastEightHours(atMs: number): number {
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute === this.#newest) return this.#mean;
    const known =
      this.#newest <= minute && this.#newest > minute - MINUTES ? this.#newest : minute - MINUTES;
    for (let next = known + 1; next <= minute; next += 1) {
      this.#rates[next % MINUTES] = fundingRate(this.#premiumAt(next * MINUTE_MS));
    }
    this.#newest = minute;
    const total = this.#rates.reduce((sum, rate) => sum + rate, 0);
    this.#mean = Math.round((total / MINUTES) * PER_UNIT) / PER_UNIT;
    return this.#mean;
  }
}
