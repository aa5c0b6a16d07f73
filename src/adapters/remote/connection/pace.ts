// How fast questions may be asked, so that the venue never has to refuse one. Pure: time is given.

export interface PaceRule {
  readonly perSecond: number;
  /** So many at once after a rest. */
  readonly burst: number;
}

export class Pace {
  readonly burst: number;
  readonly #intervalMs: number;
  readonly #slackMs: number;
  /** When all that was asked so far is paid for. */
  #paidAtMs = Number.NEGATIVE_INFINITY;

  constructor({ perSecond, burst }: PaceRule) {
    this.burst = burst;
    this.#intervalMs = 1_000 / perSecond;
    this.#slackMs = (burst - 1) * this.#intervalMs;
  }

  /** How many could be asked at once; below zero, so many wait. */
  left(nowMs: number): number {
    return this.burst - Math.max(0, this.#paidAtMs - nowMs) / this.#intervalMs;
  }

  /** Counts one question; how long it has to wait. */
  takeMs(nowMs: number): number {
    const paidAtMs = Math.max(this.#paidAtMs, nowMs);
    this.#paidAtMs = paidAtMs + this.#intervalMs;
    return Math.max(0, paidAtMs - this.#slackMs - nowMs);
  }
}
