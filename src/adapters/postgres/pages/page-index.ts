// Client of the thread that answers pages. The thread runs only once there are so many ended portfolios that
// reading them all takes long; until it is ready, and whenever it fails, pages are read from the database.

import { Worker } from 'node:worker_threads';
import type { PortfolioSummary } from '../../../core/portfolio/summary/portfolio-summary.ts';
import type { PageQuery } from '../../../ports/ledger.ts';
import { InvariantBroken } from '../../../values/assert.ts';
import type { PortfolioColumns } from '../stored-row.ts';

export interface PageQuestion {
  readonly number: number;
  readonly query: PageQuery;
}

/** With the record as JSON text. */
export type TextRow = Omit<PortfolioColumns, 'record'> & { readonly record: string };

export interface FoundRows {
  readonly total: number;
  readonly rows: readonly TextRow[];
}

export interface PageAnswer extends FoundRows {
  readonly number: number;
  /** An error does not keep its class between threads. */
  readonly fault?: { readonly why: string; readonly isMistake: boolean };
}

export interface FoundPage {
  readonly total: number;
  readonly rows: readonly PortfolioColumns[];
}

export interface PageIndexOptions {
  readonly connectionString: string;
  readonly onFault: (error: unknown) => void;
}

/** After a failure the thread is not restarted immediately. */
const RESTART_MS = 10_000;

export class PageIndex {
  readonly #options: PageIndexOptions;
  #worker: Worker | undefined;
  #isReady = false;
  #notBefore = 0;
  #number = 0;
  readonly #asked = new Map<number, (answer: FoundPage | undefined) => void>();

  constructor(options: PageIndexOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Starts the thread; does nothing while it runs. */
  start(): void {
    if (this.#worker !== undefined || performance.now() < this.#notBefore) return;
    const { connectionString } = this.#options;
    const own = import.meta.url;
    const file = new URL(own.endsWith('.ts') ? './page-worker.ts' : './page-worker.js', own);
    const worker = new Worker(file, { workerData: { connectionString } });
    this.#worker = worker;
    worker.on('message', (told: 'ready' | PageAnswer) => this.#receive(told));
    worker.on('error', (error) => this.#options.onFault(error));
    worker.on('exit', () => this.#gone(worker));
    worker.unref();
  }

  /** `undefined` if the thread cannot answer. */
  find(query: PageQuery): Promise<FoundPage | undefined> {
    const worker = this.#worker;
    if (worker === undefined || !this.#isReady) return Promise.resolve(undefined);
    this.#number += 1;
    const number = this.#number;
    return new Promise((done) => {
      this.#asked.set(number, done);
      // The thread keeps the process alive only while a caller waits for it.
      worker.ref();
      worker.postMessage({ number, query } satisfies PageQuestion);
    });
  }

  async close(): Promise<void> {
    this.#notBefore = Number.POSITIVE_INFINITY;
    await this.#worker?.terminate();
  }

  #receive(told: 'ready' | PageAnswer): void {
    if (told === 'ready') {
      this.#isReady = true;
      return;
    }
    const { number, fault, total, rows } = told;
    if (fault !== undefined) {
      const why = `pages: ${fault.why}`;
      this.#options.onFault(fault.isMistake ? new InvariantBroken(why) : new Error(why));
    }
    this.#asked.get(number)?.(fault === undefined ? { total, rows: rows.map(parsed) } : undefined);
    this.#asked.delete(number);
    if (this.#asked.size === 0) this.#worker?.unref();
  }

  #gone(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isReady = false;
    this.#notBefore = Math.max(this.#notBefore, performance.now() + RESTART_MS);
    for (const done of this.#asked.values()) done(undefined);
    this.#asked.clear();
  }
}

const parsed = (row: TextRow): PortfolioColumns => ({
  ...row,
  record: JSON.parse(row.record) as PortfolioSummary,
});
