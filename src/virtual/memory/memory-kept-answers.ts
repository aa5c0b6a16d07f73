// Stored first replies of idempotent requests, in memory, until they expire.
import type { Claim, KeptAnswers, OnceRequest } from '../../ports/kept-answers.ts';
import type { Instant } from '../../values/instant.ts';

interface Kept {
  readonly digest: string;
  readonly until: Instant;
  answer?: string;
}

export class MemoryKeptAnswers implements KeptAnswers {
  readonly #now: () => Instant;
  readonly #kept = new Map<string, Kept>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  claim({ key, digest, until }: OnceRequest): Promise<Claim> {
    const held = this.#kept.get(key);
    if (held === undefined || held.until <= this.#now()) {
      this.#kept.set(key, { digest, until });
      return Promise.resolve({ kind: 'first' });
    }
    if (held.digest !== digest) return Promise.resolve({ kind: 'other' });
    const { answer } = held;
    return Promise.resolve(
      answer === undefined ? { kind: 'unanswered' } : { kind: 'again', answer },
    );
  }

  keep(key: string, answer: string): Promise<void> {
    const held = this.#kept.get(key);
    if (held !== undefined) held.answer = answer;
    return Promise.resolve();
  }

  release(key: string): Promise<void> {
    if (this.#kept.get(key)?.answer === undefined) this.#kept.delete(key);
    return Promise.resolve();
  }
}
