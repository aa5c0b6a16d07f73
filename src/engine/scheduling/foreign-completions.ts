// The queue wakes one process only: another one that waits for the same portfolio does not hear how it ended. What
// passed by here is looked for in the ledger every so often, so that nothing stays in memory, and no market is
// watched, for what is over.
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
  /** Portfolios in memory. */
  readonly states: () => Iterable<PortfolioState>;
  /** True when a wake of it that was due before this instant has not come here, or none is asked for. */
  readonly isPassedBy: (portfolio: PortfolioId, before: Instant) => boolean;
  /** Takes the portfolio up from what is stored. */
  readonly takeUp: (portfolio: PortfolioId) => Promise<unknown>;
}

/** A wake may still be on its way. */
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

  /** Asks the ledger only when there is something to ask about, which is rare in a process that is alone. */
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
