// Writes the summaries of turns behind their commits: the newest of each portfolio at most once a second, those of many
// portfolios in one statement. Until one is stored, this process reads it from here. What a killed process has not
// written is found by comparing versions, and written by the portfolio's next owner.
import type { PortfolioSummary } from '../../../core/portfolio/summary/portfolio-summary.ts';
import type { StopTimer } from '../../../ports/clock.ts';
import { LedgerFailure, type PortfolioRow, type Turn } from '../../../ports/ledger.ts';
import type { PortfolioId } from '../../../values/ids.ts';
import { SECOND_MS } from '../../../values/instant.ts';
import { BinaryArrays } from '../commit/binary-array.ts';
import type { StartTimer } from '../commit/group-commit.ts';
import { recordText } from '../commit/record-text.ts';
import { queryFault } from '../query-fault.ts';
import type { ReadPool } from '../read-pool.ts';

export interface SummaryWriterOptions {
  readonly startTimer?: StartTimer | undefined;
  readonly onFault: (error: unknown) => void;
}

interface Summary {
  /** Of the portfolio when it was as described. */
  readonly version: number;
  /** Has the record, which is made when it is read: of several turns of a second only one is. */
  readonly row: Pick<PortfolioRow, 'record'>;
}

type Waiting = readonly [PortfolioId, Summary];

const EVERY_MS = SECOND_MS;
/** In one statement: it holds the rows for a moment, and a turn that writes one of them with its commit waits for that. */
const ROWS_MAX = 200;

/** A summary of a later version stays. */
const WRITE = `
UPDATE summary s SET record = behind.record::json, version = behind.version
FROM unnest($1::int8[], $2::int4[], $3::text[]) AS behind (portfolio, version, record)
WHERE s.portfolio = behind.portfolio AND s.version < behind.version`;

/** Rows are updated in the order given, as commits do: one index probe for each, so that no two statements deadlock. */
export const SUMMARY_SESSION = [
  ...['hashjoin', 'mergejoin', 'seqscan', 'bitmapscan'].map((one) => `-c enable_${one}=off`),
  '-c plan_cache_mode=force_generic_plan',
].join(' ');

const ARRAYS = new BinaryArrays();

export class SummaryWriter {
  readonly #pool: Pick<ReadPool, 'write'>;
  readonly #startTimer: StartTimer;
  readonly #onFault: (error: unknown) => void;
  readonly #waiting = new Map<PortfolioId, Summary>();
  #timer: StopTimer | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(pool: Pick<ReadPool, 'write'>, options: SummaryWriterOptions) {
    this.#pool = pool;
    this.#startTimer = options.startTimer ?? systemTimer;
    this.#onFault = options.onFault;
  }

  /** To be called with turns that are committed, in the order of each portfolio. */
  committed(turns: readonly Turn[]): void {
    for (const { portfolio, fromVersion, events, row, summaryMayWait } of turns) {
      if (summaryMayWait === true) {
        this.#waiting.set(portfolio, { version: fromVersion + events.length, row });
      } else this.#waiting.delete(portfolio);
    }
    if (this.#waiting.size > 0 && !this.#isClosed) this.#startSoon();
  }

  /** The record that is not stored yet, if it is newer than the one of `version`. */
  newerThan(version: number, portfolio: PortfolioId): PortfolioSummary | undefined {
    const waiting = this.#waiting.get(portfolio);
    return waiting !== undefined && waiting.version > version ? waiting.row.record : undefined;
  }

  /** Writes what waits, once; what cannot be written is left for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.();
    await this.#writing;
    await this.#writeAll();
  }

  #startSoon(): void {
    this.#timer ??= this.#startTimer(EVERY_MS, () => {
      this.#writing = this.#writeAll().then(() => {
        this.#timer = undefined;
        if (this.#waiting.size > 0 && !this.#isClosed) this.#startSoon();
      });
    });
  }

  /** Never rejects: what is not written continues waiting. */
  async #writeAll(): Promise<void> {
    const all = [...this.#waiting].sort(([a], [b]) => Number(a) - Number(b));
    for (let from = 0; from < all.length; from += ROWS_MAX) {
      await this.#writeSome(all.slice(from, from + ROWS_MAX));
    }
  }

  /** One that cannot be stored does not keep the others from being written. */
  async #writeSome(some: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(some);
    } catch (error) {
      const isRefused = error instanceof LedgerFailure && queryFault(error.cause) === 'refused';
      if (!isRefused || some.length === 1) this.#onFault(error);
      else for (const one of some) await this.#writeSome([one]);
    }
  }

  async #write(some: readonly Waiting[]): Promise<void> {
    const values = [
      ARRAYS.int8(some.map(([portfolio]) => Number(portfolio))),
      ARRAYS.int4(some.map(([, { version }]) => version)),
      ARRAYS.text(some.map(([, { row }]) => recordText(row.record))),
    ];
    await this.#pool.write({ name: 'write summaries', text: WRITE, values });
    for (const [portfolio, written] of some) {
      if (this.#waiting.get(portfolio) === written) this.#waiting.delete(portfolio);
    }
  }
}

const systemTimer: StartTimer = (delayMs, then) => {
  const timer = setTimeout(then, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};
