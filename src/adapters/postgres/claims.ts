// One-time keys, each claimed by the first caller. Claims that arrive while a statement is in flight share
// the next one, so that a flood of requests costs a few transactions and not one each.
import { CLAIM_MS_MAX, claimTooLong } from '../../ports/deployment/claim-store.ts';
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
 * Tables that take turns, as the schema describes: a period is as long as the longest claim, so that those of this period and the
 * next have all live claims, and one is cleared.
 */
const TABLES = 4;
const PERIOD_MS = CLAIM_MS_MAX;

const periodOf = (at: Instant): number => Math.floor(at / PERIOD_MS);
const tableOf = (period: number): number => ((period % TABLES) + TABLES) % TABLES;

/**
 * In key order, so that two processes never deadlock. Only keys already claimed are returned: there are
 * hardly any. A key that is claimed again with an end in another period is in the other table; the same request, sent
 * twice, is always in the same, where the primary key decides. Of no more tables, so that one that is cleared is not read.
 */
const claimIn = (table: number, other: number): string => `
WITH asked AS MATERIALIZED (SELECT * FROM unnest($1::text[], $2::int8[]) AS t (key, until)),
taken AS (INSERT INTO claim_${table} AS held (key, until) SELECT key, until FROM asked
  WHERE NOT EXISTS (SELECT FROM claim_${other} WHERE claim_${other}.key = asked.key AND claim_${other}.until > $3)
  ORDER BY key
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

const ARRAYS = new BinaryArrays();

export interface ClaimsOptions {
  readonly now: () => Instant;
  readonly onFault: (error: unknown) => void;
}

export class Claims {
  readonly #pool: Pick<ReadPool, 'write'>;
  readonly #now: () => Instant;
  readonly #onFault: (error: unknown) => void;
  /** In which a table was cleared last. */
  #period: number | undefined;
  #waiting: Asked[] = [];
  #underWay = 0;
  #isGathering = false;

  constructor(pool: Pick<ReadPool, 'write'>, { now, onFault }: ClaimsOptions) {
    this.#pool = pool;
    this.#now = now;
    this.#onFault = onFault;
  }

  /**
   * True for the first caller to claim `key` before the instant it is claimed until.
   * @throws LedgerFailure if the outcome is unknown; the key may then be claimed. RangeError if `until` is more than
   * {@link CLAIM_MS_MAX} ahead.
   */
  claim(key: string, until: Instant): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (until - this.#now() > CLAIM_MS_MAX) throw claimTooLong(until);
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
   * Those of one table. A key is in a statement once; a second caller in the same batch is too late, whatever becomes of the
   * first.
   */
  #next(): Map<string, Asked> {
    const batch = new Map<string, Asked>();
    const others: Asked[] = [];
    const period = periodOf(must(this.#waiting[0], 'claims wait').until);
    for (const asked of this.#waiting) {
      if (periodOf(asked.until) !== period || batch.size === CLAIMS_MAX) others.push(asked);
      else if (batch.has(asked.key)) asked.resolve(false);
      else batch.set(asked.key, asked);
    }
    this.#waiting = others;
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
    const now = this.#now();
    this.#clear(periodOf(now));
    const period = periodOf(must(all[0], 'claims are asked').until);
    const table = tableOf(period);
    const other = tableOf(period > periodOf(now) ? period - 1 : period + 1);
    const values = [
      ARRAYS.text(all.map((asked) => asked.key)),
      ARRAYS.int8(all.map((asked) => asked.until)),
      now,
    ];
    try {
      const [answer] = await this.#pool.write<Answer>({
        name: `claim once ${table} ${other}`,
        text: claimIn(table, other),
        values,
      });
      return must(answer, 'claims have one answer');
    } finally {
      this.#underWay -= 1;
      this.#send();
    }
  }

  /** Once a period: the table that is used again after the next one; one that could not be cleared is four periods later. */
  #clear(period: number): void {
    if (period === this.#period) return;
    this.#period = period;
    const values = [tableOf(period + 2), this.#now()];
    this.#pool
      .write({ name: 'clear claims', text: 'SELECT clear_claims($1, $2)', values })
      .catch(this.#onFault);
  }
}
