// A venue under a test's control: the quotes it shows, the requests and replies it loses. Its book is only as deep
// as its quotes; what matters is which orders it accepted under which label.
import { type Refused, refusal, type Unknown } from '../../../src/core/order/answer-class.ts';
import type { OrderRecord, TradeRecord } from '../../../src/core/order/order-record.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type {
  CancelOrder,
  NewOrder,
  OpenOrdersFilter,
  OrderChange,
  OrderKey,
  Reply,
  TradesQuery,
  VenueNotice,
  Worked,
} from '../../../src/ports/trading-desk.ts';
import type { QuoteChanged, Reconciled, ReconcileQuery, Venue } from '../../../src/ports/venue.ts';
import {
  isPositive,
  minus,
  plus,
  type Quantity,
  quantity,
  smaller,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import {
  type AccountId,
  type InstrumentName,
  orderId,
  tradeId,
  venueName,
} from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { Quote } from '../../../src/values/quote.ts';
import {
  done,
  NO_MARKET,
  openPosition,
  orderRecord,
  REFUSING_READS,
  tradeRecord,
} from './venue-records.ts';

interface Kept {
  readonly account: AccountId;
  order: OrderRecord;
  /** As shown by the venue's queries until they have caught up. */
  shown: OrderRecord | undefined;
  changedAt: Instant;
  readonly trades: TradeRecord[];
}

/** The fault of one request: it is lost, its reply is lost, or it is refused with a code. */
export type Mishap =
  | 'lose_request'
  | 'lose_reply'
  | { readonly code: number; readonly later: boolean; readonly message?: string };

export class ScriptVenue implements Venue {
  readonly name = venueName('script');
  readonly features = {
    hidden: false,
    tradeModes: ['cash', 'cross'],
    positionSides: ['net'],
  } as const;
  readonly market = NO_MARKET;
  readonly cancelAll = REFUSING_READS.cancelAll;
  readonly order = REFUSING_READS.order;
  readonly ordersLabelled = REFUSING_READS.ordersLabelled;
  readonly orderHistory = REFUSING_READS.orderHistory;
  readonly summary = REFUSING_READS.summary;
  readonly transactions = REFUSING_READS.transactions;
  rfqs: Venue['rfqs'];
  readonly #clock: Clock;
  readonly #instruments: Map<string, Instrument>;
  readonly #quotes = new Map<string, Quote>();
  readonly #listeners = new Set<(notice: VenueNotice) => void>();
  readonly #watchers = new Set<{
    readonly name: InstrumentName;
    readonly onChange: QuoteChanged | undefined;
  }>();
  readonly kept: Kept[] = [];
  /** Faults for the next requests, one each. */
  readonly mishaps: (Mishap | undefined)[] = [];
  /** Called for each request once the list is used up. */
  mishap: (method: string) => Mishap | undefined = () => undefined;
  /** Look-ups and histories are answered, and have no order in them; lists of trades are complete. */
  findsNothing = false;
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

  /** The venue lists the instrument with other terms from now on. */
  relist(instrument: Instrument): void {
    this.#instruments.set(instrument.name, instrument);
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#instruments.get(name);
  }

  quote(name: InstrumentName): Quote | undefined {
    const quote = this.#quotes.get(name);
    return quote && { ...quote, seenAt: this.#clock.now() };
  }

  watch(name: InstrumentName, onChange?: QuoteChanged): () => void {
    const watcher = { name, onChange };
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
    };
  }

  venueNow() {
    return later(this.#clock.now(), this.skewMs);
  }

  /** Shows a quote from now on, and fills resting orders that cross it. */
  show(quote: Omit<Quote, 'seenAt'>): void {
    this.#quotes.set(quote.instrument, { ...quote, seenAt: this.#clock.now() });
    this.#callWatchers(quote.instrument, this.venueNow());
    for (const kept of this.kept) {
      if (kept.order.state === 'open' && kept.order.instrument === quote.instrument) {
        if (this.#match(kept, 'maker')) this.#notify(kept);
      }
    }
  }

  hide(name: string): void {
    this.#quotes.delete(name);
    this.#callWatchers(name, undefined);
  }

  #callWatchers(name: string, at: Instant | undefined): void {
    for (const watcher of this.#watchers) if (watcher.name === name) watcher.onChange?.(at);
  }

  attach(): Promise<void> {
    return Promise.resolve();
  }

  detach(): Promise<void> {
    return Promise.resolve();
  }

  async place(request: NewOrder): Promise<Reply<Worked>> {
    return await this.#handle('place', () => {
      if (this.#isLate(request)) return refusal(13888);
      if (request.postOnly && this.#crosses(request)) return refusal(11054);
      const kept = this.#open(request);
      this.#match(kept);
      if (kept.order.timeInForce !== 'good_til_cancelled' && kept.order.state === 'open') {
        this.#set(kept, { state: 'cancelled' });
      }
      return this.#accept(kept);
    });
  }

  async edit(request: OrderChange): Promise<Reply<Worked>> {
    return await this.#handle('edit', () => {
      if (this.#isLate(request)) return refusal(13888);
      const kept = this.#openOf(request.of);
      if (kept === undefined) return refusal(10004);
      const { price = kept.order.price, quantity = kept.order.quantity } = request;
      this.#set(kept, { price, quantity });
      this.#match(kept);
      return this.#accept(kept);
    });
  }

  async cancel(request: CancelOrder): Promise<Reply<OrderRecord>> {
    const reply = await this.#handle('cancel', () => {
      const kept = this.#openOf(request.of);
      if (kept === undefined) return refusal(11044);
      this.#set(kept, { state: 'cancelled', cancelReason: 'user_request' });
      return this.#accept(kept);
    });
    return reply.kind === 'done' ? { kind: 'done', value: reply.value.order } : reply;
  }

  async reconcile({ label }: ReconcileQuery): Promise<Reply<Reconciled>> {
    await this.hook('query');
    if (this.isDown) return DOWN;
    const readable = this.findsNothing ? [] : this.#readable();
    const found = readable.filter(({ order }) => order.label === label);
    const trades = found.flatMap((one) => one.trades);
    return await done({ orders: found.map(({ order }) => order), trades });
  }

  async openOrders(filter: OpenOrdersFilter): Promise<Reply<readonly OrderRecord[]>> {
    const { account, labelPrefix = '' } = filter;
    await this.hook('open orders');
    if (this.isDown) return DOWN;
    const orders = this.#readable()
      .filter((one) => one.account === account && one.order.label.startsWith(labelPrefix))
      .map(({ order }) => order)
      .filter(({ state }) => state === 'open');
    return await done(orders.toReversed());
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
    this.#notify(kept);
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
    this.#notify(kept);
  }

  trades({ account, from }: TradesQuery) {
    const trades = this.kept
      .filter((kept) => kept.account === account)
      .flatMap((kept) => kept.trades)
      .filter(({ at }) => from === undefined || at >= from)
      .sort((a, b) => a.at - b.at);
    return done({ trades, hasMore: false });
  }

  /** The sum of its trades plus the additional position. */
  positions({ account }: { readonly account: AccountId }) {
    const held = new Map(this.heldBeside);
    for (const { trades } of this.kept.filter((kept) => kept.account === account)) {
      for (const { instrument, side, quantity } of trades) {
        const before = held.get(instrument) ?? ZERO_QUANTITY;
        held.set(instrument, side === 'buy' ? plus(before, quantity) : minus(before, quantity));
      }
    }
    return done([...held].map(([name, quantity]) => openPosition(account, name, quantity)));
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Publishes a notice that no order caused. */
  notice(notice: VenueNotice): void {
    for (const listener of this.#listeners) this.carry(() => listener(notice));
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

  async #handle(method: string, act: () => Reply<Worked>): Promise<Reply<Worked>> {
    this.requests += 1;
    await this.hook(`${method} request`);
    const mishap = this.mishaps.length > 0 ? this.mishaps.shift() : this.mishap(method);
    if (this.isDown) return DOWN;
    if (mishap === 'lose_request') return NO_REPLY;
    if (typeof mishap === 'object') return refusedWith(mishap);
    const answer = act();
    await this.hook(`${method} reply`);
    return mishap === 'lose_reply' ? NO_REPLY : answer;
  }

  #isLate({ validUntil }: { readonly validUntil?: Instant | undefined }): boolean {
    return validUntil !== undefined && validUntil <= this.venueNow();
  }

  #open(request: NewOrder): Kept {
    this.#orders += 1;
    const now = this.#clock.now();
    const { account, instrument, side, price, quantity, timeInForce, label, mmp } = request;
    const order = orderRecord({
      orderId: orderId(String(this.#orders)),
      createdAt: now,
      updatedAt: now,
      account,
      instrument,
      side,
      price,
      quantity,
      timeInForce,
      label,
      mmp,
    });
    const kept: Kept = { account, order, shown: undefined, changedAt: now, trades: [] };
    this.kept.push(kept);
    return kept;
  }

  #openOf(of: OrderKey): Kept | undefined {
    if ('label' in of) return this.#openWith(of.label);
    return this.kept.find(({ order }) => order.orderId === of.orderId && order.state === 'open');
  }

  #openWith(label: string): Kept | undefined {
    return this.kept.find((kept) => kept.order.label === label && kept.order.state === 'open');
  }

  #crosses({ instrument, side, price }: NewOrder): boolean {
    const quote = this.#quotes.get(instrument);
    const level = side === 'buy' ? quote?.ask : quote?.bid;
    if (level === undefined || price === undefined) return false;
    return side === 'buy' ? price.gte(level.price) : price.lte(level.price);
  }

  #set(kept: Kept, change: Partial<OrderRecord>): void {
    if (kept.changedAt < this.#clock.now()) {
      kept.shown = kept.order;
      kept.changedAt = this.#clock.now();
    }
    kept.order = { ...kept.order, ...change, updatedAt: this.#clock.now() };
  }

  /** Trades against the shown quote up to its size, as maker at its own price. Returns true if anything was traded. */
  #match(kept: Kept, liquidity: 'maker' | 'taker' = 'taker'): boolean {
    const { order } = kept;
    const quote = this.#quotes.get(order.instrument);
    const level = order.side === 'buy' ? quote?.ask : quote?.bid;
    if (level === undefined || order.price === undefined) return false;
    const crosses =
      order.side === 'buy' ? order.price.gte(level.price) : order.price.lte(level.price);
    const size = smaller(minus(order.quantity, order.filledQuantity), level.quantity);
    if (!crosses || !isPositive(size)) return false;
    this.#trades += 1;
    const { account, orderId: of, label, instrument, side, mmp } = order;
    kept.trades.push(
      tradeRecord({
        account,
        orderId: of,
        label,
        instrument,
        side,
        mmp,
        tradeId: tradeId(`t${this.#trades}`),
        tradeSeq: this.#trades,
        price: liquidity === 'maker' ? order.price : level.price,
        quantity: size,
        liquidity,
        at: this.#clock.now(),
      }),
    );
    const filledQuantity = plus(order.filledQuantity, size);
    this.#set(kept, {
      filledQuantity,
      state: filledQuantity.gte(order.quantity) ? 'filled' : 'open',
    });
    return true;
  }

  #accept(kept: Kept): Reply<Worked> {
    if (this.isTalkative) this.#notify(kept);
    return { kind: 'done', value: { order: kept.order, trades: [...kept.trades] } };
  }

  #notify(kept: Kept): void {
    const { order } = kept;
    for (const listener of this.#listeners) {
      for (const trade of kept.trades) {
        this.carry(() => listener({ kind: 'trade', trade }));
      }
      this.carry(() => listener({ kind: 'order', order }));
    }
  }
}

const DOWN: Unknown = { kind: 'unknown', reason: 'down' };
const NO_REPLY: Unknown = { kind: 'unknown', reason: 'no reply' };

const refusedWith = ({
  code,
  later: isLater,
  message = `refused ${code}`,
}: Exclude<Mishap, string>): Refused => ({
  kind: 'refused',
  code,
  message,
  class: isLater ? 'later' : 'final',
});

export const DEEP = quantity('1000000');
