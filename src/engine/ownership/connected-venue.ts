// A venue whose requests go over the connections of their accounts, opened when they are needed. Markets and notices are
// those of the venue itself.

import type { VenueRfqDesk } from '../../ports/block-rfq.ts';
import type { Cleared } from '../../ports/cleared.ts';
import type { ComboDesk } from '../../ports/combo-desk.ts';
import type {
  CancelOrder,
  CancelOrders,
  HistoryQuery,
  MarginReads,
  NewOrder,
  OpenOrdersFilter,
  OrderChange,
  OrderFilter,
  TradesQuery,
  TransactionsQuery,
  VenueNotice,
} from '../../ports/trading-desk.ts';
import type { ProtectedIndex, QuoteChanged, ReconcileQuery, Venue } from '../../ports/venue.ts';
import type { AccountId, Currency, InstrumentName, OrderId, VenueName } from '../../values/ids.ts';

/** Sends the requests of an account over its connection. */
interface Connections {
  /** A query or a cancel, which waits for the connection and opens it if there is none. */
  request<T>(account: AccountId, send: () => Promise<T>): Promise<T>;
  /** A request that may trade: it goes out at once or not at all, and opens nothing. */
  trade<T>(account: AccountId, send: () => Promise<T>): Promise<T>;
}

export class ConnectedVenue implements Venue {
  readonly name: VenueName;
  readonly market: Venue['market'];
  readonly rfqs: Venue['rfqs'];
  readonly combos: Venue['combos'];
  readonly margins: Venue['margins'];
  readonly #venue: Venue;
  readonly #connections: Connections;

  constructor(venue: Venue, connections: Connections) {
    this.name = venue.name;
    this.market = venue.market;
    this.rfqs = venue.rfqs && connectedRfqs(venue.rfqs, connections);
    this.combos = venue.combos && connectedCombos(venue.combos, connections);
    this.margins = venue.margins && connectedMargins(venue.margins, connections);
    this.#venue = venue;
    this.#connections = connections;
  }

  get features(): Venue['features'] {
    return this.#venue.features;
  }

  trouble() {
    return this.#venue.trouble?.();
  }

  holdMargins(account: AccountId, protections: readonly ProtectedIndex[]) {
    this.#venue.holdMargins?.(account, protections);
  }

  rateBudgets() {
    return this.#venue.rateBudgets?.() ?? [];
  }

  instruments() {
    return this.#venue.instruments();
  }

  instrument(name: InstrumentName) {
    return this.#venue.instrument(name);
  }

  quote(name: InstrumentName) {
    return this.#venue.quote(name);
  }

  watch(name: InstrumentName, onChange?: QuoteChanged) {
    return this.#venue.watch(name, onChange);
  }

  venueNow() {
    return this.#venue.venueNow();
  }

  attach(account: AccountId) {
    return this.#venue.attach(account);
  }

  detach(account: AccountId) {
    return this.#venue.detach(account);
  }

  place(order: Cleared<NewOrder>) {
    return this.#connections.trade(order.account, () => this.#venue.place(order));
  }

  edit(change: Cleared<OrderChange>) {
    return this.#connections.trade(change.account, () => this.#venue.edit(change));
  }

  cancel(request: CancelOrder) {
    return this.#connections.request(request.account, () => this.#venue.cancel(request));
  }

  cancelAll(filter: CancelOrders) {
    return this.#connections.request(filter.account, () => this.#venue.cancelAll(filter));
  }

  order(account: AccountId, orderId: OrderId) {
    return this.#connections.request(account, () => this.#venue.order(account, orderId));
  }

  ordersLabelled(filter: OrderFilter & { readonly label: string }) {
    return this.#connections.request(filter.account, () => this.#venue.ordersLabelled(filter));
  }

  reconcile(query: ReconcileQuery) {
    return this.#connections.request(query.account, () => this.#venue.reconcile(query));
  }

  openOrders(filter: OpenOrdersFilter) {
    return this.#connections.request(filter.account, () => this.#venue.openOrders(filter));
  }

  orderHistory(query: HistoryQuery) {
    return this.#connections.request(query.account, () => this.#venue.orderHistory(query));
  }

  trades(query: TradesQuery) {
    return this.#connections.request(query.account, () => this.#venue.trades(query));
  }

  positions(filter: OrderFilter) {
    return this.#connections.request(filter.account, () => this.#venue.positions(filter));
  }

  summary(account: AccountId, currency: Currency) {
    return this.#connections.request(account, () => this.#venue.summary(account, currency));
  }

  transactions(query: TransactionsQuery) {
    return this.#connections.request(query.account, () => this.#venue.transactions(query));
  }

  subscribe(listener: (notice: VenueNotice) => void) {
    return this.#venue.subscribe(listener);
  }

  close() {
    return this.#venue.close();
  }
}

const connectedRfqs = (desk: VenueRfqDesk, by: Connections): VenueRfqDesk => ({
  create: (rfq) => by.trade(rfq.account, () => desk.create(rfq)),
  accept: (accept) => by.trade(accept.account, () => desk.accept(accept)),
  quote: (quote) => by.trade(quote.account, () => desk.quote(quote)),
  editQuote: (change) => by.trade(change.account, () => desk.editQuote(change)),
  rfqs: (filter) => by.request(filter.account, () => desk.rfqs(filter)),
  cancelRfq: (of) => by.request(of.account, () => desk.cancelRfq(of)),
  cancelTrigger: (of) => by.request(of.account, () => desk.cancelTrigger(of)),
  cancelQuote: (of) => by.request(of.account, () => desk.cancelQuote(of)),
  cancelQuotes: (of) => by.request(of.account, () => desk.cancelQuotes(of)),
  quotes: (of) => by.request(of.account, () => desk.quotes(of)),
  makers: (account) => by.request(account, () => desk.makers(account)),
  blockTrades: (of) => by.request(of.account, () => desk.blockTrades(of)),
  tape: (of) => desk.tape(of),
  aliasOf: (account) => desk.aliasOf(account),
  listen: (listener) => desk.listen(listener),
});

const connectedCombos = (desk: ComboDesk, by: Connections): ComboDesk => ({
  combos: () => desk.combos(),
  create: (request) => by.request(request.account, () => desk.create(request)),
  legPrices: (request) => by.request(request.account, () => desk.legPrices(request)),
});

const connectedMargins = (desk: MarginReads, by: Connections): MarginReads => ({
  needs: (order) => by.request(order.account, () => desk.needs(order)),
  ofOrders: (account, ids) => by.request(account, () => desk.ofOrders(account, ids)),
});
