// One-time keys, each claimed by the first caller. Claims that arrive while a statement is in flight share
// the next one, so that a flood of requests costs a few transactions and not one each.
import { LedgerFailure } from '../../ports/ledger.ts';
import { assert, must } from '../../values/assert.ts';
import type { Instant } from '../../values/instant.ts';
import { BinaryArrays } from './commit/binary-array.ts';
import type { ReadPool } from './read-pool.ts';

interface Asked {
  readonly key: string;
  readonly until: Instant;
  readonly resolve: (isFirst: boolean) => void;
  readonly reject: (failure: unknown) => void;
}

const CLAIMS_MAX = 500;
/** A batch of this size is not delayed for more: the database looks it up while the next requests are read. */
const CLAIMS_ENOUGH = 64;
/** Concurrent statements; those that share no key do not block each other. */
const STATEMENTS_MAX = 2;

/**
 * In key order, so that two processes never deadlock. Only keys already claimed are returned: there are
 * hardly any.
 */
const CLAIM = `
WITH asked AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::int8[]) AS t (key, until)),
swept AS (DELETE FROM claim WHERE key IN (
  SELECT key FROM claim WHERE until <= $3 AND NOT EXISTS (SELECT FROM asked WHERE asked.key = claim.key)
  ORDER BY until LIMIT $4 FOR UPDATE SKIP LOCKED)),
taken AS (INSERT INTO claim AS held (key, until) SELECT key, until FROM asked ORDER BY key
  ON CONFLICT (key) DO UPDATE SET until = excluded.until WHERE held.until <= $3
  RETURNING key)
SELECT (SELECT count(*)::int4 FROM taken) AS taken,
  ARRAY(SELECT key FROM asked WHERE NOT EXISTS (SELECT FROM taken WHERE taken.key = asked.key)) AS held`;

interface Answer {
  /** Number of keys claimed. */
  readonly taken: number;
  /** Keys that were claimed before. */
  readonly held: readonly string[];
}

/** More are removed than are added, or a table once filled would never shrink. */
const SWEPT_AT_LEAST = 20;
const SWEPT_PER_CLAIM = 2;

const ARRAYS = new BinaryArrays();

export class Claims {
  readonly #pool: Pick<ReadPool, 'write'>;
  readonly #now: () => Instant;
  #waiting: Asked[] = [];
  #underWay = 0;
  #isGathering = false;

  constructor(pool: Pick<ReadPool, 'write'>, now: () => Instant) {
    this.#pool = pool;
    this.#now = now;
  }

  /**
   * True for the first caller to claim `key` before the instant it is claimed until.
   * @throws LedgerFailure if the outcome is unknown; the key may then be claimed.
   */
  claim(key: string, until: Instant): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ key, until, resolve, reject }) >= CLAIMS_ENOUGH) this.#send();
      else if (this.#underWay === 0) this.#gather();
    });
  }

  /** Claims of the same event-loop turn share a statement. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    queueMicrotask(() => {
      this.#isGathering = false;
      if (this.#underWay === 0) this.#send();
    });
  }

  /** Sends the pending claims unless enough statements are in flight. */
  #send(): void {
    if (this.#waiting.length === 0 || this.#underWay >= STATEMENTS_MAX) return;
    this.#underWay += 1;
    void this.#write(this.#next());
  }

  /**
   * A key is in a statement once; a second caller in the same batch is too late, whatever becomes of the
   * first.
   */
  #next(): Map<string, Asked> {
    const batch = new Map<string, Asked>();
    for (const asked of this.#waiting.splice(0, CLAIMS_MAX)) {
      if (batch.has(asked.key)) asked.resolve(false);
      else batch.set(asked.key, asked);
    }
    return batch;
  }

  async #write(batch: ReadonlyMap<string, Asked>): Promise<void> {
    const all = [...batch.values()];
    try {
      const { taken, held } = await this.#answer(all);
      assert(taken + held.length === batch.size, 'a key is either claimed or held');
      const others = new Set(held);
      for (const { key, resolve } of all) resolve(!others.has(key));
    } catch (error) {
      const failure =
        error instanceof LedgerFailure ? error : new LedgerFailure('claims failed', true, error);
      for (const { reject } of all) reject(failure);
    }
  }

  /** The next statement is sent before the callers of this one continue: the database never waits for them. */
  async #answer(all: readonly Asked[]): Promise<Answer> {
    const sweep = Math.max(SWEPT_AT_LEAST, SWEPT_PER_CLAIM * all.length);
    const values = [
      ARRAYS.text(all.map((asked) => asked.key)),
      ARRAYS.int8(all.map((asked) => asked.until)),
      this.#now(),
      sweep,
    ];
    try {
      const asking = { name: 'claim once', text: CLAIM, values };
      const [answer] = await this.#pool.write<Answer>(asking);
      return must(answer, 'claims have one answer');
    } finally {
      this.#underWay -= 1;
      this.#send();
    }
  }
}
