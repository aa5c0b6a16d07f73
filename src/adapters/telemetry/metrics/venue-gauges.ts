// The state of venues at a scrape: whether they can be traded on, their clocks, and the age of the quotes
// that active portfolios need.
import type { RateBudget } from '../../../ports/rate-budget.ts';
import type { Venue, VenueDirectory } from '../../../ports/venue.ts';
import type { AccountId, InstrumentName, VenueName } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { Metrics } from './metrics.ts';

export interface VenueReading {
  readonly venues: VenueDirectory;
  /** The instruments that active portfolios trade. */
  readonly traded: ReadonlyMap<AccountId, ReadonlyMap<InstrumentName, unknown>>;
  readonly now: Instant;
}

export function readVenues(metrics: Metrics, { venues, traded, now }: VenueReading): void {
  const watched = watchedBy(venues, traded);
  for (const one of venues.all()) {
    const labels = { venue: one.name };
    const instruments = one.instruments()?.length ?? 0;
    metrics.venueInstruments.set(labels, instruments);
    const isUp = instruments > 0 && one.trouble?.() === undefined;
    metrics.venueUp.set(labels, isUp ? 1 : 0);
    metrics.venueClockOffset.set(labels, (one.venueNow() - now) / 1_000);
    const { oldestMs, missing } = quotesOf(one, watched.get(one) ?? NONE, now);
    metrics.quoteAge.set(labels, oldestMs / 1_000);
    metrics.quotesMissing.set(labels, missing);
  }
}

/** Of each bucket, the one with the smallest share left for new orders or queries. */
export function readRates(
  metrics: Metrics,
  budgets: Iterable<readonly [venue: VenueName, budget: RateBudget]>,
): void {
  const scarcest = new Map<string, readonly [VenueName, RateBudget]>();
  for (const one of budgets) {
    const [venue, budget] = one;
    const key = `${budget.bucket} ${venue}`;
    const known = scarcest.get(key)?.[1];
    if (known === undefined || shareLeft(budget) < shareLeft(known)) scarcest.set(key, one);
  }
  for (const [venue, budget] of scarcest.values()) {
    const labels = { venue, bucket: budget.bucket };
    metrics.rateTokens.set(labels, freeOf(budget));
    metrics.rateBurst.set(labels, freeWhenFull(budget));
  }
}

/** What is reserved for cancels is not left for orders: where it is all that remains, orders wait. */
const freeOf = ({ tokens, reserve = 0 }: RateBudget): number => tokens - reserve;
const freeWhenFull = ({ burst, reserve = 0 }: RateBudget): number => burst - reserve;
const shareLeft = (budget: RateBudget): number => freeOf(budget) / freeWhenFull(budget);

const NONE: ReadonlySet<InstrumentName> = new Set();

function watchedBy(
  venues: VenueDirectory,
  traded: VenueReading['traded'],
): ReadonlyMap<Venue, ReadonlySet<InstrumentName>> {
  const watched = new Map<Venue, Set<InstrumentName>>();
  for (const [account, names] of traded) {
    const venue = venues.forAccount(account);
    if (venue === undefined) continue;
    const known = watched.get(venue) ?? new Set();
    for (const name of names.keys()) known.add(name);
    watched.set(venue, known);
  }
  return watched;
}

function quotesOf(venue: Venue, names: ReadonlySet<InstrumentName>, now: Instant) {
  let oldestMs = 0;
  let missing = 0;
  for (const name of names) {
    const quote = venue.quote(name);
    if (quote === undefined) missing += 1;
    else oldestMs = Math.max(oldestMs, now - quote.seenAt);
  }
  return { oldestMs, missing };
}

/** Counts interruptions of the venues' streams from now on; the returned function stops it. */
export function countStreamBreaks(metrics: Metrics, venues: VenueDirectory): () => void {
  const ends = venues.all().map((one) =>
    one.subscribe((notice) => {
      if (notice.kind !== 'reconnected') return;
      metrics.streamBreaks.inc({ venue: one.name }, notice.accounts.length);
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}
