// Looks up the quote against which an order is checked, in a market that may not be subscribed yet. The market
// stays subscribed for a while, so that the next order in it can be checked immediately.
import type { Clock } from '../../ports/clock.ts';
import type { Ticker } from '../../ports/market-reads.ts';
import type { Venue } from '../../ports/venue.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { type Instant, later, MINUTE_MS } from '../../values/instant.ts';
import type { Quote } from '../../values/quote.ts';

export interface QuoteLookupOptions {
  readonly venue: Venue;
  readonly clock: Clock;
}

interface Watched {
  /** The venue's reply to the request, used until its first published quote. */
  asked?: Quote | undefined;
  readonly release: () => void;
  /** Until when it stays subscribed. */
  until: Instant;
}

export class QuoteLookup {
  readonly #venue: Venue;
  readonly #clock: Clock;
  readonly #watched = new Map<InstrumentName, Watched>();

  constructor({ venue, clock }: QuoteLookupOptions) {
    this.#venue = venue;
    this.#clock = clock;
  }

  /** The current quote, or the venue's reply to a request for one. */
  of(name: InstrumentName): Quote | undefined | Promise<Quote | undefined> {
    this.#watch(name);
    const quote = this.#venue.quote(name);
    return quote ?? this.#request(name);
  }

  /** What is known without a request: the current quote, or the latest reply. */
  known(name: InstrumentName): Quote | undefined {
    return this.#venue.quote(name) ?? this.#watched.get(name)?.asked;
  }

  async #request(name: InstrumentName): Promise<Quote | undefined> {
    const ticker = await this.#venue.market.ticker(name);
    const quote = ticker && quoteOf(ticker);
    const watched = this.#watched.get(name);
    if (watched !== undefined) watched.asked = quote;
    return quote;
  }

  #watch(name: InstrumentName): void {
    const until = later(this.#clock.now(), MINUTE_MS);
    const known = this.#watched.get(name);
    if (known !== undefined) {
      known.until = until;
      return;
    }
    const watched = { release: this.#venue.watch(name), until };
    this.#watched.set(name, watched);
    this.#releaseLater(name, watched);
  }

  /** One timer for many orders: it looks whether there were more of them in the meantime. */
  #releaseLater(name: InstrumentName, watched: Watched): void {
    this.#clock.at(watched.until, () => {
      if (this.#clock.now() < watched.until) return this.#releaseLater(name, watched);
      this.#watched.delete(name);
      watched.release();
    });
  }
}

/** Converts a ticker to a quote. */
export const quoteOf = (ticker: Ticker): Quote => ({
  instrument: ticker.instrument,
  bid: ticker.bid,
  ask: ticker.ask,
  mark: ticker.mark,
  index: ticker.index,
  last: ticker.last,
  underlying: ticker.underlying,
  markIv: ticker.markIv,
  fundingRate: ticker.currentFunding,
  minPrice: ticker.minPrice,
  maxPrice: ticker.maxPrice,
  seenAt: ticker.at,
});
