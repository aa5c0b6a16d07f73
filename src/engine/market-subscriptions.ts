// Subscribes to the markets that active portfolios need, quotes and price moves, from the first evaluation of a
// portfolio until it ends.
import type { Venue } from '../ports/venue.ts';
import type { InstrumentName, PortfolioId } from '../values/ids.ts';

/** Follows the price moves of a market until the returned function is called. */
export type FollowMarket = (venue: Venue, instrument: InstrumentName) => () => void;

export class MarketSubscriptions {
  readonly #follow: FollowMarket;
  readonly #releases = new Map<PortfolioId, readonly (() => void)[]>();

  constructor(follow: FollowMarket) {
    this.#follow = follow;
  }

  /** The number of portfolios with subscriptions. */
  get size(): number {
    return this.#releases.size;
  }

  has(portfolio: PortfolioId): boolean {
    return this.#releases.has(portfolio);
  }

  /** Call once per portfolio; without instruments if it only mirrors another one. */
  need(portfolio: PortfolioId, venue: Venue, instruments: readonly InstrumentName[]): void {
    const releases = instruments.flatMap((name) => [venue.watch(name), this.#follow(venue, name)]);
    this.#releases.set(portfolio, releases);
  }

  release(portfolio: PortfolioId): void {
    for (const release of this.#releases.get(portfolio) ?? []) release();
    this.#releases.delete(portfolio);
  }

  releaseAll(): void {
    for (const portfolio of [...this.#releases.keys()]) this.release(portfolio);
  }
}
