// Detects dead connections. Pure: the time is a parameter. With heartbeats on, a client that was silent for one
// interval gets a test request and has one more interval to answer.

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
  /** Whether a frame has arrived since the last heartbeat. */
  #wasHeard = false;

  constructor(idleMs: number, nowMs: number) {
    this.#idleMs = idleMs;
    this.#heardAtMs = nowMs;
  }

  heard(nowMs: number): void {
    this.#heardAtMs = nowMs;
    this.#wasHeard = true;
  }

  /** Called when the client answered a test request. */
  tested(): void {
    this.#isAsked = false;
  }

  /** Sets the heartbeat interval; 0 turns heartbeats off. */
  setInterval(intervalMs: number, nowMs: number): void {
    this.#intervalMs = intervalMs;
    this.#beatAtMs = nowMs;
    this.#isAsked = false;
    this.#wasHeard = false;
  }

  /** Must be called periodically; a heartbeat or test request in the verdict counts as sent. */
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
