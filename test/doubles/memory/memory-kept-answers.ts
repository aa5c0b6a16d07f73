// Stored first replies of idempotent requests, in memory, until they expire.
import type { Claim, IdempotentRequest, KeptAnswers } from '../../../src/ports/kept-answers.ts';
import type { Instant } from '../../../src/values/instant.ts';
import { StoreRequests } from '../../../src/virtual/memory/store-requests.ts';

interface Kept {
  readonly digest: string;
  readonly until: Instant;
  answer?: string;
}

export class MemoryKeptAnswers implements KeptAnswers {
  readonly #now: () => Instant;
  readonly #kept = new Map<string, Kept>();
  readonly #requests = new StoreRequests();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  claim({ key, digest, until }: IdempotentRequest): Promise<Claim> {
    return this.#requests.answer(
      () => {
        const held = this.#kept.get(key);
        if (held === undefined || held.until <= this.#now()) {
          this.#kept.set(key, { digest, until });
          return { kind: 'first' };
        }
        if (held.digest !== digest) return { kind: 'other' };
        const { answer } = held;
        return answer === undefined ? { kind: 'unanswered' } : { kind: 'again', answer };
      },
      key,
      digest,
    );
  }

  keep(key: string, answer: string): Promise<void> {
    return this.#requests.answer(
      () => {
        const held = this.#kept.get(key);
        if (held !== undefined) held.answer = answer;
      },
      key,
      answer,
    );
  }

  release(key: string): Promise<void> {
    return this.#requests.answer(() => {
      if (this.#kept.get(key)?.answer === undefined) this.#kept.delete(key);
    }, key);
  }
}
