// A venue under a test's control: the quotes it shows, the requests and replies it loses. Its book is only as deep
// as its quotes; what matters is which orders it accepted under which label.
import type { VenueOrder, VenueTrade } from '../../../src/core/order/venue-report.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type {
  Accepted,
  Balance,
  CancelRequest,
  EditRequest,
  LabelAnswer,
  OpenOrdersAnswer,
  OrderAnswer,
  OrderRequest,
  Position,
  TradesAnswer,
  Venue,
  VenueNotice,
} from '../../../src/ports/venue.ts';
import {
  isPositive,
  minus,
  plus,
  type Quantity,
  quantity,
  smaller,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import {
  type AccountId,
  currency,
  type InstrumentName,
  orderId,
  tradeId,
  venueName,
} from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { Quote } from '../../../src/values/quote.ts';
import { REFUSING_DESK } from './refusing-desk.ts';

interface Kept {
  readonly account: AccountId;
  order: VenueOrder;
  /** As shown by the venue's queries until they have caught up. */
  shown: VenueOrder | undefined;
  changedAt: Instant;
  readonly timeInForce: OrderRequest['timeInForce'];
  readonly trades: VenueTrade[];
}

/** The fault of one request: it is lost, its reply is lost, or it is refused with a code. */
export type Mishap =
  | 'lose_request'
  | 'lose_reply'
  | { readonly code: number; readonly later: boolean };

export class ScriptVenue implements Venue {
  readonly name = venueName('script');
  readonly features = {
    hidden: false,
    tradeModes: ['cash', 'cross'],
    positionSides: ['net'],
  } as const;
  readonly desk = REFUSING_DESK;
  rfqs: Venue['rfqs'];
  readonly #clock: Clock;
  readonly #instruments: Map<string, Instrument>;
  readonly #quotes = new Map<string, Quote>();
  readonly #listeners = new Set<(notice: VenueNotice) => void>();
  readonly kept: Kept[] = [];
  /** Faults for the next requests, one each. */
  readonly mishaps: (Mishap | undefined)[] = [];
  /** Called for each request once the list is used up. */
  mishap: (method: string) => Mishap | undefined = () => undefined;
  /** Nothing passes, neither requests nor queries. */
  isDown = false;
  /** Its clock is this much ahead of ours. */
  skewMs = 0;
  /** The current lag of queries. */
  readLagMs: () => number = () => 0;
  /** Publishes every change, not only spontaneous fills. */
  isTalkative = false;
  /** Delivers one notice to one listener: now, later, twice or never. */
  carry: (send: () => void) => void = (send) => send();
  /** Called before each request and each reply; for crashes. */
  hook: (where: string) => Promise<void> = () => Promise.resolve();
  requests = 0;
  /** A position in addition to the sum of its trades. */
  readonly heldBeside = new Map<InstrumentName, Quantity>();
  #trades = 0;
  #orders = 0;

  constructor(clock: Clock, instruments: readonly Instrument[]) {
    this.#clock = clock;
    this.#instruments = new Map(instruments.map((one) => [one.name, one]));
  }

  instruments(): readonly Instrument[] {
    return [...this.#instruments.values()];
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#instruments.get(name);
  }

  quote(name: InstrumentName): Quote | undefined {
    const quote = this.#quotes.get(name);
    return quote && { ...quote, seenAt: this.#clock.now() };
  }

  watch(): () => void {
    return () => undefined;
  }

  venueNow() {
    return later(this.#clock.now(), this.skewMs);
  }

  /** Shows a quote from now on, and fills resting orders that cross it. */
  show(quote: Omit<Quote, 'seenAt'>): void {
    this.#quotes.set(quote.instrument, { ...quote, seenAt: this.#clock.now() });
    for (const kept of this.kept) {
      if (kept.order.state === 'open' && kept.order.instrument === quote.instrument) {
        if (this.#match(kept)) this.#tell(kept);
      }
    }
  }

  hide(name: string): void {
    this.#quotes.delete(name);
  }

  async place(request: OrderRequest): Promise<OrderAnswer> {
    return await this.#handle('place', () => {
      if (request.validUntil <= this.venueNow()) return refusal(13888, true);
      if (request.postOnly && this.#crosses(request)) return refusal(11054, false);
      const kept = this.#open(request);
      this.#match(kept);
      if (kept.timeInForce !== 'good_til_cancelled' && kept.order.state === 'open') {
        this.#set(kept, { state: 'cancelled' });
      }
      return this.#accept(kept);
    });
  }

  async editByLabel(request: EditRequest): Promise<OrderAnswer> {
    return await this.#handle('edit', () => {
      if (request.validUntil <= this.venueNow()) return refusal(13888, true);
      const kept = this.#openWith(request.label);
      if (kept === undefined)
        return { kind: 'refused', code: 10004, message: 'order_not_found', class: 'done' };
      this.#set(kept, { price: request.price, quantity: request.quantity });
      this.#match(kept);
      return this.#accept(kept);
    });
  }

  async cancel(request: CancelRequest): Promise<OrderAnswer> {
    return await this.#handle('cancel', () => {
      const kept = this.#openWith(request.label);
      if (kept === undefined)
        return { kind: 'refused', code: 11044, message: 'not_open_order', class: 'done' };
      this.#set(kept, { state: 'cancelled', cancelReason: 'user_request' });
      return this.#accept(kept);
    });
  }

  async ordersByLabel({ label }: { readonly label: string }): Promise<LabelAnswer> {
    await this.hook('query');
    if (this.isDown) return { kind: 'unknown', reason: 'down' };
    const readable = this.#readable();
    const found = readable.filter(({ order }) => order.label === label);
    if (found.length === 0) return { kind: 'absent' };
    const trades = found.flatMap((one) => one.trades);
    return { kind: 'found', orders: found.map(({ order }) => order), trades };
  }

  async openOrders(account: AccountId, prefix: string): Promise<OpenOrdersAnswer> {
    await this.hook('open orders');
    if (this.isDown) return { kind: 'unknown', reason: 'down' };
    const orders = this.#readable()
      .filter((one) => one.account === account && one.order.label.startsWith(prefix))
      .map(({ order }) => order)
      .filter(({ state }) => state === 'open');
    return { kind: 'orders', orders };
  }

  /** The orders as queries show them: the latest state, or the previous one while they lag. */
  #readable() {
    const seenAt = this.#clock.now() - this.readLagMs();
    return this.kept.flatMap((kept) => {
      const isCurrent = kept.changedAt <= seenAt;
      const order = isCurrent ? kept.order : kept.shown;
      if (order === undefined) return [];
      const trades = kept.trades.filter((trade) => isCurrent || trade.at < kept.changedAt);
      return [{ account: kept.account, order, trades }];
    });
  }

  /** Another party cancels an order: a person at a screen, or the venue itself. */
  strike(label: string): void {
    const kept = this.#openWith(label);
    if (kept === undefined) return;
    this.#set(kept, { state: 'cancelled', cancelReason: 'by_other' });
    this.#tell(kept);
  }

  /** Loses an order as if it had never existed, which no real venue would do. */
  forget(label: string): void {
    const index = this.kept.findIndex((kept) => kept.order.label === label);
    if (index >= 0) this.kept.splice(index, 1);
  }

  /** Another party changes the size of an open order. */
  resize(label: string, to: Quantity): void {
    const kept = this.#openWith(label);
    if (kept === undefined) return;
    this.#set(kept, { quantity: to });
    this.#tell(kept);
  }

  tradesSince(account: AccountId): Promise<TradesAnswer> {
    const mine = this.kept.filter((kept) => kept.account === account);
    return Promise.resolve({ kind: 'trades', trades: mine.flatMap((kept) => kept.trades) });
  }

  /** The sum of its trades plus the additional position. */
  positions(account: AccountId): Promise<readonly Position[]> {
    const held = new Map(this.heldBeside);
    for (const { trades } of this.kept.filter((kept) => kept.account === account)) {
      for (const { instrument, side, quantity } of trades) {
        const before = held.get(instrument) ?? ZERO_QUANTITY;
        held.set(instrument, side === 'buy' ? plus(before, quantity) : minus(before, quantity));
      }
    }
    return Promise.resolve([...held].map(([instrument, quantity]) => ({ instrument, quantity })));
  }

  balances(): Promise<readonly Balance[]> {
    return Promise.resolve([]);
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** The filled quantity of an instrument over all orders. */
  filled(instrument: string): Quantity {
    return this.kept
      .filter((kept) => kept.order.instrument === instrument)
      .reduce((sum, kept) => plus(sum, kept.order.filledQuantity), ZERO_QUANTITY);
  }

  async #handle(method: string, act: () => OrderAnswer): Promise<OrderAnswer> {
    this.requests += 1;
    await this.hook(`${method} request`);
    const mishap = this.mishaps.length > 0 ? this.mishaps.shift() : this.mishap(method);
    if (this.isDown) return { kind: 'unknown', reason: 'down' };
    if (mishap === 'lose_request') return { kind: 'unknown', reason: 'no reply' };
    if (typeof mishap === 'object') return refusal(mishap.code, mishap.later);
    const answer = act();
    await this.hook(`${method} reply`);
    return mishap === 'lose_reply' ? { kind: 'unknown', reason: 'no reply' } : answer;
  }

  #open(request: OrderRequest): Kept {
    this.#orders += 1;
    const order: VenueOrder = {
      orderId: orderId(String(this.#orders)),
      label: request.label,
      instrument: request.instrument,
      side: request.side,
      state: 'open',
      price: request.price,
      quantity: request.quantity,
      filledQuantity: ZERO_QUANTITY,
      createdAt: this.#clock.now(),
      updatedAt: this.#clock.now(),
    };
    const { account, timeInForce } = request;
    const changedAt = this.#clock.now();
    const kept: Kept = { account, order, shown: undefined, changedAt, timeInForce, trades: [] };
    this.kept.push(kept);
    return kept;
  }

  #openWith(label: string): Kept | undefined {
    return this.kept.find((kept) => kept.order.label === label && kept.order.state === 'open');
  }

  #crosses({ instrument, side, price }: OrderRequest): boolean {
    const quote = this.#quotes.get(instrument);
    const level = side === 'buy' ? quote?.ask : quote?.bid;
    if (level === undefined) return false;
    return side === 'buy' ? price.gte(level.price) : price.lte(level.price);
  }

  #set(kept: Kept, change: Partial<VenueOrder>): void {
    if (kept.changedAt < this.#clock.now()) {
      kept.shown = kept.order;
      kept.changedAt = this.#clock.now();
    }
    kept.order = { ...kept.order, ...change, updatedAt: this.#clock.now() };
  }

  /** Trades against the shown quote up to its size. Returns true if anything was traded. */
  #match(kept: Kept): boolean {
    const { order } = kept;
    const quote = this.#quotes.get(order.instrument);
    const level = order.side === 'buy' ? quote?.ask : quote?.bid;
    if (level === undefined || order.price === undefined) return false;
    const crosses =
      order.side === 'buy' ? order.price.gte(level.price) : order.price.lte(level.price);
    const size = smaller(minus(order.quantity, order.filledQuantity), level.quantity);
    if (!crosses || !isPositive(size)) return false;
    this.#trades += 1;
    kept.trades.push({
      tradeId: tradeId(`t${this.#trades}`),
      orderId: order.orderId,
      label: order.label,
      instrument: order.instrument,
      side: order.side,
      price: level.price,
      quantity: size,
      fee: ZERO_MONEY,
      feeCurrency: currency('BTC'),
      liquidity: 'taker',
      at: this.#clock.now(),
    });
    const filledQuantity = plus(order.filledQuantity, size);
    this.#set(kept, {
      filledQuantity,
      state: filledQuantity.gte(order.quantity) ? 'filled' : 'open',
    });
    return true;
  }

  #accept(kept: Kept): Accepted {
    if (this.isTalkative) this.#tell(kept);
    return { kind: 'accepted', order: kept.order, trades: [...kept.trades] };
  }

  #tell(kept: Kept): void {
    const { account, order } = kept;
    for (const listener of this.#listeners) {
      for (const trade of kept.trades) {
        this.carry(() => listener({ kind: 'trade', account, trade }));
      }
      this.carry(() => listener({ kind: 'order', account, order }));
    }
  }
}

const refusal = (code: number, later: boolean): OrderAnswer => ({
  kind: 'refused',
  code,
  message: `refused ${code}`,
  class: later ? 'later' : 'final',
});

export const DEEP = quantity('1000000');
