// The venue of a run whose exchange dies and starts again: what holds it, its subscriptions and the markets that it watches stay,
// and are of the exchange that runs. Until that has started, requests have no answer.
import type { PaperVenue } from '../../../../src/adapters/paper/paper-venue.ts';
import type { VenueNotice } from '../../../../src/ports/trading-desk.ts';
import type { AccountId, InstrumentName } from '../../../../src/values/ids.ts';

/** Something that is begun at each life of the exchange. */
interface Kept {
  readonly begin: (venue: PaperVenue) => () => void;
  end: () => void;
}

const DESKS = ['market', 'combos', 'margins'] as const;

export class LastingVenue {
  readonly venue: PaperVenue;
  #now: PaperVenue;
  readonly #kept = new Set<Kept>();
  readonly #listeners = new Set<(notice: VenueNotice) => void>();
  readonly #detached = new Set<AccountId>();

  constructor(first: PaperVenue) {
    this.#now = first;
    const own: Record<string, unknown> = {
      rfqs: this.#front(() => this.#now.rfqs, {
        listen: (listener: never) => this.#keep((venue) => venue.rfqs.listen(listener)),
      }),
      watch: (name: InstrumentName) => this.#keep((venue) => venue.watch(name)),
      subscribe: (listener: (notice: VenueNotice) => void) => {
        this.#listeners.add(listener);
        const leave = this.#keep((venue) => venue.subscribe(listener));
        return () => {
          this.#listeners.delete(listener);
          leave();
        };
      },
      attach: (account: AccountId) => {
        this.#detached.delete(account);
        return this.#now.attach(account);
      },
      detach: (account: AccountId) => {
        this.#detached.add(account);
        return this.#now.detach(account);
      },
    };
    for (const desk of DESKS) own[desk] = this.#front(() => this.#now[desk], {});
    this.venue = this.#front(() => this.#now, own);
  }

  /** The exchange has started again. */
  become(next: PaperVenue, accounts: readonly AccountId[]): void {
    this.#now = next;
    for (const account of this.#detached) void next.detach(account);
    for (const kept of this.#kept) kept.end = kept.begin(next);
    const attached = accounts.filter((account) => !this.#detached.has(account));
    for (const listener of this.#listeners) listener({ kind: 'reconnected', accounts: attached });
  }

  #keep(begin: Kept['begin']): () => void {
    const kept = { begin, end: begin(this.#now) };
    this.#kept.add(kept);
    return () => {
      this.#kept.delete(kept);
      kept.end();
    };
  }

  /** What `of` is at the moment, with properties of its own put over it. */
  #front<T extends object>(of: () => T, own: Readonly<Record<string, unknown>>): T {
    return new Proxy(of(), {
      get: (_first, name) => {
        if (typeof name === 'string' && Object.hasOwn(own, name)) return own[name];
        const now = of();
        const value: unknown = Reflect.get(now, name, now);
        return typeof value === 'function' ? value.bind(now) : value;
      },
    });
  }
}
