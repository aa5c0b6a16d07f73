// The queue wakes only one process, so another one that waits for the same portfolio is not notified of its end.
// Periodically checks the ledger for portfolios finished by another process, and releases their memory and market
// subscriptions.
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer } from '../../ports/observer.ts';
import { later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import type { Lifetime } from '../lifetime/lifetime.ts';
import { PeriodicTask } from '../lifetime/periodic-task.ts';
import type { Wakes } from './wake-portfolio.ts';

export interface ForeignCompletionsOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'active'>;
  readonly observer: Pick<Observer, 'failed'>;
  readonly everyMs: number;
  readonly engine: Pick<Engine, 'states' | 'reloadAndAdvance'>;
  readonly wakes: Pick<Wakes, 'isPassedBy'>;
}

/** A wake-up may still be in flight. */
const GRACE_MS = 2_000;

export class ForeignCompletions implements Lifetime {
  readonly #options: ForeignCompletionsOptions;
  readonly #checks: PeriodicTask;

  constructor(options: ForeignCompletionsOptions) {
    this.#options = options;
    const { clock, observer, everyMs } = options;
    const what = (): Promise<unknown> => this.#check();
    this.#checks = new PeriodicTask({ clock, observer, everyMs, where: 'ended_elsewhere', what });
  }

  start(): Promise<void> {
    return this.#checks.start();
  }

  drain(): Promise<void> {
    return this.#checks.drain();
  }

  stop(): void {
    this.#checks.stop();
  }

  /** Queries the ledger only if there is a candidate, which is rare in a single process. */
  async #check(): Promise<void> {
    const { clock, ledger, engine, wakes } = this.#options;
    const before = later(clock.now(), -GRACE_MS);
    const passed = [...engine.states()].filter(({ id }) => wakes.isPassedBy(id, before));
    if (passed.length === 0) return;
    const active = new Set(await ledger.active());
    const ended = passed.filter(({ id }) => !active.has(id));
    await Promise.all(ended.map(({ id }) => engine.reloadAndAdvance(id)));
  }
}
