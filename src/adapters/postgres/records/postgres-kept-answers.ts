// First replies in PostgreSQL, by idempotency key. Every insert also deletes a few expired ones.
import type { Claim, IdempotentRequest, KeptAnswers } from '../../../ports/kept-answers.ts';
import type { Instant } from '../../../values/instant.ts';
import type { ReadPool } from '../read-pool.ts';

const CLAIM = `
WITH swept AS (DELETE FROM kept_answer WHERE key IN (
  SELECT key FROM kept_answer WHERE until <= $4 AND key <> $1 ORDER BY until LIMIT 20
  FOR UPDATE SKIP LOCKED))
INSERT INTO kept_answer AS held (key, digest, until) VALUES ($1, $2, $3)
ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, until = excluded.until, answer = NULL
WHERE held.until <= $4
RETURNING key`;

interface Held {
  readonly digest: string;
  readonly answer: string | null;
}

export class PostgresKeptAnswers implements KeptAnswers {
  readonly #pool: ReadPool;
  readonly #now: () => Instant;

  constructor(pool: ReadPool, now: () => Instant) {
    this.#pool = pool;
    this.#now = now;
  }

  async claim({ key, digest, until }: IdempotentRequest): Promise<Claim> {
    for (;;) {
      const values = [key, digest, until, this.#now()];
      const claimed = await this.#pool.write({ name: 'claim answer', text: CLAIM, values });
      if (claimed.length === 1) return { kind: 'first' };
      const [held] = await this.#pool.read<Held & Record<string, unknown>>({
        name: 'held answer',
        text: 'SELECT digest, answer FROM kept_answer WHERE key = $1',
        values: [key],
      });
      // Deleted in the meantime by its owner.
      if (held === undefined) continue;
      if (held.digest !== digest) return { kind: 'other' };
      return held.answer === null ? { kind: 'unanswered' } : { kind: 'again', answer: held.answer };
    }
  }

  async keep(key: string, answer: string): Promise<void> {
    await this.#pool.write({
      name: 'keep answer',
      text: 'UPDATE kept_answer SET answer = $2 WHERE key = $1',
      values: [key, answer],
    });
  }

  async release(key: string): Promise<void> {
    await this.#pool.write({
      name: 'let answer go',
      text: 'DELETE FROM kept_answer WHERE key = $1 AND answer IS NULL',
      values: [key],
    });
  }
}
