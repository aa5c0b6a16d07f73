// Creates the partitions of tables ahead, one per UTC day. Any number of processes may do so at once. Where it fails,
// rows go to the partition of what has none, and are read from there: it is reported and nothing stops.
import { LedgerFailure } from '../../../ports/ledger.ts';
import { DAY_MS, HOUR_MS, type Instant, instant, isoText } from '../../../values/instant.ts';
import type { ReadPool } from '../read-pool.ts';
import { mendStatement, type PartitionedTable } from './mend-partitions.ts';

export interface DayPartitionsOptions {
  readonly now: () => Instant;
  readonly onFault: (error: unknown) => void;
}

/** Ids of portfolios are the milliseconds of the submit times this, plus a counter. */
const IDS_PER_MS = 1_000;
/** The tables with a partition for each UTC day. */
export const DAY_TABLES: readonly PartitionedTable[] = [
  { table: 'turn', column: 'portfolio', perMs: IDS_PER_MS },
  { table: 'market_second', column: 'second', perMs: 1 },
  { table: 'market_instant', column: 'at', perMs: 1 },
  { table: 'leg_moment', column: 'portfolio', perMs: IDS_PER_MS },
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

  /** Gives wrong partitions of earlier versions the name and the bounds of their day. Never rejects. */
  mend(): Promise<void> {
    this.#current = this.#current.then(async () => {
      for (const one of DAY_TABLES) await this.#write(mendStatement(one));
    });
    return this.#current;
  }

  /** Resolves when nothing is under way. */
  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#current;
  }

  async #create(): Promise<void> {
    const now = this.#options.now();
    const today = now - (now % DAY_MS);
    const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, n) => instant(today + n * DAY_MS));
    const wanted = days.flatMap((day) => DAY_TABLES.map((of) => partitionOf(of, day)));
    // Nearly always all of them.
    const found = await this.#write(foundStatement(wanted));
    if (found === 'away') return;
    const names = new Set(found === 'refused' ? [] : found.map(({ name }) => name));
    for (const one of wanted) {
      if (names.has(one.name)) continue;
      // A day that cannot have one does not keep the others from theirs; a database that is away does.
      if ((await this.#write(statement(one))) === 'away') return;
    }
  }

  async #write(text: string): Promise<readonly { readonly name: string }[] | 'refused' | 'away'> {
    try {
      return await this.#pool.write<{ name: string }>({ text });
    } catch (error) {
      this.#options.onFault(error);
      return error instanceof LedgerFailure && error.maybe ? 'away' : 'refused';
    }
  }
}

interface Partition {
  readonly of: PartitionedTable;
  readonly day: Instant;
  readonly name: string;
}

function partitionOf(of: PartitionedTable, day: Instant): Partition {
  const name = `${of.table}_${isoText(day).slice(0, 10).replaceAll('-', '')}`;
  return { of, day, name };
}

function foundStatement(wanted: readonly Partition[]): string {
  const names = wanted.map(({ name }) => `'${name}'`);
  return `SELECT name FROM unnest(ARRAY[${names.join(', ')}]) AS name WHERE to_regclass(name) IS NOT NULL`;
}

/**
 * Attaching a table, unlike creating a partition, lets commits go on. The lock keeps other processes from doing the same,
 * and shows what they did before.
 */
function statement({ of: { table, perMs }, day, name }: Partition): string {
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
