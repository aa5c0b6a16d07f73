// The markets that portfolios at work need: quotes are kept fresh and moves followed for each, from the first
// look at a portfolio until it is over.
import type { Venue } from '../ports/venue.ts';
import type { InstrumentName, PortfolioId } from '../values/ids.ts';

/** Follows how a market moves until the answer is called. */
export type FollowMarket = (venue: Venue, instrument: InstrumentName) => () => void;

export class MarketSubscriptions {
  readonly #follow: FollowMarket;
  readonly #releases = new Map<PortfolioId, readonly (() => void)[]>();

  constructor(follow: FollowMarket) {
    this.#follow = follow;
  }

  /** Portfolios that need some. */
  get size(): number {
    return this.#releases.size;
  }

  has(portfolio: PortfolioId): boolean {
    return this.#releases.has(portfolio);
  }

  /** To be called once per portfolio, with no instrument when it only tells of another's work. */
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
