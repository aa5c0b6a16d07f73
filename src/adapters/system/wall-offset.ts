// The offset of the wall clock from the monotonic clock. Slow corrections (slewing) are followed; a jump is
// not: it is recorded separately, so that what was armed before keeps its moment.

/** Reads both clocks; a seam, so that tests can make the wall clock jump. */
export interface TimeSource {
  /** Whole milliseconds since the epoch. */
  wallMs(): number;
  /** Milliseconds with fractions, never stepping. */
  monotonicMs(): number;
}

export const NODE_TIME: TimeSource = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
};

/** A divergence of wall and monotonic clock by more than this between two readings is a step. */
export const STEP_MIN_MS = 250;
/** The wall clock's last digit changes within 1 ms; the bound is for a wall clock that stands still. */
const EDGE_WAIT_MS_MAX = 2;

export class WallOffset {
  readonly #source: TimeSource;
  readonly #onStep: (deltaMs: number) => void;
  /** Follows slewing, not steps. */
  #steadyMs: number;
  #stepsMs = 0;

  constructor(source: TimeSource, onStep: (deltaMs: number) => void) {
    this.#source = source;
    this.#onStep = onStep;
    this.#steadyMs = this.#edge();
  }

  /**
   * Reads both clocks and returns the steady time: wall time without the jumps since the start, to a fraction
   * of a millisecond, never ahead of the wall clock.
   */
  steadyNowMs(): number {
    for (;;) {
      const mono = this.#source.monotonicMs();
      // The wall clock is truncated to whole milliseconds, so the true offset lies in [low, low + 1).
      const low = this.#source.wallMs() - mono;
      const known = this.#steadyMs + this.#stepsMs;
      const isOff = low > known || low + 1 <= known;
      // The process stood still between the two readings: they are of different moments.
      if (isOff && Math.abs(low - known) > STEP_MIN_MS && this.#passedSince(mono) > STEP_MIN_MS)
        continue;
      if (isOff) this.#move(low - known);
      return mono + this.#steadyMs;
    }
  }

  /** The steady time at which the wall clock, as set now, will show `wallMs`. */
  toSteadyMs(wallMs: number): number {
    return wallMs - this.#stepsMs;
  }

  #move(deltaMs: number): void {
    if (Math.abs(deltaMs) <= STEP_MIN_MS) {
      this.#steadyMs += deltaMs;
      return;
    }
    this.#stepsMs += deltaMs;
    this.#onStep(Math.round(deltaMs));
  }

  /** The offset at the moment the wall clock's last digit changes: the best estimate there is. */
  #edge(): number {
    const start = this.#source.monotonicMs();
    const wall = this.#source.wallMs();
    for (;;) {
      const before = this.#source.monotonicMs();
      const next = this.#source.wallMs();
      const mono = this.#source.monotonicMs();
      if (mono - before > EDGE_WAIT_MS_MAX) continue;
      if (next !== wall || mono - start > EDGE_WAIT_MS_MAX) return next - mono;
    }
  }

  #passedSince(monoMs: number): number {
    return this.#source.monotonicMs() - monoMs;
  }
}
