// Creates the partitions of tables ahead, one per UTC day. Any number of processes may do so at once. Where it fails,
// rows go to the partition of what has none, and are read from there: it is reported and nothing stops.
import { LedgerFailure } from '../../../ports/ledger.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, isoText } from '../../../values/instant.ts';
import type { ReadPool } from '../read-pool.ts';

export interface DayPartitionsOptions {
  readonly now: () => Instant;
  readonly onFault: (error: unknown) => void;
}

/** A table, and what its partition key gains in a millisecond. */
interface Partitioned {
  readonly table: string;
  readonly perMs: number;
}

/** Ids of portfolios are the milliseconds of the submit times this, plus a counter. */
const IDS_PER_MS = 1_000;
const TABLES: readonly Partitioned[] = [
  { table: 'turn', perMs: IDS_PER_MS },
  { table: 'market_second', perMs: 1 },
  { table: 'leg_moment', perMs: IDS_PER_MS },
];
/** Today and the week after it: for so long a database may refuse new tables. */
const DAYS_AHEAD = 7;

export class DayPartitions {
  readonly #pool: Pick<ReadPool, 'write'>;
  readonly #options: DayPartitionsOptions;
  readonly #timer: NodeJS.Timeout;
  #current = Promise.resolve();

  constructor(pool: Pick<ReadPool, 'write'>, options: DayPartitionsOptions) {
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
      const day = instant(today + n * DAY_MS);
      for (const one of TABLES) {
        try {
          await this.#pool.write({ text: statement(one, day) });
        } catch (error) {
          onFault(error);
          // A day that cannot have one does not keep the others from theirs; a database that is away does.
          if (error instanceof LedgerFailure && error.maybe) return;
        }
      }
    }
  }
}

/**
 * Attaching a table, unlike creating a partition, lets commits go on. The lock keeps other processes from doing the same,
 * and shows what they did before.
 */
function statement({ table, perMs }: Partitioned, day: Instant): string {
  const name = `${table}_${isoText(day).slice(0, 10).replaceAll('-', '')}`;
  const [from, to] = [day * perMs, (day + DAY_MS) * perMs];
  return `DO $$ BEGIN
  IF to_regclass('${name}') IS NULL THEN
    PERFORM set_config('lock_timeout', '1s', true);
    LOCK TABLE ONLY ${table} IN SHARE UPDATE EXCLUSIVE MODE;
    IF to_regclass('${name}') IS NULL THEN
      CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL);
      ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${from}) TO (${to});
    END IF;
  END IF;
END $$;`;
}
