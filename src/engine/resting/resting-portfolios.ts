// The portfolios that this process owns and does not have in memory: what must be known of each until it is loaded.
import { DueMinutes } from '../../core/schedule/due-minutes.ts';
import type { RestingPortfolio } from '../../ports/observer.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';

export interface Resting extends RestingPortfolio {
  readonly shard: number;
  readonly version: number;
  readonly dueAt: Instant;
}

export class RestingPortfolios {
  readonly #all = new Map<PortfolioId, Resting>();
  readonly #due = new DueMinutes<PortfolioId, Resting>();

  get size(): number {
    return this.#all.size;
  }

  get(portfolio: PortfolioId): Resting | undefined {
    return this.#all.get(portfolio);
  }

  values(): Iterable<Resting> {
    return this.#all.values();
  }

  /** Returns what was there before. */
  add(one: Resting): Resting | undefined {
    const before = this.take(one.portfolio);
    this.#all.set(one.portfolio, one);
    this.#due.add(one.dueAt, one.portfolio, one);
    return before;
  }

  take(portfolio: PortfolioId): Resting | undefined {
    const one = this.#all.get(portfolio);
    if (one === undefined) return undefined;
    this.#all.delete(portfolio);
    this.#due.remove(one.dueAt, portfolio);
    return one;
  }

  /** Those due until `at`, the nearest first. */
  dueUntil(at: Instant): readonly Resting[] {
    const due: Resting[] = [];
    for (const [, one] of this.#due.begun(at)) if (one.dueAt <= at) due.push(one);
    return due.sort((a, b) => a.dueAt - b.dueAt);
  }
}
