// The calls that one link carries: numbered, answered by number, each within its time. All have the same time, so that one
// timer for the oldest of them is enough; one for each would cost as much as writing the call.
import { PeerUnanswered } from '../../ports/deployment/engine-peers.ts';

interface Asked {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
  /** Of `performance.now()`. */
  readonly untilMs: number;
}

export class PendingCalls {
  readonly #answerMs: number;
  readonly #address: string;
  /** In the order in which they were made, which is that in which their time ends. */
  readonly #asked = new Map<number, Asked>();
  /** Fires at the end of the oldest call's time or before. It outlives calls that are answered. */
  #timer: NodeJS.Timeout | undefined;

  constructor(address: string, answerMs: number) {
    this.#address = address;
    this.#answerMs = answerMs;
  }

  /** How many are not answered. */
  get size(): number {
    return this.#asked.size;
  }

  /** Rejects with `PeerUnanswered` when its time is over. */
  add(id: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject, untilMs: performance.now() + this.#answerMs });
      this.#timer ??= setTimeout(() => this.#late(), this.#answerMs);
    });
  }

  answered(id: number, text: string): void {
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    this.#asked.delete(id);
    asked.resolve(text);
  }

  /** None of them will be answered. */
  lose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lost = [...this.#asked.values()];
    this.#asked.clear();
    const why = `the link to ${this.#address} was lost`;
    for (const { reject } of lost) reject(new PeerUnanswered(why));
  }

  #late(): void {
    this.#timer = undefined;
    const nowMs = performance.now();
    for (const [id, { reject, untilMs }] of this.#asked) {
      if (untilMs > nowMs) {
        this.#timer = setTimeout(() => this.#late(), Math.ceil(untilMs - nowMs));
        return;
      }
      this.#asked.delete(id);
      reject(new PeerUnanswered(`${this.#address} did not answer within ${this.#answerMs} ms`));
    }
  }
}
