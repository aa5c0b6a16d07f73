// Caches the market data and free funds that plans are checked against, shared by all planners. Each is requested
// once and reused for a moment, so that a client that plans a lot does not use up the request budget that its
// orders need. The quotes of recently planned instruments stay subscribed.
import type { Clock } from '../../ports/clock.ts';
import type { BookView, Ticker } from '../../ports/market-reads.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Money } from '../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName } from '../../values/ids.ts';
import { later, SECOND_MS } from '../../values/instant.ts';

/** A snapshot counts as current for this long. */
export const LOOK_AGE_MAX_MS = 250;
/** A quote that no plan used for this long is unsubscribed. */
const QUOTE_KEPT_MS = 10 * SECOND_MS;
const DEPTH = 100;
/** The maximum number of snapshots cached per venue; more than are requested in a moment. */
const LOOKS_MAX = 1_000;

export interface MarketSnapshot {
  readonly book: BookView | undefined;
  readonly ticker: Ticker | undefined;
}

interface Held {
  readonly askedMs: number;
  /** Set while the request is pending; afterwards `value` alone is set. */
  asking: Promise<unknown> | undefined;
  value: unknown;
}

interface KeptQuote {
  readonly release: () => void;
  usedMs: number;
}

/** What snapshots are taken of. */
export type SnapshotVenue = Pick<Venue, 'instrument' | 'quote' | 'summary' | 'watch'> & {
  readonly market: Pick<Venue['market'], 'book' | 'ticker'>;
};

export class MarketSnapshots {
  readonly #clock: Clock;
  readonly #venue: SnapshotVenue;
  readonly #held = new Map<string, Held>();
  readonly #quotes = new Map<InstrumentName, KeptQuote>();

  constructor(clock: Clock, venue: SnapshotVenue) {
    this.#clock = clock;
    this.#venue = venue;
  }

  /** Rejects if the venue does. */
  market(name: InstrumentName): MarketSnapshot | Promise<MarketSnapshot> {
    return this.#cached(`market ${name}`, () => this.#readMarket(name));
  }

  /** `undefined` if the venue does not report it. */
  free(account: AccountId, currency: Currency): Money | undefined | Promise<Money | undefined> {
    return this.#cached(`free ${account} ${currency}`, async () => {
      const reply = await this.#venue.summary(account, currency);
      return reply.kind === 'done' ? reply.value.availableFunds : undefined;
    });
  }

  /** Keeps the instrument's quote subscribed for a while. */
  keepQuote(name: InstrumentName): void {
    const kept = this.#quotes.get(name);
    if (kept !== undefined) {
      kept.usedMs = this.#clock.monotonicMs();
      return;
    }
    if (this.#venue.instrument(name) === undefined) return;
    const release = this.#venue.watch(name);
    this.#quotes.set(name, { release, usedMs: this.#clock.monotonicMs() });
    this.#releaseLater(name);
  }

  async #readMarket(name: InstrumentName): Promise<MarketSnapshot> {
    const { market } = this.#venue;
    const [book, ticker] = await Promise.all([market.book(name, DEPTH), market.ticker(name)]);
    return { book, ticker };
  }

  #cached<T>(of: string, read: () => Promise<T>): T | Promise<T> {
    const nowMs = this.#clock.monotonicMs();
    const held = this.#held.get(of);
    if (held !== undefined && nowMs - held.askedMs <= LOOK_AGE_MAX_MS) {
      return (held.asking ?? held.value) as T | Promise<T>;
    }
    return this.#refresh(of, { askedMs: nowMs, asking: undefined, value: undefined }, read);
  }

  async #refresh<T>(of: string, entry: Held, read: () => Promise<T>): Promise<T> {
    const asking = read();
    entry.asking = asking;
    this.#hold(of, entry);
    try {
      const value = await asking;
      entry.value = value;
      return value;
    } catch (error) {
      // The next caller requests it again.
      if (this.#held.get(of) === entry) this.#held.delete(of);
      throw error;
    } finally {
      entry.asking = undefined;
    }
  }

  #hold(of: string, entry: Held): void {
    this.#held.delete(of);
    this.#held.set(of, entry);
    if (this.#held.size <= LOOKS_MAX) return;
    const [oldest] = this.#held.keys();
    if (oldest !== undefined) this.#held.delete(oldest);
  }

  #releaseLater(name: InstrumentName): void {
    const dueAt = later(this.#clock.now(), QUOTE_KEPT_MS);
    this.#clock.at(dueAt, () => {
      const kept = this.#quotes.get(name);
      if (kept === undefined) return;
      if (this.#clock.monotonicMs() - kept.usedMs < QUOTE_KEPT_MS) return this.#releaseLater(name);
      this.#quotes.delete(name);
      kept.release();
    });
  }
}
