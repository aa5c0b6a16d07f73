// Market maker protection for every order and quote with the `mmp` flag, on any venue: counts their trades, blocks
// new ones while a group is frozen, and cancels the open ones when it trips. The processes of a deployment share
// one state in the ledger; each decides immediately on its own.

import type { MmpEvent } from '../../core/mmp/mmp-event.ts';
import { mmpFromRecord } from '../../core/mmp/mmp-record.ts';
import {
  EMPTY_MMP,
  frozenGroup,
  groupKey,
  groupOf,
  isFrozen,
  type MmpGroup,
  type MmpPlace,
  type MmpState,
} from '../../core/mmp/mmp-state.ts';
import { refusal } from '../../core/order/answer-class.ts';
import type { OrderRecord } from '../../core/order/order-record.ts';
import type { Lifetime } from '../../lifetime/lifetime.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Ledger } from '../../ports/ledger.ts';
import type { MmpOf, MmpRecords } from '../../ports/mmp-records.ts';
import type { Nudges } from '../../ports/nudges.ts';
import type { Observer } from '../../ports/observer.ts';
import type { Reply } from '../../ports/trading-desk.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import { isMore, minus, plus, text, ZERO_QUANTITY } from '../../values/amounts.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, DeploymentId, InstrumentName, PortfolioId } from '../../values/ids.ts';
import { type Instant, later } from '../../values/instant.ts';
import type { MmpFrozen } from '../interface/mmp-operations.ts';
import type { Connections } from '../ownership/account-connections.ts';
import type { Objection } from '../risk/gate-orders.ts';
import { MmpBook, type QuotedSize } from './mmp-book.ts';
import { MmpGroups } from './mmp-groups.ts';
import { MmpMassCancel } from './mmp-mass-cancel.ts';
import { MmpProtection } from './mmp-protection.ts';
import { placesOf } from './mmp-quotes.ts';
import { MmpReadUps } from './mmp-read-ups.ts';
import {
  holdsDifferently,
  type MmpUse,
  protectedIndexes,
  standingChanged,
  trippedBetween,
  usesAt,
  usesOf,
} from './mmp-report.ts';
import { MmpTradeListener } from './mmp-trade-listener.ts';

export const MMP_TRIGGER = 13030;
/** Deribit names no code for a size beyond the limit. */
const OTHER_REJECT = 11030;

export interface MmpGuardOptions {
  readonly records: MmpRecords;
  readonly ledger: Pick<Ledger, 'load'>;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly venues: VenueDirectory;
  readonly deployment: DeploymentId;
  /** Changes of other processes that are not heard are found by polling. */
  readonly nudges: Nudges;
  /** Which accounts are connected, and so protected here. */
  readonly connections: Pick<Connections, 'follow' | 'isKept'>;
  /** Whether the account is protected by another daemon that is known. */
  readonly isElsewhere: (account: AccountId) => boolean;
}

/** How long a change by another process may go unnoticed. */
const REREAD_MS = 1_000;
const TOPIC = 'mmp';
/** The longest that a venue may still accept an order that states no end of its validity. */
const VALID_MS_MAX = 30_000;
/** How late the notice of an accepted order may be. */
const NOTICE_MS = 10_000;

const keyOf = ({ account, kind }: MmpOf): string => `${kind} ${account}`;

export class MmpGuard implements Lifetime {
  readonly #options: MmpGuardOptions;
  readonly #protections = new Map<string, MmpProtection>();
  readonly #book = new MmpBook();
  readonly #groups: MmpGroups;
  readonly #sweep: MmpMassCancel;
  readonly #listener: MmpTradeListener;
  readonly #readUps: MmpReadUps;
  readonly #trips: FanOut<MmpFrozen>;
  readonly #thaws: FanOut<MmpOf & MmpPlace>;
  /** Timers for the ends of freezes. */
  readonly #thawing = new Map<string, StopTimer>();
  /** Timers of sizes that were sent and whose outcome is unknown. */
  readonly #unproven = new Set<StopTimer>();
  #stopTimer: StopTimer = () => undefined;
  #leaveNudges: () => void = () => undefined;
  #rereading: Promise<void> | undefined;
  #isStarted = false;

