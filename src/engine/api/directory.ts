// Publishes the accounts, venues and instruments that gateways keep a copy of. Venues do not announce changes of their
// lists, so these are compared: periodically while there are followers, and before a notice about an instrument that
// they may not know.
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { InstrumentName, VenueName } from '../../values/ids.ts';
import { later, SECOND_MS } from '../../values/instant.ts';
import { type Instrument, isSameListing } from '../../values/instrument.ts';
import type { Directory, DirectoryApi, DirectoryNotice } from '../interface/directory-api.ts';
import type { OrderOperations } from '../order-entry/order-operations.ts';

export interface DirectoryOptions {
  readonly orders: OrderOperations;
  readonly clock: Clock;
}

type Listener = Parameters<DirectoryApi['follow']>[0];
type Listing = Extract<DirectoryNotice, { readonly kind: 'instruments' }>;

/** How often the lists are compared. */
const COMPARE_EVERY_MS = SECOND_MS;

export class DirectoryFeed {
  readonly #parts: DirectoryOptions;
  readonly #listeners = new Set<Listener>();
  #directory: Directory = { accounts: [], venues: [], isProtected: false };
  #directoryText = '';
  readonly #listings = new Map<string, Listing>();
  readonly #names = new Set<InstrumentName>();
  #stopTimer: StopTimer = () => undefined;

  constructor(parts: DirectoryOptions) {
    this.#parts = parts;
  }

  follow(listener: Listener): () => void {
    this.publishChanges();
    listener({ kind: 'directory', directory: this.#directory });
    for (const listing of this.#listings.values()) listener(listing);
    listener({ kind: 'complete' });
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#compareLater();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#stopTimer();
    };
  }

  /** Publishes what has changed. */
  publishChanges(): void {
    const directory = directoryOf(this.#parts.orders);
    const text = JSON.stringify(directory);
    if (text !== this.#directoryText) {
      this.#directory = directory;
      this.#directoryText = text;
      this.#publish({ kind: 'directory', directory });
    }
    for (const { name, market } of this.#parts.orders.venues()) {
      for (const expired of [false, true]) this.#compare(name, expired, market.listed({ expired }));
    }
  }

  /** Publishes what has changed unless the followers know an instrument of the name. */
  publishUnlessKnown(name: InstrumentName): void {
    if (this.#listeners.size > 0 && !this.#names.has(name)) this.publishChanges();
  }

  #compare(venue: VenueName, expired: boolean, instruments: readonly Instrument[]): void {
    const key = `${venue} ${expired}`;
    const known = this.#listings.get(key);
    if (known !== undefined && isSameListing(known.instruments, instruments)) return;
    const listing: Listing = { kind: 'instruments', venue, expired, instruments };
    this.#listings.set(key, listing);
    this.#names.clear();
    for (const one of this.#listings.values()) {
      for (const { name } of one.instruments) this.#names.add(name);
    }
    this.#publish(listing);
  }

  #publish(notice: DirectoryNotice): void {
    for (const listener of this.#listeners) listener(notice);
  }

  #compareLater(): void {
    const { clock } = this.#parts;
    this.#stopTimer = clock.at(later(clock.now(), COMPARE_EVERY_MS), () => {
      this.publishChanges();
      if (this.#listeners.size > 0) this.#compareLater();
    });
  }
}

function directoryOf(orders: OrderOperations): Directory {
  const venues = orders.venues();
  const desks = new Map(venues.map(({ name, rfqs }) => [name, rfqs]));
  return {
    accounts: orders.accounts().map(([account, venue]) => {
      const makerAlias = desks.get(venue)?.aliasOf(account);
      return makerAlias === undefined ? { account, venue } : { account, venue, makerAlias };
    }),
    venues: venues.map(({ name, rfqs, features, market }) => {
      const pausedUntil = market.pausedUntil?.();
      return {
        name,
        hasRfqs: rfqs !== undefined,
        ...(features && { features }),
        ...(pausedUntil !== undefined && { pausedUntil }),
      };
    }),
    isProtected: orders.mmp !== undefined,
  };
}
