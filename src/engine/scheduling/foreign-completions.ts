// The queue wakes only one process, so another one that waits for the same portfolio is not notified of its end.
// Periodically checks the ledger for portfolios finished by another process, releases their memory and market
// subscriptions, and ends their shadows.

import type { Lifetime } from '../../lifetime/lifetime.ts';
import { PeriodicTask } from '../../lifetime/periodic-task.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { Observer, StateChange } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { Engine } from '../engine.ts';
import { activeOf } from '../turns/state-changes.ts';
import type { Wakes } from './wake-portfolio.ts';

export interface ForeignCompletionsOptions {
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'active'>;
  readonly observer: Observer;
  readonly everyMs: number;
  readonly engine: Pick<Engine, 'reloadAndAdvance'> & {
    readonly turns: Pick<Engine['turns'], 'follow' | 'peek'>;
  };
  readonly wakes: Pick<Wakes, 'has' | 'passedBy'>;
}

/** A wake-up may still be in flight. */
const GRACE_MS = 2_000;

export class ForeignCompletions implements Lifetime {
  readonly #options: ForeignCompletionsOptions;
  readonly #checks: PeriodicTask;
  /** In memory because another process placed an order: nothing was decided about them here. */
  readonly #undecided = new Set<PortfolioId>();

  constructor(options: ForeignCompletionsOptions) {
    this.#options = options;
    const { clock, observer, everyMs, engine } = options;
    engine.turns.follow((change) => this.#changed(change));
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

  #changed({ before, after }: StateChange): void {
    if (after === undefined) {
      if (before !== undefined) this.#undecided.delete(before.id);
    } else if (!this.#options.wakes.has(after.id)) this.#undecided.add(after.id);
  }

  /** Queries the ledger for the candidates alone: in a single process there is rarely one that is not a shadow. */
  async #check(): Promise<void> {
    const { clock, ledger, engine } = this.#options;
    const passed = [...this.#passedBy(later(clock.now(), -GRACE_MS))];
    if (passed.length === 0) return;
    const originals = passed.flatMap((portfolio) => this.#originalOf(portfolio) ?? []);
    const candidates = [...new Set([...passed, ...originals])];
    const active = new Set(await ledger.active(candidates));
    const ended = passed.filter(
      (portfolio) => !active.has(portfolio) || this.#isLeft(portfolio, active),
    );
    await Promise.all(ended.map((portfolio) => engine.reloadAndAdvance(portfolio)));
  }

  /** Whether it is a shadow whose original has ended: the process that ended it may have died before it notified it. */
  #isLeft(portfolio: PortfolioId, active: ReadonlySet<PortfolioId>): boolean {
    const original = this.#originalOf(portfolio);
    return original !== undefined && !active.has(original);
  }

  #originalOf(portfolio: PortfolioId): PortfolioId | undefined {
    return this.#options.engine.turns.peek(portfolio)?.spec.mirrorOf;
  }

  *#passedBy(before: Instant): IterableIterator<PortfolioId> {
    const { engine, wakes } = this.#options;
    for (const portfolio of this.#undecided) {
      if (wakes.has(portfolio)) this.#undecided.delete(portfolio);
      else yield portfolio;
    }
    for (const portfolio of wakes.passedBy(before)) {
      if (activeOf(engine.turns.peek(portfolio)) !== undefined) yield portfolio;
    }
  }
}
