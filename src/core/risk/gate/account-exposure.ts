// Working orders, positions and today's trades of an account: fed with what the gate clears and with the venue's
// reports, and re-read periodically. An order counts from the moment it is cleared until its trades, rather than the
// venue's count of them, replace it.
import {
  isPositive,
  isZero,
  larger,
  type Money,
  minus,
  plus,
  type Quantity,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../values/amounts.ts';
import { type Instant, later } from '../../../values/instant.ts';
import { type ComboLeg, type Instrument, isCombo, type Side } from '../../../values/instrument.ts';
import {
  type AccountSnapshot,
  dayOf,
  grossWithout,
  inLegs,
  type MarketExposure,
  type SideExposure,
  workingWithout,
} from './account-snapshot.ts';
import type {
  AccountView,
  GateOrder,
  OpposingOrder,
  SentOrders,
  WorkingOrder,
} from './gate-order.ts';
import { RecentMap } from './recent-map.ts';
import {
  type AccountReading,
  isOutdated,
  isSame,
  type SeenOrder,
  type SeenTrade,
  shareOf,
  tradeUsd,
} from './seen-at-venue.ts';
import { type SentOrder, sentOrder, twinAmong, UnansweredRequests } from './sent-orders.ts';
import { WorkingSide } from './working-side.ts';

interface Entry extends WorkingOrder {
  /** Of a combo. */
  readonly legs?: readonly ComboLeg[] | undefined;
  /** Quantity of the whole order as the venue last reported it; until it has, as it was sent. */
  readonly quantity: Quantity;
  readonly wholeUsd: Money;
  /** Its counted trades. */
  readonly filled: Quantity;
  /** By the venue's clock: older reports about it are ignored. `undefined` until the venue has reported on it. */
  readonly saidAt?: Instant | undefined;
  /** When the request was sent whose terms it has; `undefined` once the venue has reported on it since. */
  readonly sentAt?: Instant | undefined;
  /** The number of the latest report on it. */
  report?: number | undefined;
}

/** What a snapshot has to include. */
export interface SnapshotScope {
  /** By name. */
  readonly instruments: ReadonlyMap<string, Instrument>;
  /** The orders of the portfolio that may work, by their key. */
  readonly orders: ReadonlyMap<string, unknown>;
}

/** Requests without an answer, and sent orders that a fresh reading does not show, are dropped after this. */
const LOST_AFTER_MS = 60_000;
/** Remembered so that late or repeated reports of them change nothing. */
const CLOSED_MAX = 20_000;
const TRADES_MAX = 100_000;
const TWINS_MAX = 50;
const NONE: readonly SentOrder[] = [];

export class AccountExposure implements AccountView, SentOrders {
  readonly #entries = new Map<string, Entry>();
  readonly #unanswered = new UnansweredRequests();
  /** By instrument and side. */
  readonly #sides = new Map<string, WorkingSide>();
  readonly #positions = new Map<string, Quantity>();
  readonly #closed = new RecentMap<true>(CLOSED_MAX);
  readonly #trades = new RecentMap<true>(TRADES_MAX);
  /** Counted trades by order, closed ones included: trades may be reported before their order is. */
  readonly #filled = new RecentMap<Quantity>(CLOSED_MAX);
  readonly #sent = new Map<string, readonly SentOrder[]>();
  #reports = 0;
  #workingUsd = ZERO_MONEY;
  #tradedUsd = ZERO_MONEY;
  readonly #spot = new Set<string>();
  #day = 0;

  position(instrument: string): Quantity {
    return this.#positions.get(instrument) ?? ZERO_QUANTITY;
  }

  /** Names of the instruments with a position or a working order. */
  instruments(): readonly string[] {
    const held = [...this.#positions].filter(([, of]) => !isZero(of)).map(([name]) => name);
    const names = new Set(held);
    for (const { orders } of this.#sides.values()) {
      for (const { instrument } of orders) names.add(instrument);
    }
    return [...names].sort();
  }

  working(instrument: string, side: Side, except: string): Quantity {
    const sum = this.#sides.get(placeOf(instrument, side))?.sum ?? ZERO_QUANTITY;
    return workingWithout(sum, { instrument, side }, this.#entries.get(except));
  }

  grossUsd(except: string): Money {
    const all = { workingUsd: this.#workingUsd, tradedUsd: this.#tradedUsd };
    return grossWithout(this.#entries.get(except), all);
  }

  ordersOn(instrument: string, side: Side, by?: OpposingOrder): Iterable<WorkingOrder> {
    const working = this.#sides.get(placeOf(instrument, side));
    if (working === undefined || (by !== undefined && working.isBeyond(by))) return [];
    return working.orders;
  }

  twin(order: GateOrder, since: Instant): number | undefined {
    if (order.child === undefined) return undefined;
    return twinAmong(this.sentBy(order.child.portfolio), order, since)?.slice;
  }

  /** What the portfolio has sent lately and may still have open. */
  sentBy(portfolio: string): readonly SentOrder[] {
    const sent = this.#sent.get(portfolio) ?? NONE;
    return sent.every(({ key }) => this.#entries.has(key))
      ? sent
      : sent.filter(({ key }) => this.#entries.has(key));
  }

  /** The part that the orders of one portfolio are judged by, as of now. */
  snapshot({ instruments, orders }: SnapshotScope): AccountSnapshot {
    const markets = new Map<string, MarketExposure>();
    for (const { name, legs = [] } of instruments.values()) {
      for (const one of [name, ...legs.map((leg) => leg.instrument)]) {
        markets.set(one, this.#marketOf(one));
      }
    }
    const own: WorkingOrder[] = [];
    for (const key of orders.keys()) {
      const entry = this.#entries.get(key);
      if (entry !== undefined) own.push(entry);
    }
    return {
      day: this.#day,
      workingUsd: this.#workingUsd,
      tradedUsd: this.#tradedUsd,
      markets,
      own,
    };
  }

  #marketOf(name: string): MarketExposure {
    const sides = { buy: this.#sideOf(name, 'buy'), sell: this.#sideOf(name, 'sell') };
    return { position: this.position(name), isOfDay: this.#spot.has(name), sides };
  }

  #sideOf(instrument: string, side: Side): SideExposure {
    const orders = this.#sides.get(placeOf(instrument, side));
    return { working: orders?.sum ?? ZERO_QUANTITY, nearest: orders?.nearest ?? [] };
  }

  /** Traded value and spot quantities count from midnight UTC. */
  roll(now: Instant): void {
    const day = dayOf(now);
    if (day <= this.#day) return;
    this.#day = day;
    this.#tradedUsd = ZERO_MONEY;
    for (const name of this.#spot) this.#positions.delete(name);
    this.#spot.clear();
  }

  /**
   * Adds an order that the gate clears, or the edit of one. The result is called once the venue has answered: the request
   * itself counts no longer, and unless the venue reports otherwise, nothing has come of it.
   */
  reserve(order: GateOrder, at: Instant): () => void {
    const before = this.#entries.get(order.key);
    const { key, side, price, reduceOnly, isImmediate, usd = ZERO_MONEY } = order;
    const terms = { key, side, price, reduceOnly, isImmediate, ...named(order) };
    const answered = this.#unanswered.add(key, { quantity: order.quantity, usd, sentAt: at });
    const { saidAt, report, quantity = order.quantity, wholeUsd = usd } = before ?? {};
    const said = { saidAt, report, quantity, wholeUsd };
    const filled = this.#filledOf(key);
    this.#put({ ...terms, ...said, filled, isInBook: !order.waits, sentAt: at });
    this.#noteSent(order, at);
    return () => {
      answered();
      const entry = this.#entries.get(key);
      if (entry === undefined) return;
      // Terms that the venue has reported in the meantime take precedence.
      const terms = entry.sentAt === at ? before : entry;
      const mayWork = terms?.saidAt !== undefined || this.#unanswered.has(key);
      if (terms !== undefined && mayWork) this.#put({ ...terms, filled: this.#filledOf(key) });
      else this.#drop(key);
    };
  }

  /** The number of reports on orders so far; a reading that begins now may lack what later ones say. */
  get reports(): number {
    return this.#reports;
  }

  /** Processes the venue's report on an order. */
  heard(order: SeenOrder): void {
    this.#reports += 1;
    if (this.#closed.has(order.key)) return;
    const { key, side, price, isInBook, reduceOnly, isOpen } = order;
    const before = this.#entries.get(key);
    if (isOpen && isOutdated(order, before)) return;
    const filled = this.#filledOf(key);
    // An answer and the notice of the same change say the same.
    if (before !== undefined && !this.#unanswered.has(key) && isSame(order, before, filled)) {
      before.report = this.#reports;
      return;
    }
    const terms = { key, side, price, reduceOnly, ...named(order), filled };
    // The fills of a closed order still count until its trades have been reported.
    const quantity = isOpen ? order.quantity : order.filled;
    const wholeUsd = isOpen
      ? order.usd
      : shareOf(order.usd, { part: order.filled, of: order.quantity });
    if (!isOpen) this.#close(key);
    const said = { saidAt: order.at, report: this.#reports };
    this.#put({ ...terms, ...said, quantity, wholeUsd, isInBook: isInBook && isOpen });
  }

  /** Removes an order that is closed, or proven never to have reached the venue. */
  settled(key: string): void {
    this.#drop(key);
    this.#close(key);
  }

  #close(key: string): void {
    this.#closed.set(key, true);
    this.#unanswered.delete(key);
  }

  /** Counts each trade once. Returns whether it is new. */
  traded(trade: SeenTrade): boolean {
    if (this.#trades.has(trade.tradeId)) return false;
    this.#trades.set(trade.tradeId, true);
    // The trade of a combo fills its order; what it moves is reported by its legs.
    if (!isCombo(trade.instrument)) {
      this.#count(trade);
      this.#move(trade);
    }
    this.#fill(trade);
    const entry = this.#entries.get(trade.key);
    if (entry !== undefined) this.#put({ ...entry, filled: this.#filledOf(trade.key) });
    return true;
  }

  /**
   * Restarts from a fresh reading, keeping what is in flight and what was reported while it was read. Returns the
   * trades not reported before.
   */
  restated(reading: AccountReading): readonly SeenTrade[] {
    const { at, orders, positions, trades, isWhole } = reading;
    const fresh = trades.filter(({ tradeId }) => !this.#trades.has(tradeId));
    this.#unanswered.forgetBefore(later(at, -LOST_AFTER_MS));
    // Sent so late that the reading may lack it, or reported after the reading began.
    const kept = [...this.#entries.values()].filter(
      ({ key, report = 0 }) => this.#unanswered.has(key) || report > reading.since,
    );
    for (const key of [...this.#entries.keys()]) this.#drop(key);
    if (isWhole) this.#forgetDay();
    for (const name of [...this.#positions.keys()]) {
      if (!this.#spot.has(name)) this.#positions.delete(name);
    }
    this.roll(at);
    for (const entry of kept) this.#put(entry);
    for (const shown of orders) {
      const { usd: wholeUsd, instrument, isOpen: _, at: saidAt, ...order } = shown;
      const terms = { ...order, ...named({ instrument }), wholeUsd, saidAt };
      if (isOutdated(shown, this.#entries.get(order.key))) continue;
      if (!this.#closed.has(order.key)) this.#put(terms);
    }
    for (const { instrument, quantity } of positions) this.#positions.set(instrument, quantity);
    for (const trade of trades) {
      if (this.#trades.has(trade.tradeId)) continue;
      this.#trades.set(trade.tradeId, true);
      this.#count(trade);
      this.#fill(trade);
      if (trade.instrument.kind === 'spot') this.#move(trade);
    }
    // Fills of yesterday's orders are not among today's trades.
    for (const { key, filled } of orders) this.#filled.set(key, filled);
    for (const { key } of kept) this.#fillKept(key);
    return fresh;
  }

  #forgetDay(): void {
    this.#positions.clear();
    this.#spot.clear();
    this.#trades.clear();
    this.#filled.clear();
    this.#day = 0;
  }

  #filledOf(key: string): Quantity {
    return this.#filled.get(key) ?? ZERO_QUANTITY;
  }

  #fill({ key, quantity }: SeenTrade): void {
    this.#filled.set(key, plus(this.#filledOf(key), quantity));
  }

  /** Trades of an order that was kept may have become known by the reading. */
  #fillKept(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const filled = larger(entry.filled, this.#filledOf(key));
    this.#filled.set(key, filled);
    this.#put({ ...entry, filled });
  }

  #count(trade: SeenTrade): void {
    this.roll(trade.at);
    if (dayOf(trade.at) < this.#day) return;
    this.#tradedUsd = plus(this.#tradedUsd, tradeUsd(trade));
  }

  #move({ instrument: { name, kind }, side, quantity, at }: SeenTrade): void {
    const before = this.position(name);
    if (kind === 'spot') {
      // Its position is what was traded today.
      if (dayOf(at) < this.#day) return;
      this.#spot.add(name);
    }
    this.#positions.set(name, side === 'buy' ? plus(before, quantity) : minus(before, quantity));
  }

  #put(terms: Terms): void {
    const entry = entryOf(terms, this.#unanswered.of(terms.key));
    this.#drop(entry.key);
    if (!isPositive(entry.rest)) return;
    this.#entries.set(entry.key, entry);
    for (const order of [entry, ...(entry.inLegs ?? [])]) {
      const place = placeOf(order.instrument, order.side);
      const side = this.#sides.get(place) ?? new WorkingSide(order.side);
      side.add(order);
      this.#sides.set(place, side);
    }
    this.#workingUsd = plus(this.#workingUsd, entry.usd);
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#workingUsd = minus(this.#workingUsd, entry.usd);
    for (const order of [entry, ...(entry.inLegs ?? [])]) {
      const place = placeOf(order.instrument, order.side);
      const side = this.#sides.get(place);
      side?.delete(order);
      if (side?.isEmpty === true) this.#sides.delete(place);
    }
  }

  #noteSent(order: GateOrder, at: Instant): void {
    const sent = sentOrder(order, at);
    if (sent === undefined || order.child === undefined) return;
    const { portfolio } = order.child;
    this.#sent.set(portfolio, [...this.sentBy(portfolio), sent].slice(-TWINS_MAX));
    if (this.#sent.size > TWINS_MAX * TWINS_MAX) this.#forgetSent();
  }

  #forgetSent(): void {
    for (const portfolio of [...this.#sent.keys()]) {
      if (this.sentBy(portfolio).length === 0) this.#sent.delete(portfolio);
    }
  }
}

type Terms = Omit<Entry, 'rest' | 'usd' | 'inLegs'>;

/** It counts as the largest that it may become. */
function entryOf(terms: Terms, unanswered: ReturnType<UnansweredRequests['of']>): Entry {
  let { quantity: of, wholeUsd } = terms;
  for (const one of unanswered) {
    of = larger(of, one.quantity);
    wholeUsd = larger(wholeUsd, one.usd);
  }
  const rest = larger(minus(of, terms.filled), ZERO_QUANTITY);
  const entry = { ...terms, rest, usd: shareOf(wholeUsd, { part: rest, of }) };
  return { ...entry, inLegs: inLegs(terms.legs, entry) };
}

const placeOf = (instrument: string, side: Side): string => `${side} ${instrument}`;

const named = ({ instrument: { name: instrument, legs } }: Pick<GateOrder, 'instrument'>) => ({
  instrument,
  legs,
});
