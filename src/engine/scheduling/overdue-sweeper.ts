// Finds portfolios in the ledger that are overdue but were not woken, because the queue lost the wake-up or the
// process with the timer died. The queue is needed for punctuality only, never for correctness.

import type { Lifetime } from '../../lifetime/lifetime.ts';
import { PeriodicTask } from '../../lifetime/periodic-task.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { Wakes } from './wake-portfolio.ts';

export interface OverdueSweeperOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly observer: Observer;
  readonly sweepMs: number;
  readonly engine: Pick<Engine, 'reloadAndAdvance'> & {
    readonly turns: Pick<Engine['turns'], 'isRunning'>;
  };
  readonly wakes: Pick<Wakes, 'isTended'>;
  readonly ownership: Pick<Ownership, 'shards'>;
}

/** The maximum number of portfolios resumed per search; the rest follow in the next one. */
const BATCH_MAX = 500;
/** Work overdue for less than this is not late: its wake-up is in flight. */
const GRACE_MS = 500;

export class OverdueSweeper implements Lifetime {
  readonly #options: OverdueSweeperOptions;
  readonly #sweeps: PeriodicTask;

  constructor(options: OverdueSweeperOptions) {
    this.#options = options;
    const { clock, observer, sweepMs: everyMs } = options;
    const what = (): Promise<unknown> => this.sweep();
    this.#sweeps = new PeriodicTask({ clock, observer, everyMs, where: 'sweep', what });
  }

  start(): Promise<void> {
    return this.#sweeps.start();
  }

  drain(): Promise<void> {
    return this.#sweeps.drain();
  }

  stop(): void {
    this.#sweeps.stop();
  }

  /** Runs one search and wakes everything it found. */
  async sweep(): Promise<number> {
    const { clock, observer, engine } = this.#options;
    const at = clock.now();
    const found = await this.#untended(later(at, -GRACE_MS));
    if (found.length === 0) return 0;
    observer.observe({ event: 'sweeper_rescued', portfolios: found, at });
    await Promise.all(found.map((portfolio) => engine.reloadAndAdvance(portfolio)));
    return found.length;
  }

  /** Portfolios that wait for a venue's reply stay due for long, and must not crowd out the others. */
  async #untended(at: Instant): Promise<readonly PortfolioId[]> {
    const { ledger, engine, wakes, ownership } = this.#options;
    const shards = ownership.shards();
    for (let limit = BATCH_MAX; ; limit *= 2) {
      const due = await ledger.overdue(at, limit, shards);
      const found = due.filter(
        (portfolio) => !engine.turns.isRunning(portfolio) && !wakes.isTended(portfolio),
      );
      if (found.length > 0 || due.length < limit) return found.slice(0, BATCH_MAX);
    }
  }
}
