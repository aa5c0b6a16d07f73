// What the gate knows of the accounts: fed by what venues tell, read afresh at the start and after a gap, and
// held against orders, positions and the latest trades every minute. Until an account was read once, nothing is known of it, and what needs to be blocks.
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import type { VenueTrade } from '../../core/order/venue-report.ts';
import { AccountExposure } from '../../core/risk/gate/account-exposure.ts';
import type { ControlLimits } from '../../core/risk/gate/control-limits.ts';
import { ExecutionCost } from '../../core/risk/gate/execution-cost.ts';
import type { AccountView, GateFault, GateOrder } from '../../core/risk/gate/gate-order.ts';
import {
  type AccountReading,
  knownUsd,
  type SeenOrder,
  type SeenTrade,
} from '../../core/risk/gate/seen-at-venue.ts';
import type { Clock, StopTimer } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';
import type { DeskNews } from '../../ports/trading-desk.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { Money } from '../../values/amounts.ts';
import type { AccountId } from '../../values/ids.ts';
import { DAY_MS, type Instant, instant, later, latest } from '../../values/instant.ts';

export interface GateAccountsParts {
  readonly venues: VenueDirectory;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly limits: () => ControlLimits;
}

/** A leg's fills have drifted too far from where it began. */
export type DriftListener = (label: string, account: AccountId, fault: GateFault) => void;

/** What of a trade is counted. */
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
  /** Nothing of the day was missed since it was read. */
  isWhole: boolean;
  /** Counts what was told of it, so that a reading that was overtaken shows. */
  told: number;
}

const READ_EVERY_MS = 60_000;
const RETRY_MS = 1_000;
/** A reading that trades overtake this often counts all the same: the next one mends it. */
const READ_TRIES = 5;
/** Trades that are looked up every minute, beside those that were told. */
const LATEST_MS = 5_000;

const WAITS: ReadonlySet<string> = new Set(['untriggered']);
const OPEN: ReadonlySet<string> = new Set(['open', 'untriggered']);

export class GateAccounts {
  readonly #parts: GateAccountsParts;
  readonly #accounts = new Map<AccountId, Account>();
  readonly #silence: (() => void)[] = [];
  readonly #timers = new Set<StopTimer>();
  #onDrift: DriftListener = () => undefined;
  #isStopped = false;

  constructor(parts: GateAccountsParts) {
    this.#parts = parts;
  }

