// Subscribes to the markets that active portfolios need, quotes and price moves, from the first evaluation of a
// portfolio until it ends.
import { isTerminal, type PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { Venue, VenueDirectory } from '../ports/venue.ts';
import type { InstrumentName, PortfolioId } from '../values/ids.ts';
import { venueOf } from './portfolio-venue.ts';

/** Follows the price moves of a market until the returned function is called. */
export type FollowMarket = (venue: Venue, instrument: InstrumentName) => () => void;

export interface MarketSubscriptionsOptions {
  readonly venues: VenueDirectory;
  /** Absent: price moves are not tracked. */
  readonly follow?: FollowMarket | undefined;
}

export class MarketSubscriptions {
  readonly #options: MarketSubscriptionsOptions;
  readonly #releases = new Map<PortfolioId, readonly (() => void)[]>();

  constructor(options: MarketSubscriptionsOptions) {
    this.#options = options;
  }

  /** The number of portfolios with subscriptions. */
  get size(): number {
    return this.#releases.size;
  }

  /** Subscribes for an active portfolio; does nothing if it has its subscriptions. */
  need(state: PortfolioState): void {
    const { venues, follow } = this.#options;
    if (this.#releases.has(state.id) || isTerminal(state.status)) return;
    const venue = venueOf(venues, state);
    const releases: (() => void)[] = [];
    // A shadow needs no market: it only mirrors another portfolio.
    for (const { instrument } of state.spec.mirrorOf === undefined ? state.spec.legs : []) {
      releases.push(venue.watch(instrument));
      if (follow !== undefined) releases.push(follow(venue, instrument));
    }
    this.#releases.set(state.id, releases);
  }

  decided(state: PortfolioState): void {
    if (isTerminal(state.status)) this.#release(state.id);
    else this.need(state);
  }

  stop(): void {
    for (const portfolio of [...this.#releases.keys()]) this.#release(portfolio);
  }

  #release(portfolio: PortfolioId): void {
    for (const release of this.#releases.get(portfolio) ?? []) release();
    this.#releases.delete(portfolio);
  }
}
