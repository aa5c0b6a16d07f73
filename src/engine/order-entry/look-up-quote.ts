// A quote to judge an order by, of a market that nobody may be watching yet. What was asked for once is
// watched for a while: the next order in it is judged in the same moment.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Ticker } from '../../ports/market-reads.ts';
import type { Venue } from '../../ports/venue.ts';
import type { InstrumentName } from '../../values/ids.ts';
import { later, MINUTE_MS } from '../../values/instant.ts';
import type { Quote } from '../../values/quote.ts';

export interface QuoteLookupParts {
  readonly venue: Venue;
  readonly clock: Clock;
}

interface Watched {
  /** What the venue answered when it was asked: until it tells by itself. */
  asked?: Quote | undefined;
  readonly release: () => void;
  stopTimer: StopTimer;
}

export class QuoteLookup {
  readonly #venue: Venue;
  readonly #clock: Clock;
  readonly #watched = new Map<InstrumentName, Watched>();

  constructor({ venue, clock }: QuoteLookupParts) {
    this.#venue = venue;
    this.#clock = clock;
  }

  /** The quote at hand, or what the venue answers when it is asked. */
  of(name: InstrumentName): Quote | undefined | Promise<Quote | undefined> {
    this.#watch(name);
    const quote = this.#venue.quote(name);
    return quote ?? this.#ask(name);
  }

  /** What is known without asking: the quote at hand, or the latest answer. */
  known(name: InstrumentName): Quote | undefined {
    return this.#venue.quote(name) ?? this.#watched.get(name)?.asked;
  }

  async #ask(name: InstrumentName): Promise<Quote | undefined> {
    const ticker = await this.#venue.desk.ticker(name);
    const quote = ticker && quoteOf(ticker);
    const watched = this.#watched.get(name);
    if (watched !== undefined) watched.asked = quote;
    return quote;
  }

  #watch(name: InstrumentName): void {
    const known = this.#watched.get(name);
    known?.stopTimer();
    const release = known?.release ?? this.#venue.watch(name);
    const stopTimer = this.#clock.at(later(this.#clock.now(), MINUTE_MS), () => {
      this.#watched.delete(name);
      release();
    });
    this.#watched.set(name, { release, stopTimer, asked: known?.asked });
  }
}

/** A ticker as a quote. */
export const quoteOf = (ticker: Ticker): Quote => ({
  instrument: ticker.instrument,
  bid: ticker.bid,
  ask: ticker.ask,
  mark: ticker.mark,
  index: ticker.index,
  last: ticker.last,
  underlying: ticker.underlying,
  markIv: ticker.markIv,
  minPrice: ticker.minPrice,
  maxPrice: ticker.maxPrice,
  seenAt: ticker.at,
});
