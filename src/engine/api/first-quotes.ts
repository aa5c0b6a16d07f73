// Waits, for a bounded time, until the venue has told a first quote of markets that nobody watched before.
// A venue in another process tells it some moments after it is asked to.
import type { Clock } from '../../ports/clock.ts';
import type { Venue } from '../../ports/venue.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { type Instant, later, SECOND_MS } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';

/** How long a decision waits for a first quote before it is made without one. */
export const FIRST_QUOTE_WAIT_MS = 3 * SECOND_MS;
const LOOK_EVERY_MS = 20;

/** Whether the value of an amount of the instrument can be told by the quote. */
export function tellsValue({ kind, amountUnit }: Instrument, quote: Quote | undefined): boolean {
  if (amountUnit === 'usd') return true;
  if (quote === undefined) return false;
  const { underlying, index, mark } = quote;
  return (kind === 'option' ? (underlying ?? index) : (mark ?? index)) !== undefined;
}

/** Settles when `isThere` holds, at the latest after the wait; `undefined` where it holds already. */
export function waitFor(clock: Clock, isThere: () => boolean): Promise<void> | undefined {
  if (isThere()) return undefined;
  const until = later(clock.now(), FIRST_QUOTE_WAIT_MS);
  return new Promise((resolve) => {
    const look = (): void => {
      if (isThere() || clock.now() >= until) return resolve();
      clock.at(nextLook(clock.now(), until), look);
    };
    clock.at(nextLook(clock.now(), until), look);
  });
}

const nextLook = (now: Instant, until: Instant): Instant => {
  const next = later(now, LOOK_EVERY_MS);
  return next < until ? next : until;
};

/** Has the venue keep the quotes of `names` from now on; those it does not know are left out. */
export class WatchedMarkets {
  readonly #venue: Venue;
  readonly #instruments: readonly Instrument[];
  readonly #releases: readonly (() => void)[];

  constructor(venue: Venue, names: Iterable<InstrumentName>) {
    this.#venue = venue;
    this.#instruments = [...new Set(names)].flatMap((name) => venue.instrument(name) ?? []);
    this.#releases = this.#instruments.map(({ name }) => venue.watch(name));
  }

  /** `undefined` where the value of everything can be told at once. */
  firstQuotes(clock: Clock): Promise<void> | undefined {
    return waitFor(clock, () =>
      this.#instruments.every((one) => tellsValue(one, this.#venue.quote(one.name))),
    );
  }

  release(): void {
    for (const release of this.#releases) release();
  }
}
