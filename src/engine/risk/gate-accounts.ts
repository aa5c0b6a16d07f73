// The account data that the gate's controls use. It is fed by the venues' notices, read in full when an account is followed
// and after a gap, and checked against orders, positions and the latest trades every minute. Until an account has been
// read once, and while it is not followed, its data is unknown, and controls that need it block.
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import { AccountExposure } from '../../core/risk/gate/account-exposure.ts';
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import { type Drift, ExecutionCost } from '../../core/risk/gate/execution-cost.ts';
import type { GateOrder } from '../../core/risk/gate/gate-order.ts';
import {
  type AccountReading,
  knownUsd,
  type SeenOrder,
  type SeenTrade,
} from '../../core/risk/gate/seen-at-venue.ts';
import { InFlight } from '../../lifetime/in-flight.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import { tradesSince } from '../../ports/trades-since.ts';
import type { VenueNotice } from '../../ports/trading-desk.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { Money } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';
import { DAY_MS, type Instant, instant, later, latest } from '../../values/instant.ts';

export interface GateAccountsOptions {
  readonly venues: VenueDirectory;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly limits: () => ControlLimits;
}

/**
 * Called when the fills of a leg have drifted too far from where it began. One that was found by reading the account
 * `isPast`: somebody may have looked at it since.
 */
export type DriftListener = (
  account: AccountId,
  drift: Drift & { readonly isPast: boolean },
) => void;

/** The fields of a trade that are counted. */
type HeardTrade = Pick<
  TradeRecord,
  | 'account'
  | 'tradeId'
  | 'orderId'
  | 'label'
  | 'instrument'
  | 'side'
  | 'price'
  | 'quantity'
  | 'indexPrice'
  | 'markPrice'
  | 'at'
>;

interface Account {
  readonly exposure: AccountExposure;
  readonly cost: ExecutionCost;
  isKnown: boolean;
  /** True if no notice of the day was missed since the account was read. */
  isWhole: boolean;
  /** Counts the notices about the account, to detect that a read was overtaken by one. */
  told: number;
  /** Its reads, as long as it is followed. */
  following: Following | undefined;
}

interface Following {
  stopTimer: StopTimer;
}

interface Reading extends AccountReading {
  /** The account traded while orders and positions were read: some of them may lack a trade that others include. */
  readonly isTraded: boolean;
}

const READ_EVERY_MS = 60_000;
const RETRY_MS = 1_000;
/** After this many reads overtaken by trades, the result is used anyway: the next read corrects it. */
const READ_TRIES = 5;
/** How far back trades are read every minute, in addition to those received as notices. */
const LATEST_MS = 5_000;

const WAITS: ReadonlySet<string> = new Set(['untriggered']);
const OPEN: ReadonlySet<string> = new Set(['open', 'untriggered']);

export class GateAccounts {
  readonly #parts: GateAccountsOptions;
  readonly #accounts = new Map<AccountId, Account>();
  readonly #silence: (() => void)[] = [];
  readonly #reads = new InFlight();
  #onDrift: DriftListener = () => undefined;
  #isStopped = false;
  #followsAll = true;

  constructor(parts: GateAccountsOptions) {
    this.#parts = parts;
  }

  /** Resolves when no account is being read. */
  drain(): Promise<void> {
    this.stop();
    return this.#reads.idle();
  }

  /** Subscribes to notices, and follows every account, or those of `accounts` alone for now. */
  async start(onDrift: DriftListener, accounts?: readonly AccountId[]): Promise<void> {
    const { venues } = this.#parts;
    this.#followsAll = accounts === undefined;
    this.#isStopped = false;
    this.#onDrift = onDrift;
    for (const venue of venues.all()) {
      this.#silence.push(venue.subscribe((news) => this.#heard(venue, news)));
    }
    const followed = accounts ?? venues.accounts?.() ?? [];
    await Promise.all(followed.map((account) => this.follow(account)));
  }

