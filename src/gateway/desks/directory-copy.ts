// The gateway's copy of the accounts, venues and instruments, kept by a subscription to the engine. Requests read it
// without waiting, so that orders keep their order. What it does not know yet is requested.
import type {
  Directory,
  DirectoryNotice,
  TradingAccount,
} from '../../engine/interface/directory-api.ts';
import type { MethodApi } from '../../engine/interface/engine-api.ts';
import type { AccountId, InstrumentName, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';

/** The instruments of one venue. */
interface Listings {
  trading: readonly Instrument[];
  inTrading: ReadonlySet<Instrument>;
  expired: readonly Instrument[];
  /** Sorted. */
  indexNames: readonly string[];
  byName: Map<InstrumentName, Instrument>;
}

export class DirectoryCopy {
  /** Resolves when the copy is complete. */
  readonly ready: Promise<void>;
  readonly #market: Pick<MethodApi['market'], 'instrument'>;
  readonly #leave: () => void;
  readonly #accounts = new Map<AccountId, TradingAccount>();
  readonly #listings = new Map<VenueName, Listings>();
  #venues: Directory['venues'] = [];
  #isProtected = false;
  #isComplete = false;

  constructor({ directory, market }: Pick<MethodApi, 'directory' | 'market'>) {
    this.#market = market;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#leave = directory.follow((notice) => {
      if (notice.kind === 'complete') {
        this.#isComplete = true;
        resolve();
      } else if (notice.kind === 'directory') this.#setDirectory(notice.directory);
      else this.#list(notice);
    });
  }

  get venues(): Directory['venues'] {
    return this.#venues;
  }

  /** Whether all accounts and instruments have been received, though they may have changed since. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether there is market-maker protection. */
  get isProtected(): boolean {
    return this.#isProtected;
  }

  account(account: AccountId): TradingAccount | undefined {
    return this.#accounts.get(account);
  }

  listed(venue: VenueName, { expired }: { readonly expired: boolean }): readonly Instrument[] {
    const listings = this.#listings.get(venue);
    return (expired ? listings?.expired : listings?.trading) ?? [];
  }

  pausedUntil(venue: VenueName): Instant | undefined {
    return this.#venues.find(({ name }) => name === venue)?.pausedUntil;
  }

  indexNames(venue: VenueName): readonly string[] {
    return this.#listings.get(venue)?.indexNames ?? [];
  }

  instrument(venue: VenueName, name: InstrumentName): Instrument | undefined {
    return this.#listings.get(venue)?.byName.get(name);
  }

  /** An instrument that is in trading. */
  trading(venue: VenueName, name: InstrumentName): Instrument | undefined {
    const listings = this.#listings.get(venue);
    const found = listings?.byName.get(name);
    return found !== undefined && listings?.inTrading.has(found) === true ? found : undefined;
  }

  /** Whether any venue lists it, as far as is known here. */
  knows(name: InstrumentName): boolean {
    for (const { byName } of this.#listings.values()) if (byName.has(name)) return true;
    return false;
  }

  /** Asks the engine for an instrument; it is known here afterwards if a venue lists it. */
  async findInstrument(name: InstrumentName): Promise<void> {
    const found = await this.#market.instrument(name);
    if (found !== undefined) this.#of(found.venue).byName.set(name, found.instrument);
  }

  close(): void {
    this.#leave();
  }

  #setDirectory({ accounts, venues, isProtected }: Directory): void {
    this.#accounts.clear();
    for (const one of accounts) this.#accounts.set(one.account, one);
    this.#venues = venues;
    this.#isProtected = isProtected;
  }

  #list({ venue, expired, instruments }: DirectoryNotice & { readonly kind: 'instruments' }): void {
    const listings = this.#of(venue);
    if (expired) listings.expired = instruments;
    else {
      listings.trading = instruments;
      listings.inTrading = new Set(instruments);
      listings.indexNames = [...new Set(instruments.map(({ indexName }) => indexName))].sort();
    }
    const both = [...listings.expired, ...listings.trading];
    listings.byName = new Map(both.map((one) => [one.name, one]));
  }

  #of(venue: VenueName): Listings {
    const known = this.#listings.get(venue);
    if (known !== undefined) return known;
    const none: Listings = {
      trading: [],
      expired: [],
      indexNames: [],
      inTrading: new Set(),
      byName: new Map(),
    };
    this.#listings.set(venue, none);
    return none;
  }
}
