// Creates the partitions of turns ahead, one per UTC day of submit. Any number of processes may do so at once. Where it
// fails, turns go to the partition of what has none, and are read from there: it is reported and nothing stops.
import { LedgerFailure } from '../../../ports/ledger.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, isoText } from '../../../values/instant.ts';
import type { ReadPool } from '../read-pool.ts';

export interface TurnPartitionsOptions {
  readonly now: () => Instant;
  readonly onFault: (error: unknown) => void;
}

/** Today and the week after it: for so long a database may refuse new tables. */
const DAYS_AHEAD = 7;
/** Ids are the milliseconds of the submit times this, plus a counter. */
const IDS_PER_MS = 1_000;

export class TurnPartitions {
  readonly #pool: Pick<ReadPool, 'write'>;
  readonly #options: TurnPartitionsOptions;
  readonly #timer: NodeJS.Timeout;
  #current = Promise.resolve();

  constructor(pool: Pick<ReadPool, 'write'>, options: TurnPartitionsOptions) {
    this.#pool = pool;
    this.#options = options;
    this.#timer = setInterval(() => void this.createAhead(), HOUR_MS);
    this.#timer.unref();
  }

  /** Never rejects. */
  createAhead(): Promise<void> {
    this.#current = this.#current.then(() => this.#create());
    return this.#current;
  }

  /** Resolves when nothing is under way. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#current;
  }

  async #create(): Promise<void> {
    const { now, onFault } = this.#options;
    const today = now() - (now() % DAY_MS);
    for (let n = 0; n <= DAYS_AHEAD; n += 1) {
      try {
        await this.#pool.write({ text: statement(instant(today + n * DAY_MS)) });
      } catch (error) {
        onFault(error);
        // A day that cannot have one does not keep the others from theirs; a database that is away does.
        if (error instanceof LedgerFailure && error.maybe) return;
      }
    }
  }
}

/**
 * Attaching a table, unlike creating a partition, lets commits go on. The lock keeps other processes from doing the same,
 * and shows what they did before.
 */
function statement(day: Instant): string {
  const name = `turn_${isoText(day).slice(0, 10).replaceAll('-', '')}`;
  const [from, to] = [day * IDS_PER_MS, (day + DAY_MS) * IDS_PER_MS];
  return `DO $$ BEGIN
  IF to_regclass('${name}') IS NULL THEN
    PERFORM set_config('lock_timeout', '1s', true);
    LOCK TABLE ONLY turn IN SHARE UPDATE EXCLUSIVE MODE;
    IF to_regclass('${name}') IS NULL THEN
      CREATE TABLE ${name} (LIKE turn INCLUDING ALL);
      ALTER TABLE turn ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to});
    END IF;
  END IF;
END $$;`;
}
