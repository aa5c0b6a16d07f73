// The venue that a portfolio trades on.
import type { PortfolioState } from '../core/portfolio/aggregate/portfolio-state.ts';
import type { Venue, VenueDirectory } from '../ports/venue.ts';

/** Throws if the configuration no longer lists the account of an active portfolio. */
export function venueOf(venues: VenueDirectory, { id, spec }: PortfolioState): Venue {
  const venue = venues.forAccount(spec.accountId);
  if (venue !== undefined) return venue;
  throw new Error(
    `portfolio ${id} is active on account ${spec.accountId}, which no venue of the configuration ` +
      'lists; put the account back until the portfolio has ended',
  );
}
