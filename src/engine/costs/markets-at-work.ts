// The markets in which a portfolio of this process is at work, and for half an hour longer, so that a report can say how
// the market went on. Portfolios that wait for their start count once they are in memory, shortly before it.
import type { LegState, PortfolioState } from '../../core/portfolio/aggregate/portfolio-state.ts';
import { endAt } from '../../core/portfolio/aggregate/positions.ts';
import type { RestingPortfolio, StateChange } from '../../ports/observer.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { Quantity } from '../../values/amounts.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import { type Instant, instant, later, MINUTE_MS, SECOND_MS } from '../../values/instant.ts';
import type { Quote } from '../../values/quote.ts';
import { InstantTrail } from './instant-trail.ts';

/** The last horizon of a markout, and a little more for the row that it needs. */
export const KEPT_AFTER_MS = 30 * MINUTE_MS + 10 * SECOND_MS;

const READ_AGAIN_MS = 10 * SECOND_MS;

export interface MarketAtWork {
  readonly venue: Venue;
  readonly instrument: InstrumentName;
  readonly trail: InstantTrail;
  /** Of the row recorded last. */
  second?: Instant | undefined;
  /** What the venue had counted when it was looked at last: at a row, or before the first one. */
  counted?: Counted | undefined;
}

export interface Counted {
  readonly second: Instant;
  readonly traded: Quantity;
}

interface Held extends MarketAtWork {
  readonly release: () => void;
  legs: number;
  /** Those whose portfolios are or were at work in it. */
  readonly accounts: Set<AccountId>;
  /** Recorded until then, although nothing is at work. */
  until: Instant;
}

export class MarketsAtWork {
  readonly #venues: VenueDirectory;
  readonly #now: () => Instant;
  readonly #held = new Map<string, Held>();
  /** Accounts whose fills from before they were followed here are to be read, and when. */
  readonly #unread = new Map<AccountId, Instant>();

  constructor(venues: VenueDirectory, now: () => Instant) {
    this.#venues = venues;
    this.#now = now;
  }

  /** What portfolios in memory and resting ones need. Most changes are turns of one that stays at work. */
  change({ before, after, resting, woken }: StateChange): void {
    if (before === undefined || after === undefined) {
      if (after !== undefined) {
        this.#join(after.spec.accountId, instrumentsOf(after), after.legs.some(isTraded));
      }
      if (before !== undefined) this.#leave(before.spec.accountId, instrumentsOf(before));
    }
    if (after !== undefined && after.spec !== before?.spec) {
      const { accountId: account, startAt } = after.spec;
      this.need({ account, instruments: instrumentsOf(after) }, [startAt, endAt(after.spec)]);
    }
    if (resting?.status === 'active') this.#join(resting.account, resting.instruments, true);
    if (woken?.status === 'active') this.#leave(woken.account, woken.instruments);
  }

  /** Keeps the markets of a portfolio that ended before this process began. */
  keepFor(
    { account, instruments }: Pick<RestingPortfolio, 'account' | 'instruments'>,
    endedAt: Instant,
  ): void {
    const until = later(endedAt, KEPT_AFTER_MS);
    for (const held of this.#of(account, instruments)) {
      if (until > held.until) held.until = until;
      this.#meet(held, account, true);
    }
  }

  /**
   * Accounts that traded in a market before this process followed them there: its last fills have markouts that are still to
   * come. Each is returned once.
   */
  takeUnread(): readonly AccountId[] {
    const now = this.#now();
    const due = [...this.#unread].flatMap(([account, at]) => (at <= now ? [account] : []));
    for (const account of due) this.#unread.delete(account);
    return due;
  }

  /** The fills of the account could not be read. */
  readLater(account: AccountId): void {
    this.#unread.set(account, later(this.#now(), READ_AGAIN_MS));
  }

  /** Those to record now; the others are released. */
  current(): readonly MarketAtWork[] {
    const now = this.#now();
    for (const [key, { legs, until, release }] of this.#held) {
      if (legs > 0 || until > now) continue;
      release();
      this.#held.delete(key);
    }
    return [...this.#held.values()];
  }

  /**
   * A portfolio met this market before the first row of it. From here on volume is counted, so that what the portfolio
   * trades until the first row is in it.
   */
  met({ venue, instrument }: Pick<MarketAtWork, 'venue' | 'instrument'>, quote: Quote): void {
    const held = this.#held.get(keyOf(venue, instrument));
    if (held !== undefined && held.second === undefined) {
      held.counted ??= countedNow(venue, quote);
    }
  }

  /** Reports will need these markets at these instants. */
  need(
    { account, instruments }: Pick<RestingPortfolio, 'account' | 'instruments'>,
    instants: readonly Instant[],
  ): void {
    const venue = this.#venues.forAccount(account);
    if (venue === undefined) return;
    for (const instrument of instruments) {
      const held = this.#held.get(keyOf(venue, instrument));
      for (const at of instants) held?.trail.need(at);
    }
  }

  stop(): void {
    for (const { release } of this.#held.values()) release();
    this.#held.clear();
  }

  #join(account: AccountId, instruments: readonly InstrumentName[], hasTraded: boolean): void {
    for (const held of this.#of(account, instruments)) {
      held.legs += 1;
      this.#meet(held, account, hasTraded);
    }
  }

  #meet({ accounts }: Held, account: AccountId, hasTraded: boolean): void {
    if (hasTraded && !accounts.has(account)) this.#unread.set(account, this.#now());
    accounts.add(account);
  }

  #leave(account: AccountId, instruments: readonly InstrumentName[]): void {
    const until = later(this.#now(), KEPT_AFTER_MS);
    for (const held of this.#of(account, instruments)) {
      held.legs = Math.max(0, held.legs - 1);
      held.until = until;
    }
  }

  *#of(account: AccountId, instruments: readonly InstrumentName[]): Generator<Held> {
    const venue = this.#venues.forAccount(account);
    if (venue === undefined) return;
    for (const instrument of instruments) {
      const key = keyOf(venue, instrument);
      let held = this.#held.get(key);
      if (held === undefined) {
        held = this.#hold(venue, instrument);
        this.#held.set(key, held);
      }
      yield held;
    }
  }

  #hold(venue: Venue, instrument: InstrumentName): Held {
    const trail = new InstantTrail();
    const note = (at: Instant | undefined): void =>
      trail.note(at, venue.quote(instrument), this.#now());
    const release = venue.watch(instrument, note);
    note(venue.venueNow());
    const quote = venue.quote(instrument);
    const counted = quote && countedNow(venue, quote);
    const held = { venue, instrument, trail, release, counted };
    return { ...held, legs: 0, accounts: new Set(), until: this.#now() };
  }
}

const isTraded = ({ filled }: LegState): boolean => filled.gt(0);

const keyOf = ({ name }: Venue, instrument: InstrumentName): string => `${name}/${instrument}`;

/** On the clock of the venue; `undefined` if it counts nothing. */
export function countedNow(venue: Venue, { traded }: Quote): Counted | undefined {
  if (traded === undefined) return undefined;
  return { second: instant(Math.floor(venue.venueNow() / SECOND_MS) * SECOND_MS), traded };
}

/** A shadow needs no market: it only mirrors another portfolio. */
const instrumentsOf = ({ spec }: PortfolioState): readonly InstrumentName[] =>
  spec.mirrorOf === undefined ? spec.legs.map(({ instrument }) => instrument) : [];
