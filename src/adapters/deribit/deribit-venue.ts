// Deribit behind the venue port: orders over the connection of their account, own state by user channels, markets by
// public ones. A request is sent once; a broken one is unknown and resolved by look-up.
import { unsent } from '../../core/order/answer-class.ts';
import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { ComboDesk } from '../../ports/combo-desk.ts';
import type { WireTally } from '../../ports/deribit-wire/wire-tally.ts';
import type { MarketReads } from '../../ports/market-reads.ts';
import type { RateBudget } from '../../ports/rate-budget.ts';
import type {
  CancelOrder,
  CancelOrders,
  HistoryQuery,
  MarginReads,
  NewOrder,
  OpenOrdersFilter,
  OrderChange,
  OrderFilter,
  Reply,
  TradesQuery,
  TransactionsQuery,
  VenueNotice,
  Worked,
} from '../../ports/trading-desk.ts';
import type { QuoteChanged, Reconciled, ReconcileQuery, Venue } from '../../ports/venue.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, Currency, InstrumentName, OrderId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import type { AccountDetails } from './account/account-limits.ts';
import type { DeribitAccountDesk } from './account/deribit-account-desk.ts';
import type { VenueProtection } from './account/venue-protection.ts';
import {
  type AccountInspection,
  inspectAccount,
  inspectVenue,
  type VenueInspection,
} from './inspect/inspection.ts';
import type { DeribitMarket } from './market/deribit-market.ts';
import type { DeribitOrderDesk } from './orders/deribit-order-desk.ts';
import { ReconcileRounds } from './orders/reconcile-rounds.ts';
import type { SendRequest } from './outcome.ts';
import type { DeribitRfqDesk } from './rfq/deribit-rfq-desk.ts';
import type { Sessions } from './session/sessions.ts';
import type { SparseComparisons } from './sparse-comparisons.ts';
import type { SparseFaults } from './sparse-faults.ts';

export interface DeribitVenueParts {
  readonly name: VenueName;
  readonly sessions: Sessions;
  readonly market: DeribitMarket;
  readonly rfqs: DeribitRfqDesk;
  readonly combos: ComboDesk;
  readonly margins: MarginReads;
  readonly orders: DeribitOrderDesk;
  readonly accounts: DeribitAccountDesk;
  readonly protection: VenueProtection;
  readonly tally: WireTally;
  readonly details: ReadonlyMap<AccountId, AccountDetails>;
  /** Our own clock. */
  readonly now: () => Instant;
  /** With clocks further apart nothing is placed: absence would prove nothing. */
  readonly skewMaxMs: number;
  readonly faults: SparseFaults;
  readonly comparisons: SparseComparisons<AccountId>;
  readonly quietWindows?: VenueFeatures['quietWindows'];
}

/** What it is, for those who look at it: `twapd doctor`. */
export interface VenueFacts {
  readonly clockOffsetMs: number;
  /** Why the markets are not connected. */
  readonly marketTrouble: string | undefined;
  readonly details: ReadonlyMap<AccountId, AccountDetails>;
  /** What was sent beyond what is known, and what could not be read. */
  readonly counts: ReadonlyMap<string, number>;
}

export class DeribitVenue implements Venue {
  readonly name: VenueName;
  readonly market: MarketReads;
  readonly rfqs: DeribitRfqDesk;
  readonly combos: ComboDesk;
  readonly margins: MarginReads;
  readonly #parts: DeribitVenueParts;
  readonly #notices: FanOut<VenueNotice>;
  readonly #rounds: ReconcileRounds;
  #features: VenueFeatures;

