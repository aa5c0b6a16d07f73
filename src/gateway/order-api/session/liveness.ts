// Whether a connection still has somebody at the other end. Pure: time is given. With heartbeats, a
// client that said nothing for an interval is asked to test, and has one more interval to do so.

/**
 * `beat`, `ask`: send a heartbeat or a test request. `idle`, `unanswered`: end the connection.
 */
export type LivenessVerdict = 'fine' | 'beat' | 'ask' | 'idle' | 'unanswered';

export class Liveness {
  readonly #idleMs: number;
  #heardAtMs: number;
  #intervalMs = 0;
  #beatAtMs = 0;
  #isAsked = false;
  /** Since the last beat. */
  #wasHeard = false;

  constructor(idleMs: number, nowMs: number) {
    this.#idleMs = idleMs;
    this.#heardAtMs = nowMs;
  }

  heard(nowMs: number): void {
    this.#heardAtMs = nowMs;
    this.#wasHeard = true;
  }

  /** The answer to a test request. */
  tested(): void {
    this.#isAsked = false;
  }

  /** 0 ends heartbeats. */
  setInterval(intervalMs: number, nowMs: number): void {
    this.#intervalMs = intervalMs;
    this.#beatAtMs = nowMs;
    this.#isAsked = false;
    this.#wasHeard = false;
  }

  /** To be called now and then; what it tells to send counts as sent. */
  check(nowMs: number): LivenessVerdict {
    if (nowMs - this.#heardAtMs > this.#idleMs) return 'idle';
    if (this.#intervalMs === 0 || nowMs - this.#beatAtMs < this.#intervalMs) return 'fine';
    if (this.#isAsked) return 'unanswered';
    this.#beatAtMs = nowMs;
    this.#isAsked = !this.#wasHeard;
    this.#wasHeard = false;
    return this.#isAsked ? 'ask' : 'beat';
  }
}