  constructor(options: MmpGuardOptions) {
    this.#options = options;
    const { clock, observer, venues } = options;
    const fault = (error: unknown): void =>
      observer.observe({ event: 'failed', where: 'mmp.listener', error });
    this.#trips = new FanOut(fault);
    this.#thaws = new FanOut(fault);
    this.#groups = new MmpGroups(options);
    const shared = { clock, observer, book: this.#book, groups: this.#groups };
    this.#sweep = new MmpMassCancel({
      ...shared,
      venueOf: (account) => venues.forAccount(account),
      isFrozen: (of, place) => this.isFrozen({ ...of, ...place }),
    });
    this.#listener = new MmpTradeListener({
      ...shared,
      protects: (account, kind) => this.stateOf({ account, kind }).groups.size > 0,
      learn: (account, kind, trades) => this.#protection({ account, kind }).reload(trades),
      count: (account, kind, trade) => this.#protection({ account, kind }).notify(trade),
      seen: (order) => {
        if (this.isFrozen({ ...order, kind: 'order' })) this.#sweep.cancelOrder(order);
      },
      seenQuotes: (account) => {
        const of = { account, kind: 'blockRfq' } as const;
        if (this.#isAnyFrozen(of)) void this.#sweep.cancelRemaining(of);
      },
      onGap: (venue) => this.#readUpAll(venue),
    });
    const { connections } = options;
    this.#readUps = new MmpReadUps({
      clock,
      observer,
      venues,
      listener: this.#listener,
      stateOf: (of) => this.stateOf(of),
      isListening: (account) => this.#isStarted && connections.isKept(account),
    });
    connections.follow((account) => this.#takeUp(account));
  }

  /** Loads the state from the ledger. Rejects if the ledger does. */
  async start(): Promise<void> {
    const { records, nudges } = this.#options;
    this.#isStarted = true;
    this.#leaveNudges = nudges.onNudge(TOPIC, () => void this.reread());
    for (const { account, kind } of await records.all()) {
      await this.#protection({ account, kind }).reload();
    }
    this.#rereadLater();
  }

  /** Resolves when what was decided is in the ledger, and no cancel is in flight. */
  async drain(): Promise<void> {
    this.#release();
    await this.#sweep.drain();
    await Promise.all([...this.#protections.values()].map((one) => one.settled()));
    await this.#rereading;
  }

  stop(): void {
    this.#release();
    for (const protection of this.#protections.values()) protection.stop();
  }

  #release(): void {
    this.#isStarted = false;
    this.#stopTimer();
    this.#leaveNudges();
    this.#sweep.stop();
    this.#listener.listenAt(new Set());
    for (const stop of [...this.#thawing.values(), ...this.#unproven]) stop();
  }

  /** Why an order or quote for this group and index must not be sent now. */
  objection(at: MmpOf & MmpPlace): Objection | undefined {
    const frozen = this.#frozen(at);
    if (frozen === undefined) return undefined;
    const { index } = frozen.config;
    const until = frozen.freeze?.until;
    const accepted = until === undefined ? 'after a reset' : `from ${until} on, or after a reset`;
    const reason = `market maker protection of ${index} has tripped; accepted: ${accepted}`;
    const details = { param: 'mmp', reason };
    return { reply: refusal(MMP_TRIGGER, details), control: 'mmp' };
  }

  /** Why its group may not have so much more open on one side of the instrument. */
  sizeObjection(size: QuotedSize): Objection | undefined {
    const { account, coins } = size;
    const group = groupOf(this.stateOf({ account, kind: 'order' }), size);
    const most = group?.config.maxQuoteQuantity;
    if (most === undefined) return undefined;
    const open = this.#book.sizeOn(size);
    if (!isMore(plus(open, coins), most)) return undefined;
    const left = isMore(most, open) ? minus(most, open) : ZERO_QUANTITY;
    const reason =
      `max_quote_quantity of ${size.index}: ${text(open)} of ${text(most)} coins are open on this ` +
      `side of ${size.instrument}; accepted: at most ${text(left)} more`;
    return { reply: refusal(OTHER_REJECT, { param: 'quantity', reason }), control: 'mmp' };
  }

  /**
   * Counts the size as open until the returned function is called with the reply; after an unknown one until the venue must
   * refuse the order, and its notice would have come. One that was accepted counts twice until then: rather too much than too
   * little.
   */
  sending(size: QuotedSize, validUntil?: Instant): (reply: Reply<unknown>['kind']) => void {
    const end = this.#book.sending(size);
    const { clock } = this.#options;
    return (reply) => {
      if (reply !== 'unknown') return end();
      const until = later(validUntil ?? later(clock.now(), VALID_MS_MAX), NOTICE_MS);
      const stop = clock.at(until, () => {
        this.#unproven.delete(stop);
        end();
      });
      this.#unproven.add(stop);
    };
  }

  /** Why a quote of a Block RFQ must not be sent now; its legs may span several indexes. */
  quoteObjection(quote: {
    readonly account: AccountId;
    readonly mmpGroup: string;
    readonly instruments: readonly InstrumentName[];
  }): Objection | undefined {
    const { account } = quote;
    if (this.stateOf({ account, kind: 'blockRfq' }).groups.size === 0) return undefined;
    const venue = this.#options.venues.forAccount(account);
    const places = venue === undefined ? [] : placesOf(venue, quote.instruments, quote.mmpGroup);
    for (const place of places) {
      const objection = this.objection({ account, kind: 'blockRfq', ...place });
      if (objection !== undefined) return objection;
    }
    return undefined;
  }

  isFrozen(at: MmpOf & MmpPlace): boolean {
    return this.#frozen(at) !== undefined;
  }

  /** Whether any flagged order of the account is blocked on the index, whatever its group. */
  isIndexFrozen(account: AccountId, index: string): boolean {
    const now = this.#options.clock.now();
    const { groups } = this.stateOf({ account, kind: 'order' });
    return [...groups.values()].some(
      (group) => group.config.index === index && isFrozen(group, now),
    );
  }

  /** Registers an order that the venue has reported. */
  entered(venue: Venue, order: OrderRecord): void {
    this.#listener.recordOrder(venue, order);
  }

  /** The venue refused a flagged order because of its own protection: ours follows. */
  refusedByVenue(at: MmpOf & MmpPlace): void {
    const { account, kind, index, group } = at;
    const now = this.#options.clock.now();
    this.#protection({ account, kind }).notify({ kind: 'venue_tripped', now, index, group });
  }

  /** Records the group of a portfolio that is active in this process. */
  know(portfolio: PortfolioId, group: string): void {
    this.#groups.know(portfolio, group);
  }

  /** The index that a named order group is configured for. */
  indexOf(account: AccountId, group: string): string | undefined {
    const { groups } = this.stateOf({ account, kind: 'order' });
    return [...groups.values()].find(({ config }) => config.group === group)?.config.index;
  }

  /** Calls `listener` once for every trip, in any process. */
  onTrip(listener: (trip: MmpFrozen) => void): () => void {
    return this.#trips.add(listener);
  }

  /** Calls `listener` when a freeze ends, by time or by a reset. */
  onThaw(listener: (thawed: MmpOf & MmpPlace) => void): () => void {
    return this.#thaws.add(listener);
  }

  /** The state in the ledger, whichever process wrote it; `undefined` while the ledger is unavailable. */
  async stored(of: MmpOf): Promise<MmpState | undefined> {
    try {
      const found = await this.#options.records.load(of);
      return found === undefined ? EMPTY_MMP : mmpFromRecord(found.state);
    } catch (error) {
      this.#options.observer.observe({ event: 'failed', where: 'mmp.ledger', error });
      return undefined;
    }
  }

  /** The share of each limit that the currently open windows have used. */
  *windows(): Iterable<{ readonly kind: MmpOf['kind']; readonly used: MmpUse }> {
    const now = this.#options.clock.now();
    for (const { of, state } of this.#protections.values()) {
      for (const used of usesAt(state, now)) yield { kind: of.kind, used };
    }
  }

  protectionOf(of: MmpOf): MmpProtection {
    return this.#protection(of);
  }

  /** Reads the changes of other processes. Never rejects. */
  reread(): Promise<void> {
    this.#rereading ??= this.#reread().finally(() => {
      this.#rereading = undefined;
    });
    return this.#rereading;
  }

  async #reread(): Promise<void> {
    const { records, observer } = this.#options;
    try {
      for (const { account, kind, version } of await records.versions()) {
        const protection = this.#protection({ account, kind });
        if (version > protection.version) await protection.reload();
      }
    } catch (error) {
      observer.observe({ event: 'failed', where: 'mmp.reread', error });
    }
  }

  #rereadLater(): void {
    const { clock } = this.#options;
    if (!this.#isStarted) return;
    this.#stopTimer = clock.at(later(clock.now(), REREAD_MS), () => {
      void this.reread().finally(() => this.#rereadLater());
    });
  }

  #frozen(at: MmpOf & MmpPlace): MmpGroup | undefined {
    return frozenGroup(this.stateOf(at), at, this.#options.clock.now());
  }

  #isAnyFrozen(of: MmpOf): boolean {
    const now = this.#options.clock.now();
    return [...this.stateOf(of).groups.values()].some((group) => isFrozen(group, now));
  }

  /** The state in force in this process. */
  stateOf(of: MmpOf): MmpState {
    return this.#protections.get(keyOf(of))?.state ?? EMPTY_MMP;
  }

  #protection(of: MmpOf): MmpProtection {
    const key = keyOf(of);
    const known = this.#protections.get(key);
    if (known !== undefined) return known;
    const { account, kind } = of;
    const protection = new MmpProtection(
      { account, kind },
      {
        ...this.#options,
        onAhead: (whose, before, after) => this.#changedAhead(whose, before, after),
        onDurable: (whose, change) => this.#changedDurably(whose, change),
      },
    );
    this.#protections.set(key, protection);
    return protection;
  }

  /** Handles a state that is in force in this process from now on, durable or not. */
  #changedAhead(of: MmpOf, before: MmpState, after: MmpState): void {
    for (const { config } of trippedBetween(before, after, this.#options.clock.now())) {
      if (this.#isProtectedHere(of.account)) this.#sweep.trip(of, config);
    }
    for (const group of standingChanged(before, after)) this.#awaitThaw(of, group);
  }

  #changedDurably(
    of: MmpOf,
    change: {
      readonly before: MmpState;
      readonly after: MmpState;
      readonly events: readonly MmpEvent[];
    },
  ): void {
    const { nudges, observer, clock } = this.#options;
    const { before, after, events } = change;
    if (events.length > 0) nudges?.nudge(TOPIC);
    for (const { config, used } of usesOf(before, events)) {
      observer.observe({
        event: 'mmp_traded',
        ...of,
        index: config.index,
        group: config.group,
        used,
      });
    }
    for (const event of events) {
      if (event.kind !== 'exceeded') continue;
      const { index, group, tradeId, quantity: coins } = event;
      observer.observe({ event: 'mmp_exceeded', ...of, index, group, tradeId, coins });
    }
    for (const { config, freeze } of trippedBetween(before, after, clock.now())) {
      const { index, group } = config;
      this.#trips.send([{ ...of, index, group, until: freeze?.until }]);
    }
    for (const group of standingChanged(before, after)) this.#reportStanding(of, group);
    if (of.kind === 'order' && holdsDifferently(before, after)) {
      this.#options.venues
        .forAccount(of.account)
        ?.holdMargins?.(of.account, protectedIndexes(after));
    }
    this.#listen();
    if ([...after.groups.keys()].some((key) => !before.groups.has(key))) {
      void this.#readUps.readUp(of);
    }
  }

  #reportStanding(of: MmpOf, { config, freeze }: MmpGroup): void {
    const { index, group } = config;
    const name = { ...of, index, group };
    const { clock, observer } = this.#options;
    const isOver = freeze?.until !== undefined && freeze.until <= clock.now();
    if (freeze === undefined || isOver) {
      return observer.observe({ event: 'mmp_set', ...name, status: 'ready' });
    }
    const status = freeze.until === undefined ? 'waiting' : 'frozen';
    observer.observe({ event: 'mmp_set', ...name, status, by: freeze.limit });
  }

  /** Sets the timer for the end of the freeze; without a freeze it has just ended. */
  #awaitThaw(of: MmpOf, { config, freeze }: MmpGroup): void {
    const { clock } = this.#options;
    const { index, group } = config;
    const key = `${keyOf(of)} ${groupKey(config)}`;
    this.#thawing.get(key)?.();
    this.#thawing.delete(key);
    if (freeze === undefined) return this.#thaws.send([{ ...of, index, group }]);
    if (freeze.until === undefined || freeze.until <= clock.now()) return;
    const stop = clock.at(freeze.until, () => {
      this.#thawing.delete(key);
      this.#reportStanding(of, { config, countsFrom: clock.now(), trips: 0 });
      this.#thaws.send([{ ...of, index, group }]);
    });
    this.#thawing.set(key, stop);
  }

  /** Subscribes only to venues with a protected account. */
  #listen(): void {
    if (!this.#isStarted) return;
    const { venues } = this.#options;
    const wanted = new Set<Venue>();
    for (const { of, state } of this.#protections.values()) {
      const venue = state.groups.size > 0 ? venues.forAccount(of.account) : undefined;
      if (venue !== undefined) wanted.add(venue);
    }
    this.#listener.listenAt(wanted);
  }

  #readUpAll(venue: Venue): void {
    for (const { of } of this.#protections.values()) {
      if (this.#options.venues.forAccount(of.account) === venue) void this.#readUps.readUp(of);
    }
  }

  /** The account is protected here from now on: what came before is read, and a mass cancel that another began is completed. */
  async #takeUp(account: AccountId): Promise<void> {
    const own = [...this.#protections.values()].filter(({ of }) => of.account === account);
    await Promise.all(own.map(({ of }) => this.#readUps.readUp(of)));
    for (const { of } of own) if (this.#isAnyFrozen(of)) void this.#sweep.cancelRemaining(of);
  }

  /** While nobody is known to protect the account, every daemon does. */
  #isProtectedHere(account: AccountId): boolean {
    const { connections, isElsewhere } = this.#options;
    return connections.isKept(account) || !isElsewhere(account);
  }
}

/** The guard as the engine, and what sends orders and quotes, see it. */
export type MmpProtecting = Pick<
  MmpGuard,
  | 'start'
  | 'drain'
  | 'stop'
  | 'know'
  | 'onThaw'
  | 'indexOf'
  | 'stateOf'
  | 'isIndexFrozen'
  | 'objection'
  | 'sizeObjection'
  | 'sending'
  | 'entered'
  | 'refusedByVenue'
  | 'quoteObjection'
>;

/** Where no account has protection: no order or quote is blocked, and nothing trips. */
export const NO_PROTECTION: MmpProtecting = {
  start: () => Promise.resolve(),
  drain: () => Promise.resolve(),
  stop: () => undefined,
  know: () => undefined,
  onThaw: () => () => undefined,
  indexOf: () => undefined,
  stateOf: () => EMPTY_MMP,
  isIndexFrozen: () => false,
  objection: () => undefined,
  sizeObjection: () => undefined,
  sending: () => () => undefined,
  entered: () => undefined,
  refusedByVenue: () => undefined,
  quoteObjection: () => undefined,
};
