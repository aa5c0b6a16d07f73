// Which portfolios this process owns. A portfolio is in the shard of its account; a shadow, whose account is a dummy,
// is in the shard of the portfolio that it mirrors.

import { shardOf } from '../../core/ownership/shards.ts';
import type { PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import type { HeldLease } from '../../ports/ledger.ts';
import type { PortfolioId } from '../../values/ids.ts';
import type { Ownership } from './ownership.ts';

export interface PortfolioHomesOptions {
  readonly ownership: Pick<Ownership, 'owns' | 'shards' | 'epochOf'>;
  /** The shard of a portfolio as stored. */
  readonly shardOf: (portfolio: PortfolioId) => Promise<number | undefined>;
  /** The state of a portfolio that is in memory. */
  readonly peek: (portfolio: PortfolioId) => PortfolioState | undefined;
}

export class PortfolioHomes {
  readonly #options: PortfolioHomesOptions;
  /** Of shadows alone: that of any other portfolio follows from its account. */
  readonly #shadows = new Map<PortfolioId, number>();

  constructor(options: PortfolioHomesOptions) {
    this.#options = options;
  }

  /** Notes the shard of a portfolio as stored. */
  learn(portfolio: PortfolioId, shard: number): void {
    this.#shadows.set(portfolio, shard);
  }

  forget(portfolio: PortfolioId): void {
    this.#shadows.delete(portfolio);
  }

  /** False for a shadow of which neither its shard nor its original is known here. */
  isKnown(state: PortfolioState): boolean {
    return this.#options.ownership.shards() === undefined || this.#homeOf(state) !== undefined;
  }

  /** Reads the portfolio's shard as stored. */
  async read(portfolio: PortfolioId): Promise<void> {
    const shard = await this.#options.shardOf(portfolio);
    if (shard !== undefined) this.learn(portfolio, shard);
  }

  /** False if another process owns the portfolio. */
  isOwned(state: PortfolioState): boolean {
    const { ownership } = this.#options;
    const home = this.#homeOf(state);
    return home === undefined ? ownership.shards() === undefined : ownership.owns(home);
  }

  /** The lease under which the portfolio is owned; `undefined` if it is not, or there are no leases. */
  leaseOf(state: PortfolioState): HeldLease | undefined {
    const shard = this.#homeOf(state);
    const epoch = shard === undefined ? undefined : this.#options.ownership.epochOf(shard);
    return shard === undefined || epoch === undefined ? undefined : { shard, epoch };
  }

  /** The portfolio's shard, as far as it is known here. */
  homeOf(state: PortfolioState): number {
    return this.#homeOf(state) ?? shardOf(state.spec.accountId);
  }

  #homeOf({ id, spec }: PortfolioState): number | undefined {
    if (spec.mirrorOf === undefined) {
      this.#shadows.delete(id);
      return shardOf(spec.accountId);
    }
    const known = this.#shadows.get(id);
    if (known !== undefined) return known;
    const original = this.#options.peek(spec.mirrorOf);
    if (original === undefined) return undefined;
    const home = shardOf(original.spec.accountId);
    this.#shadows.set(id, home);
    return home;
  }
}
