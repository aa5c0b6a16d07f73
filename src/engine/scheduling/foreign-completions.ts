// The queue wakes only one process, so another one that waits for the same portfolio is not notified of its end.
// Periodically checks the ledger for portfolios finished by another process, and releases their memory and market
// subscriptions.
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import { PeriodicTask } from '../lifetime/periodic-task.ts';

export interface ForeignCompletionsOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'active'>;
  readonly observer: Pick<Observer, 'failed'>;
  readonly everyMs: number;
  /** The portfolios in memory. */
  readonly states: () => Iterable<PortfolioState>;
  /** True if a wake-up due before this instant did not arrive here, or none is requested. */
  readonly isPassedBy: (portfolio: PortfolioId, before: Instant) => boolean;
  /** Reloads the portfolio from the ledger and advances it. */
  readonly takeUp: (portfolio: PortfolioId) => Promise<unknown>;
}

/** A wake-up may still be in flight. */
const GRACE_MS = 2_000;

export class ForeignCompletions {
  readonly #parts: ForeignCompletionsOptions;
  readonly #looks: PeriodicTask;

  constructor(parts: ForeignCompletionsOptions) {
    this.#parts = parts;
    const { clock, observer, everyMs } = parts;
    const what = (): Promise<unknown> => this.#look();
    this.#looks = new PeriodicTask({ clock, observer, everyMs, where: 'ended_elsewhere', what });
  }

  start(): void {
    this.#looks.start();
  }

  stop(): void {
    this.#looks.stop();
  }

  /** Queries the ledger only if there is a candidate, which is rare in a single process. */
  async #look(): Promise<void> {
    const { clock, ledger, states, isPassedBy, takeUp } = this.#parts;
    const before = later(clock.now(), -GRACE_MS);
    const passed = [...states()].filter(({ id }) => isPassedBy(id, before));
    if (passed.length === 0) return;
    const active = new Set(await ledger.active());
    const ended = passed.filter(({ id }) => !active.has(id));
    await Promise.all(ended.map(({ id }) => takeUp(id)));
  }
}
