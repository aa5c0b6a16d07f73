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
  readonly follow: FollowMarket;
}

/** A market that legs need: its subscriptions are shared. */
interface Needed {
  readonly venue: Venue;
  readonly instrument: InstrumentName;
  readonly releases: readonly (() => void)[];
  legs: number;
}

export class MarketSubscriptions {
  readonly #options: MarketSubscriptionsOptions;
  readonly #markets = new Map<Venue, Map<InstrumentName, Needed>>();
  /** What each portfolio needs, one entry for each leg. */
  readonly #portfolios = new Map<PortfolioId, readonly Needed[]>();

  constructor(options: MarketSubscriptionsOptions) {
    this.#options = options;
  }

  /** The number of portfolios with subscriptions. */
  get size(): number {
    return this.#portfolios.size;
  }

  /** Subscribes for an active portfolio; does nothing if it has its subscriptions. */
  need(state: PortfolioState): void {
    if (this.#portfolios.has(state.id) || isTerminal(state.status)) return;
    const venue = venueOf(this.#options.venues, state);
    // A shadow needs no market: it only mirrors another portfolio.
    const legs = state.spec.mirrorOf === undefined ? state.spec.legs : [];
    const needed = legs.map(({ instrument }) => this.#join(venue, instrument));
    this.#portfolios.set(state.id, needed);
  }

  decided(state: PortfolioState): void {
    if (isTerminal(state.status)) this.#release(state.id);
    else this.need(state);
  }

  released(portfolio: PortfolioId): void {
    this.#release(portfolio);
  }

  stop(): void {
    for (const portfolio of [...this.#portfolios.keys()]) this.#release(portfolio);
  }

  #join(venue: Venue, instrument: InstrumentName): Needed {
    const markets = this.#markets.get(venue) ?? new Map<InstrumentName, Needed>();
    this.#markets.set(venue, markets);
    const known = markets.get(instrument);
    if (known !== undefined) {
      known.legs += 1;
      return known;
    }
    const { follow } = this.#options;
    const releases = [venue.watch(instrument), follow(venue, instrument)];
    const needed = { venue, instrument, releases, legs: 1 };
    markets.set(instrument, needed);
    return needed;
  }

  #release(portfolio: PortfolioId): void {
    for (const needed of this.#portfolios.get(portfolio) ?? []) this.#leave(needed);
    this.#portfolios.delete(portfolio);
  }

  #leave(needed: Needed): void {
    needed.legs -= 1;
    if (needed.legs > 0) return;
    for (const release of needed.releases) release();
    this.#markets.get(needed.venue)?.delete(needed.instrument);
  }
}
