// The calls that one link carries: numbered, answered by number, each within its time.
import { PeerUnanswered } from '../../ports/deployment/engine-peers.ts';

interface Asked {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class AskedCalls {
  readonly #answerMs: number;
  readonly #address: string;
  readonly #asked = new Map<number, Asked>();

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
      const timer = setTimeout(() => {
        this.#asked.delete(id);
        const why = `${this.#address} did not answer within ${this.#answerMs} ms`;
        reject(new PeerUnanswered(why));
      }, this.#answerMs);
      this.#asked.set(id, { resolve, reject, timer });
    });
  }

  answered(id: number, text: string): void {
    const asked = this.#asked.get(id);
    if (asked === undefined) return;
    this.#asked.delete(id);
    clearTimeout(asked.timer);
    asked.resolve(text);
  }

  /** None of them will be answered. */
  lose(): void {
    for (const { reject, timer } of this.#asked.values()) {
      clearTimeout(timer);
      reject(new PeerUnanswered(`the link to ${this.#address} was lost`));
    }
    this.#asked.clear();
  }
}
