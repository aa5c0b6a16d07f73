// Limits the rate of queries so that the venue never has to refuse one. Pure: the time is passed in.

export interface PaceRule {
  readonly perSecond: number;
  /** The most queries at once after an idle period. */
  readonly burst: number;
}

export class Pace {
  readonly burst: number;
  readonly #intervalMs: number;
  readonly #slackMs: number;
  /** The instant at which all queries so far are within the rate. */
  #paidAtMs = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst }: PaceRule) {
    this.burst = burst;
    this.#intervalMs = 1_000 / perSecond;
    this.#slackMs = (burst - 1) * this.#intervalMs;
  }

  /** How many queries could be sent now; if negative, how many are waiting. */
  left(nowMs: number): number {
    return this.burst - Math.max(0, this.#paidAtMs - nowMs) / this.#intervalMs;
  }

  /** Counts one query and returns how long it has to wait. */
  takeMs(nowMs: number): number {
    const paidAtMs = Math.max(this.#paidAtMs, nowMs);
    this.#paidAtMs = paidAtMs + this.#intervalMs;
    return Math.max(0, paidAtMs - this.#slackMs - nowMs);
  }
}
