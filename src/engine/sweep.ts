// Finds what is due in the ledger and was not woken: by a queue that lost it, or by a process that
// died with it. Correctness never needs the queue, only punctuality does.
import type { PortfolioCommand } from '../core/portfolio/command.ts';
import type { Clock, StopTimer } from '../ports/clock.ts';
import type { Ledger } from '../ports/ledger.ts';
import type { Observer } from '../ports/observer.ts';
import type { PortfolioId } from '../values/ids.ts';
import { later } from '../values/instant.ts';

export interface SweepOptions {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly observer: Observer;
  readonly sweepMs: number;
  readonly advance: (portfolio: PortfolioId, command: PortfolioCommand) => Promise<unknown>;
}

/** Portfolios taken up per sweep; the rest come with the next. */
const BATCH_MAX = 500;
/** Due for less than this is not late: its wake-up is on its way. */
const GRACE_MS = 500;

export class Sweeper {
  readonly #options: SweepOptions;
  #stopTimer: StopTimer | undefined;
  #isStopped = true;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isStopped = false;
    this.#again();
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopTimer?.();
  }

  /** One search, and everything it found woken. */
  async sweep(): Promise<number> {
    const { clock, ledger, observer, advance } = this.#options;
    const at = clock.now();
    const found = await ledger.overdue(later(at, -GRACE_MS), BATCH_MAX);
    if (found.length === 0) return 0;
    observer.sweeperRescued({ portfolios: found, at });
    for (const portfolio of found) await advance(portfolio, { kind: 'advance', now: clock.now() });
    return found.length;
  }

  #again(): void {
    const { clock, observer, sweepMs } = this.#options;
    if (this.#isStopped) return;
    this.#stopTimer = clock.at(later(clock.now(), sweepMs), () => {
      this.sweep()
        .catch((error: unknown) => observer.failed({ where: 'sweep', error }))
        .finally(() => this.#again());
    });
  }
}