  constructor(parts: DeribitVenueParts) {
    this.name = parts.name;
    this.market = parts.market.desk;
    this.rfqs = parts.rfqs;
    this.combos = parts.combos;
    this.margins = parts.margins;
    this.#parts = parts;
    this.#features = { ...FEATURES, quietWindows: parts.quietWindows };
    this.#notices = new FanOut((error) => parts.faults.report(error));
    const { orders } = parts;
    this.#rounds = new ReconcileRounds({
      ordersLabelled: (filter) => orders.ordersLabelled(filter),
      openLabelled: (filter) => orders.openLabelled(filter),
      openOrders: (filter) => orders.openOrders(filter),
      orderHistory: (history) => orders.orderHistory(history),
      trades: (trades) => this.trades(trades),
      venueNow: () => this.venueNow(),
    });
  }

  /** The message rate is that of the account with the least, as its last login said. Read for every message. */
  get features(): VenueFeatures {
    const { orderRate } = this.#parts.sessions;
    if (this.#features.orderRate !== orderRate) this.#features = { ...this.#features, orderRate };
    return this.#features;
  }

  trouble(): string | undefined {
    const { sessions, market } = this.#parts;
    return sessions.trouble() ?? market.platform.trouble() ?? this.#skewTrouble();
  }

  rateBudgets(): readonly RateBudget[] {
    return this.#parts.sessions.budgets;
  }

  facts(): VenueFacts {
    const { details, tally, now, sessions } = this.#parts;
    return {
      details,
      counts: tally.counts,
      marketTrouble: sessions.marketTrouble,
      clockOffsetMs: this.venueNow() - now(),
    };
  }

  /** The state of an account's connection, and the rights that its login was granted. */
  accountFacts(account: AccountId) {
    const { sessions } = this.#parts;
    return { trouble: sessions.trouble(account), scope: sessions.scopeOf(account) };
  }

  /** Reads what the port does not have. */
  inspect(): Promise<VenueInspection> {
    const { sessions, tally } = this.#parts;
    return inspectVenue(sessions.requestMarket, tally);
  }

  inspectAccount(account: AccountId): Promise<AccountInspection> {
    const { sessions, tally } = this.#parts;
    return inspectAccount((...request) => sessions.request(account, ...request), tally);
  }

  /** Sends what no port has, and keeps nothing of the answer. */
  requestsOf(account: AccountId): SendRequest {
    const { sessions } = this.#parts;
    return (method, params) =>
      method.startsWith('public/')
        ? sessions.requestMarket(method, params)
        : sessions.request(account, method, params);
  }

  instruments(): readonly Instrument[] | undefined {
    const listed = this.#parts.market.instruments.listed(this.venueNow());
    return listed.length === 0 ? undefined : listed;
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#parts.market.instruments.trading(name, this.venueNow());
  }

  quote(name: InstrumentName): Quote | undefined {
    return this.#parts.market.quotes.quote(name);
  }

  watch(name: InstrumentName, onChange?: QuoteChanged): () => void {
    return this.#parts.market.quotes.watch(name, onChange);
  }

  venueNow(): Instant {
    return this.#parts.sessions.venueNow();
  }

  async attach(account: AccountId): Promise<void> {
    await this.#parts.sessions.attach(account);
  }

  detach(account: AccountId): Promise<void> {
    this.#parts.sessions.detach(account);
    return Promise.resolve();
  }

  place(order: NewOrder): Promise<Reply<Worked>> {
    const { orders, protection } = this.#parts;
    const held = this.#held(order.instrument) ?? protection.refusalOf(order);
    return held === undefined ? orders.place(order) : Promise.resolve(held);
  }

  edit(change: OrderChange): Promise<Reply<Worked>> {
    const { orders, protection } = this.#parts;
    const held = protection.refusalOf(change);
    return held === undefined ? orders.edit(change) : Promise.resolve(held);
  }

  cancel(request: CancelOrder) {
    return this.#parts.orders.cancel(request);
  }

  cancelAll(filter: CancelOrders) {
    return this.#parts.orders.cancelAll(filter);
  }

  order(account: AccountId, orderId: OrderId) {
    return this.#parts.orders.order(account, orderId);
  }

  ordersLabelled(filter: OrderFilter & { readonly label: string }) {
    return this.#parts.orders.ordersLabelled(filter);
  }

  reconcile(query: ReconcileQuery): Promise<Reply<Reconciled>> {
    return this.#rounds.reconcile(query);
  }

  openOrders(filter: OpenOrdersFilter) {
    return this.#parts.orders.openOrders(filter);
  }

  orderHistory(query: HistoryQuery) {
    return this.#parts.orders.orderHistory(query);
  }

  trades(query: TradesQuery) {
    return this.#parts.accounts.trades(query);
  }

  positions(filter: OrderFilter) {
    return this.#parts.accounts.positions(filter);
  }

  summary(account: AccountId, currency: Currency) {
    return this.#parts.accounts.summary(account, currency);
  }

  transactions(query: TransactionsQuery) {
    return this.#parts.accounts.transactions(query);
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    return this.#notices.add(listener);
  }

  close(): Promise<void> {
    this.#parts.faults.close();
    this.#parts.comparisons.close();
    this.#parts.rfqs.close();
    this.#parts.market.close();
    this.#parts.sessions.close();
    return Promise.resolve();
  }

  notify(notice: VenueNotice): void {
    this.#notices.send([notice]);
  }

  /** Reports that the stream of an account was interrupted and is back. */
  publishReconnected(account: AccountId): void {
    if (!this.#parts.sessions.isAttached(account)) return;
    this.notify({ kind: 'reconnected', accounts: [account] });
    this.rfqs.notify({ kind: 'reconnected' });
  }

  /** Orders that the venue would refuse for a while, or whose absence could not be proved, are not sent. */
  #held(instrument: InstrumentName) {
    const { platform, instruments } = this.#parts.market;
    const index = instruments.known(instrument)?.indexName;
    const why = platform.trouble(index) ?? this.#skewTrouble();
    return why === undefined ? undefined : unsent(why);
  }

  #skewTrouble(): string | undefined {
    const { now, skewMaxMs } = this.#parts;
    const apartMs = Math.abs(this.venueNow() - now());
    return apartMs > skewMaxMs
      ? `the venue's clock is ${apartMs} ms from ours; accepted: ${skewMaxMs}`
      : undefined;
  }
}

/** Net positions; cross margin, and cash for spot. */
const FEATURES: VenueFeatures = {
  hidden: false,
  tradeModes: ['cross', 'cash'],
  positionSides: ['net'],
};
