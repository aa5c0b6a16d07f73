// Waits, for a bounded time, for the first quote of markets that were not subscribed before. A venue in another
// process publishes it some moments after the subscription.
import type { Clock } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { type Instant, later, SECOND_MS } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';

/** How long a decision waits for a first quote before it is made without one. */
export const FIRST_QUOTE_WAIT_MS = 3 * SECOND_MS;
const LOOK_EVERY_MS = 20;

/** Whether the quote is enough to value an amount of the instrument. */
export function tellsValue({ kind, amountUnit }: Instrument, quote: Quote | undefined): boolean {
  if (amountUnit === 'usd') return true;
  if (quote === undefined) return false;
  const { underlying, index, mark } = quote;
  return (
    (kind === 'option' || kind === 'option_combo' ? (underlying ?? index) : (mark ?? index)) !==
    undefined
  );
}

/** Resolves once `isThere` returns true, at the latest when the wait ends; `undefined` if it is true already. */
export function waitFor(clock: Clock, isThere: () => boolean): Promise<void> | undefined {
  if (isThere()) return undefined;
  const from = clock.now();
  const until = later(from, FIRST_QUOTE_WAIT_MS);
  return new Promise((resolve) => {
    const poll = (): void => {
      const now = clock.now();
      if (isThere() || now >= until) return resolve();
      clock.at(nextLook(now, until), poll);
    };
    clock.at(nextLook(from, until), poll);
  });
}

const nextLook = (now: Instant, until: Instant): Instant => {
  const next = later(now, LOOK_EVERY_MS);
  return next < until ? next : until;
};

type WatchedVenue = Pick<Venue, 'instrument' | 'quote' | 'watch'>;

/** Subscribes to the quotes of `names` at the venue; unknown instruments are skipped. */
export class WatchedMarkets {
  readonly #venue: WatchedVenue;
  readonly #instruments: readonly Instrument[];
  readonly #releases: readonly (() => void)[];

  constructor(venue: WatchedVenue, names: Iterable<InstrumentName>) {
    this.#venue = venue;
    this.#instruments = [...new Set(names)].flatMap((name) => venue.instrument(name) ?? []);
    this.#releases = this.#instruments.map(({ name }) => venue.watch(name));
  }

  /** `undefined` if everything can be valued at once. */
  firstQuotes(clock: Clock): Promise<void> | undefined {
    return waitFor(clock, () =>
      this.#instruments.every((one) => tellsValue(one, this.#venue.quote(one.name))),
    );
  }

  release(): void {
    for (const release of this.#releases) release();
  }
}
