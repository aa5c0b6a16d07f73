// Puts any venue behind a faulty connection. With an empty plan it behaves exactly like the venue itself. Market data
// other than quotes, what concerns combos and what orders need, comes over another connection, without faults.
import type { OrderRecord } from '../../../src/core/order/order-record.ts';
import type { Cleared } from '../../../src/ports/cleared.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type {
  CancelOrder,
  CancelOrders,
  HistoryQuery,
  NewOrder,
  OpenOrdersFilter,
  OrderChange,
  OrderFilter,
  Reply,
  TradesQuery,
  TransactionsQuery,
  VenueNotice,
  Worked,
} from '../../../src/ports/trading-desk.ts';
import type { QuoteChanged, Reconciled, ReconcileQuery, Venue } from '../../../src/ports/venue.ts';
import type {
  AccountId,
  Currency,
  InstrumentName,
  OrderId,
  VenueName,
} from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { Quote } from '../../../src/values/quote.ts';
import type { FaultPlan } from './fault-plan.ts';
import { FaultyLink, refusedWith, type VenueLink } from './faulty-link.ts';
import { faultyRfqDesk } from './faulty-rfq-desk.ts';

export class FaultyVenue implements Venue {
  readonly name: VenueName;
  readonly features: Venue['features'];
  readonly market: Venue['market'];
  readonly rfqs: Venue['rfqs'];
  readonly combos: Venue['combos'];
  readonly margins: Venue['margins'];
  readonly #venue: Venue;
  readonly #link: VenueLink;
  /** The accounts notified when the connection is restored. */
  readonly #accounts = new Set<AccountId>();
  /** The last quote of each instrument: the only ones available while disconnected. */
  readonly #quotes = new Map<InstrumentName, Quote>();

  /** Takes a plan of faults, or a connection with faults of its own. */
  constructor(venue: Venue, clock: Clock, faults: FaultPlan | VenueLink) {
    this.name = venue.name;
    this.features = venue.features;
    this.market = venue.market;
    this.combos = venue.combos;
    this.margins = venue.margins;
    this.#venue = venue;
    this.#link = 'carry' in faults ? faults : new FaultyLink(clock, faults);
    this.rfqs = venue.rfqs && faultyRfqDesk(venue.rfqs, this.#link);
  }

  instruments(): readonly Instrument[] | undefined {
    return this.#link.isListed ? this.#venue.instruments() : undefined;
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#link.isListed ? this.#venue.instrument(name) : undefined;
  }

  quote(name: InstrumentName): Quote | undefined {
    if (this.#link.isDown) return this.#quotes.get(name);
    const quote = this.#venue.quote(name);
    if (quote !== undefined) this.#quotes.set(name, quote);
    return quote;
  }

  watch(name: InstrumentName, onChange?: QuoteChanged): () => void {
    return this.#venue.watch(name, onChange);
  }

  venueNow(): Instant {
    return this.#venue.venueNow();
  }

  attach(account: AccountId): Promise<void> {
    return this.#venue.attach(account);
  }

  detach(account: AccountId): Promise<void> {
    return this.#venue.detach(account);
  }

  place(order: Cleared<NewOrder>): Promise<Reply<Worked>> {
    return this.#request(order, () => this.#venue.place(order));
  }

  edit(change: Cleared<OrderChange>): Promise<Reply<Worked>> {
    return this.#request(change, () => this.#venue.edit(change));
  }

  cancel(request: CancelOrder): Promise<Reply<OrderRecord>> {
    return this.#request(request, () => this.#venue.cancel(request));
  }

  cancelAll(filter: CancelOrders): Promise<Reply<number>> {
    return this.#request(filter, () => this.#venue.cancelAll(filter));
  }

  order(account: AccountId, orderId: OrderId) {
    return this.#query(account, () => this.#venue.order(account, orderId));
  }

  ordersLabelled(filter: OrderFilter & { readonly label: string }) {
    return this.#query(filter.account, () => this.#venue.ordersLabelled(filter));
  }

  reconcile(query: ReconcileQuery): Promise<Reply<Reconciled>> {
    return this.#query(query.account, () => this.#venue.reconcile(query));
  }

  openOrders(filter: OpenOrdersFilter) {
    return this.#query(filter.account, () => this.#venue.openOrders(filter));
  }

  orderHistory(query: HistoryQuery) {
    return this.#query(query.account, () => this.#venue.orderHistory(query));
  }

  trades(query: TradesQuery) {
    return this.#query(query.account, () => this.#venue.trades(query));
  }

  positions(filter: OrderFilter) {
    return this.#query(filter.account, () => this.#venue.positions(filter));
  }

  summary(account: AccountId, currency: Currency) {
    return this.#query(account, () => this.#venue.summary(account, currency));
  }

  transactions(query: TransactionsQuery) {
    return this.#query(query.account, () => this.#venue.transactions(query));
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    const leave = this.#venue.subscribe((notice) => {
      for (const account of accountsOf(notice)) this.#accounts.add(account);
      this.#link.deliver(() => listener(notice));
    });
    const settle = this.#link.onReconnect(() =>
      listener({ kind: 'reconnected', accounts: [...this.#accounts] }),
    );
    return () => {
      leave();
      settle();
    };
  }

  close(): Promise<void> {
    return this.#venue.close();
  }

  #request<T>(
    {
      account,
      validUntil,
    }: { readonly account: AccountId; readonly validUntil?: Instant | undefined },
    send: () => Promise<Reply<T>>,
  ): Promise<Reply<T>> {
    this.#accounts.add(account);
    return this.#link.carry(send, refusedWith, validUntil);
  }

  #query<T>(account: AccountId, send: () => Promise<Reply<T>>): Promise<Reply<T>> {
    this.#accounts.add(account);
    return this.#link.query(send, refusedWith);
  }
}

function accountsOf(notice: VenueNotice): readonly AccountId[] {
  switch (notice.kind) {
    case 'order':
      return [notice.order.account];
    case 'trade':
      return [notice.trade.account];
    case 'account':
      return [notice.account];
    case 'reconnected':
      return notice.accounts;
  }
}