  /** Reads the account from now on; a failed read is repeated until it succeeds. Resolves after the first one. */
  async follow(account: AccountId): Promise<void> {
    const known = this.#of(account);
    if (known.following !== undefined || this.#isStopped) return;
    const following = { stopTimer: () => undefined };
    known.following = following;
    await this.#readOn(account, following);
  }

  /** What is published about the account does not arrive here any more: what is known of it may be wrong. */
  unfollow(account: AccountId): void {
    const known = this.#of(account);
    known.following?.stopTimer();
    known.following = undefined;
    known.isKnown = false;
    known.isWhole = false;
  }

  stop(): void {
    this.#isStopped = true;
    for (const silence of this.#silence.splice(0)) silence();
    for (const { following } of this.#accounts.values()) following?.stopTimer();
  }

  /** `undefined` while the account's orders and positions are unknown. */
  viewOf(account: AccountId, now: Instant): AccountExposure | undefined {
    const known = this.#accounts.get(account);
    if (known?.isKnown !== true) return undefined;
    known.exposure.roll(now);
    return known.exposure;
  }

  /** What this process has sent for the account; known even while {@link viewOf} is not. */
  sentFor(account: AccountId): AccountExposure {
    return this.#of(account).exposure;
  }

  /** Counts an order that was let through; the returned function releases the reservation. */
  reserve(order: GateOrder): () => void {
    return this.#of(order.account).exposure.reserve(order, this.#parts.clock.now());
  }

  /** Updates an order from the venue's record. */
  answered(venue: Venue, record: OrderRecord): void {
    const seen = this.#seen(venue, record);
    if (seen !== undefined) this.#of(record.account).exposure.heard(seen);
  }

  /** Releases a child that was never at the venue. */
  settled(account: AccountId, label: string): void {
    this.#of(account).exposure.settled(label);
  }

  /** Today's execution cost of the account in USD; `undefined` while unknown. */
  lossUsd(account: AccountId): Money | undefined {
    const known = this.#accounts.get(account);
    return known?.isKnown === true ? known.cost.lossUsd(this.#parts.clock.now()) : undefined;
  }

  /** Calls the listener once more with every drift of today, as far as the account is known. */
  recallDrifts(account: AccountId): void {
    const known = this.#accounts.get(account);
    for (const drift of known?.isKnown === true ? [...known.cost.drifts()] : []) {
      this.#onDrift(account, { ...drift, isPast: true });
    }
  }

  #of(account: AccountId): Account {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const exposure = new AccountExposure();
    const fresh = {
      exposure,
      cost: new ExecutionCost(),
      isKnown: false,
      isWhole: false,
      told: 0,
      following: undefined,
    };
    this.#accounts.set(account, fresh);
    return fresh;
  }

  #heard(venue: Venue, news: VenueNotice): void {
    switch (news.kind) {
      case 'order':
        return this.answered(venue, news.order);
      case 'trade':
        return this.recordTrade(venue, news.trade);
      case 'account':
        return;
      case 'reconnected':
        for (const [account, known] of this.#accounts) {
          if (!this.#followsAll && known.following === undefined) continue;
          known.isWhole = false;
          void this.#readSafely(account);
        }
    }
  }

  /** Counts a trade of one of the accounts; each counts once. */
  recordTrade(venue: Venue, { account, ...trade }: HeardTrade): void {
    const known = this.#of(account);
    known.told += 1;
    const instrument = venue.instrument(trade.instrument);
    if (instrument === undefined) {
      // Nothing can be said of it yet: the day is read again once the venue has listed its instruments.
      if (venue.instruments() === undefined) known.isWhole = false;
      return;
    }
    const seen = { ...trade, instrument, key: keyOf(trade) };
    if (!known.exposure.traded(seen)) return;
    const drift = known.cost.traded(seen, this.#parts.limits().drift);
    if (drift !== undefined) this.#onDrift(account, { ...drift, isPast: false });
  }

  #seen(venue: Venue, record: OrderRecord): SeenOrder | undefined {
    const instrument = venue.instrument(record.instrument);
    if (instrument === undefined) return undefined;
    const { quantity, price = record.trigger?.price, filledQuantity: filled } = record;
    const usd = knownUsd({ instrument, quantity, price }, venue.quote(record.instrument));
    return {
      key: keyOf(record),
      instrument,
      side: record.side,
      quantity,
      filled,
      price,
      usd,
      at: record.updatedAt,
      isOpen: OPEN.has(record.state),
      isInBook: !WAITS.has(record.state),
      reduceOnly: record.reduceOnly,
    };
  }

  async #readOn(account: AccountId, following: Following): Promise<void> {
    const isRead = await this.#readSafely(account);
    if (this.#isStopped || this.#of(account).following !== following) return;
    const { clock } = this.#parts;
    const at = later(clock.now(), isRead ? READ_EVERY_MS : RETRY_MS);
    following.stopTimer = clock.at(at, () => void this.#readOn(account, following));
  }

  async #readSafely(account: AccountId): Promise<boolean> {
    try {
      return await this.#reads.track(this.#read(account));
    } catch (error) {
      this.#parts.observer.observe({ event: 'failed', where: 'gate.read', error });
      this.#of(account).isWhole = false;
      return false;
    }
  }

  async #read(account: AccountId): Promise<boolean> {
    const venue = this.#parts.venues.forAccount(account);
    if (venue === undefined) return false;
    const known = this.#of(account);
    const { following } = known;
    const isWhole = !known.isWhole;
    // Notices during the first read are counted too; only another gap matters.
    known.isWhole = true;
    for (let tries = 1; ; tries += 1) {
      const before = known.told;
      const reading = await this.#reading(venue, account, isWhole);
      // Notices were missed since.
      if (known.following !== following) return false;
      if (reading === undefined) {
        known.isWhole = false;
        return false;
      }
      const isOvertaken = before !== known.told || reading.isTraded;
      if (isOvertaken && tries < READ_TRIES) continue;
      // Notices take precedence over the read: an older read must not replace newer data.
      if (isOvertaken && !isWhole) return true;
      const fresh = known.exposure.restated(reading);
      // The first trade of the day defines where a leg began, whichever trade was received first.
      const isComplete = isWhole && !isOvertaken;
      if (isComplete) known.cost.forget();
      const counted = isComplete ? reading.trades : fresh;
      for (const trade of counted) known.cost.traded(trade, this.#parts.limits().drift);
      // The read may lack a trade received meanwhile, which is dropped with the rest of the day.
      if (isOvertaken) known.isWhole = false;
      known.isKnown = true;
      if (counted.length > 0) this.recallDrifts(account);
      return true;
    }
  }

  /** `undefined` if the venue does not answer, or has listed nothing yet. Trades are queried before and after the rest, to see whether they agree. */
  async #reading(venue: Venue, account: AccountId, isWhole: boolean): Promise<Reading | undefined> {
    // Without their instruments, orders and trades would be left out of what the account has open.
    if (venue.instruments() === undefined) return undefined;
    const at = this.#parts.clock.now();
    const since = this.#of(account).exposure.reports;
    const midnight = instant(Math.floor(at / DAY_MS) * DAY_MS);
    const lately = latest(midnight, later(at, -LATEST_MS));
    const told = await tradesSince(venue, account, isWhole ? midnight : lately);
    const [orders, positions] = await Promise.all([
      venue.openOrders({ account }),
      venue.positions({ account }),
    ]);
    const afterwards = await tradesSince(venue, account, lately);
    if (orders.kind !== 'done' || positions.kind !== 'done') return undefined;
    if (told.kind !== 'done' || afterwards.kind !== 'done') return undefined;
    const known = new Set(told.value.map(({ tradeId }) => tradeId));
    return {
      at,
      since,
      positions: positions.value,
      isWhole,
      orders: orders.value.flatMap((order) => this.#seen(venue, order) ?? []),
      trades: told.value.flatMap((trade) => seenTrade(venue, trade) ?? []),
      isTraded: afterwards.value.some(({ tradeId }) => !known.has(tradeId)),
    };
  }
}

function seenTrade(venue: Venue, trade: HeardTrade): SeenTrade | undefined {
  const instrument = venue.instrument(trade.instrument);
  return instrument && { ...trade, instrument, key: keyOf(trade) };
}

/** Our labels identify one order each; a foreign order is identified by its id. */
const keyOf = ({ label, orderId }: Pick<OrderRecord, 'label' | 'orderId'>): string =>
  label.startsWith('tw1-') ? label : orderKey(orderId);

export const orderKey = (orderId: string): string => `order ${orderId}`;
