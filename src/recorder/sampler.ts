// When a part of a market is queried again: after a change, but not more often than every so often, and without a change
// often enough that silence in the recording means a gap. Times are of a monotonic clock.

/** An unchanged market is recorded again after this: half of what readers take for a gap. */
export const CONFIRM_MS = 5_000;
/** After a query that was not answered. */
const RETRY_MS = 1_000;

export class Sampler {
  readonly #everyMs: number;
  #isMoved = true;
  #isReading = false;
  #nextMs = 0;
  #confirmMs = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** The market changed. */
  note(): void {
    this.#isMoved = true;
  }

  isDue(nowMs: number): boolean {
    if (this.#isReading || nowMs < this.#nextMs) return false;
    return this.#isMoved || nowMs >= this.#confirmMs;
  }

  begin(nowMs: number): void {
    this.#isReading = true;
    this.#isMoved = false;
    this.#nextMs = nowMs + this.#everyMs;
  }

  /** `writtenMs` is when the row that was written the longest ago was. */
  answered(writtenMs: number): void {
    this.#isReading = false;
    this.#confirmMs = writtenMs + CONFIRM_MS;
  }

  failed(nowMs: number): void {
    this.#isReading = false;
    this.#isMoved = true;
    this.#nextMs = nowMs + Math.max(RETRY_MS, this.#everyMs);
  }
}
