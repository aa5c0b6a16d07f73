// Finds what is due in the ledger and was not woken: by a queue that lost it, or by a process that
// died with it. Correctness never needs the queue, only punctuality does.
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { PeriodicTask } from '../lifetime/periodic-task.ts';

export interface OverdueSweeperOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly observer: Observer;
  readonly sweepMs: number;
  /** True while this process works on what is due, or looks again at it by itself. */
  readonly isTended: (portfolio: PortfolioId) => boolean;
  /** Takes the portfolio up from what is stored and does what is due. */
  readonly rescue: (portfolio: PortfolioId) => Promise<unknown>;
}

/** Portfolios taken up per sweep; the rest come with the next. */
const BATCH_MAX = 500;
/** Due for less than this is not late: its wake-up is on its way. */
const GRACE_MS = 500;

export class OverdueSweeper {
  readonly #options: OverdueSweeperOptions;
  readonly #sweeps: PeriodicTask;

  constructor(options: OverdueSweeperOptions) {
    this.#options = options;
    const { clock, observer, sweepMs: everyMs } = options;
    const what = (): Promise<unknown> => this.sweep();
    this.#sweeps = new PeriodicTask({ clock, observer, everyMs, where: 'sweep', what });
  }

  start(): void {
    this.#sweeps.start();
  }

  stop(): void {
    this.#sweeps.stop();
  }

  /** One search, and everything it found woken. */
  async sweep(): Promise<number> {
    const { clock, observer, rescue } = this.#options;
    const at = clock.now();
    const found = await this.#untended(later(at, -GRACE_MS));
    if (found.length === 0) return 0;
    observer.sweeperRescued({ portfolios: found, at });
    await Promise.all(found.map((portfolio) => rescue(portfolio)));
    return found.length;
  }

  /** Those that wait for a venue's answer stay due for long, and must not crowd out the others. */
  async #untended(at: Instant): Promise<readonly PortfolioId[]> {
    const { ledger, isTended } = this.#options;
    for (let limit = BATCH_MAX; ; limit *= 2) {
      const due = await ledger.overdue(at, limit);
      const found = due.filter((portfolio) => !isTended(portfolio));
      if (found.length > 0 || due.length < limit) return found.slice(0, BATCH_MAX);
    }
  }
}