  /** Listens, and reads every account; those that cannot be read are tried again until they are. */
  async start(onDrift: DriftListener): Promise<void> {
    const { venues } = this.#parts;
    this.#isStopped = false;
    this.#onDrift = onDrift;
    for (const venue of venues.all()) {
      this.#silence.push(venue.desk.listen((news) => this.#heard(venue, news)));
    }
    await Promise.all((venues.accounts?.() ?? []).map((account) => this.#readOn(account)));
  }

  stop(): void {
    this.#isStopped = true;
    for (const silence of this.#silence.splice(0)) silence();
    for (const stop of this.#timers) stop();
    this.#timers.clear();
  }

  /** `undefined` while it is not known what the account has. */
  viewOf(account: AccountId, now: Instant): AccountView | undefined {
    const known = this.#accounts.get(account);
    if (known?.isKnown !== true) return undefined;
    known.exposure.roll(now);
    return known.exposure;
  }

  /** Counts an order that is let through; undone by the result. */
  reserve(order: GateOrder): () => void {
    return this.#of(order.account).exposure.reserve(order, this.#parts.clock.now());
  }

  /** The venue's word on an order. */
  answered(venue: Venue, record: OrderRecord): void {
    const seen = this.#seen(venue, record);
    if (seen !== undefined) this.#of(record.account).exposure.heard(seen);
  }

  /** A child that never was at the venue. */
  settled(account: AccountId, label: string): void {
    this.#of(account).exposure.settled(label);
  }

  /** What executing has cost the account today, in USD; `undefined` while it is not known. */
  lossUsd(account: AccountId): Money | undefined {
    const known = this.#accounts.get(account);
    return known?.isKnown === true ? known.cost.lossUsd(this.#parts.clock.now()) : undefined;
  }

  #of(account: AccountId): Account {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const exposure = new AccountExposure();
    const fresh = { exposure, cost: new ExecutionCost(), isKnown: false, isWhole: false, told: 0 };
    this.#accounts.set(account, fresh);
    return fresh;
  }

  #heard(venue: Venue, news: DeskNews): void {
    switch (news.kind) {
      case 'order':
        return this.answered(venue, news.order);
      case 'trade':
        return this.heardTrade(venue, news.trade);
      case 'account':
        return;
      case 'reconnected':
        for (const [account, known] of this.#accounts) {
          known.isWhole = false;
          void this.#readSafely(account);
        }
    }
  }

  /** A trade of one of the accounts; each counts once. */
  heardTrade(venue: Venue, { account, ...trade }: HeardTrade): void {
    const known = this.#of(account);
    known.told += 1;
    const instrument = venue.instrument(trade.instrument);
    if (instrument === undefined) return;
    const seen = { ...trade, instrument, key: keyOf(trade) };
    if (!known.exposure.traded(seen)) return;
    const fault = known.cost.traded(seen, this.#parts.limits().drift);
    if (fault !== undefined) this.#onDrift(trade.label, account, fault);
  }

  #seen(venue: Venue, record: OrderRecord): SeenOrder | undefined {
    const instrument = venue.instrument(record.instrument);
    if (instrument === undefined) return undefined;
    const { quantity, price = record.trigger?.price, filledQuantity: filled } = record;
    const usd = knownUsd({ instrument, quantity, price }, venue.quote(record.instrument));
    return {
      ...{ key: keyOf(record), instrument, side: record.side, quantity, filled, price, usd },
      at: record.updatedAt,
      isOpen: OPEN.has(record.state),
      isInBook: !WAITS.has(record.state),
      reduceOnly: record.reduceOnly,
    };
  }

  async #readOn(account: AccountId): Promise<void> {
    const isRead = await this.#readSafely(account);
    this.#in(isRead ? READ_EVERY_MS : RETRY_MS, () => void this.#readOn(account));
  }

  #in(restMs: number, then: () => void): void {
    if (this.#isStopped) return;
    const { clock } = this.#parts;
    const stop = clock.at(later(clock.now(), restMs), () => {
      this.#timers.delete(stop);
      then();
    });
    this.#timers.add(stop);
  }

  async #readSafely(account: AccountId): Promise<boolean> {
    try {
      return await this.#read(account);
    } catch (error) {
      this.#parts.observer.failed({ where: 'gate.read', error });
      this.#of(account).isWhole = false;
      return false;
    }
  }

  async #read(account: AccountId): Promise<boolean> {
    const venue = this.#parts.venues.forAccount(account);
    if (venue === undefined) return false;
    const known = this.#of(account);
    const isWhole = !known.isWhole;
    // What comes in while the first reading lasts is told too; only another gap counts.
    known.isWhole = true;
    for (let tries = 1; ; tries += 1) {
      const before = known.told;
      const reading = await this.#reading(venue, account, isWhole);
      if (reading === undefined) {
        known.isWhole = false;
        return false;
      }
      const isOvertaken = before !== known.told;
      if (isOvertaken && tries < READ_TRIES) continue;
      // What is told stands against what is read: nothing is better known by a reading that is older.
      if (isOvertaken && !isWhole) return true;
      const fresh = known.exposure.restated(reading);
      // A leg began with its first trade of the day, whichever of them was told first.
      const isComplete = isWhole && !isOvertaken;
      if (isComplete) known.cost.forget();
      for (const trade of isComplete ? reading.trades : fresh) {
        known.cost.traded(trade, this.#parts.limits().drift);
      }
      // It may lack a trade that was told meanwhile and is forgotten with the rest of the day.
      if (isOvertaken) known.isWhole = false;
      known.isKnown = true;
      return true;
    }
  }

  async #reading(
    venue: Venue,
    account: AccountId,
    isWhole: boolean,
  ): Promise<AccountReading | undefined> {
    const at = this.#parts.clock.now();
    const midnight = instant(Math.floor(at / DAY_MS) * DAY_MS);
    const from = isWhole ? midnight : latest(midnight, later(at, -LATEST_MS));
    const [orders, positions, told] = await Promise.all([
      venue.desk.openOrdersOf({ account }),
      venue.positions(account),
      venue.tradesSince(account, from),
    ]);
    if (orders.kind !== 'done' || told.kind !== 'trades') return undefined;
    return {
      ...{ at, positions, isWhole },
      orders: orders.value.flatMap((order) => this.#seen(venue, order) ?? []),
      trades: told.trades.flatMap((trade) => seenTrade(venue, trade) ?? []),
    };
  }
}

function seenTrade(venue: Venue, trade: VenueTrade): SeenTrade | undefined {
  const instrument = venue.instrument(trade.instrument);
  return instrument && { ...trade, instrument, key: keyOf(trade) };
}

/** Labels of ours name one order each; of others only the id does. */
const keyOf = ({ label, orderId }: Pick<OrderRecord, 'label' | 'orderId'>): string =>
  label.startsWith('tw1-') ? label : orderKey(orderId);

export const orderKey = (orderId: string): string => `order ${orderId}`;
