// A paper exchange in a process of its own behind the venue port, over the order methods of its wire. A request is sent
// once; a broken one is unknown and resolved by query.
import { unsent } from '../../core/order/answer-class.ts';
import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { MarketReads } from '../../ports/market-reads.ts';
import type { RateBudget } from '../../ports/rate-budget.ts';
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
  VenueNotice,
  Worked,
} from '../../ports/trading-desk.ts';
import type { Reconciled, ReconcileQuery, Venue } from '../../ports/venue.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, Currency, InstrumentName, OrderId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import type { Lines } from './connection/lines.ts';
import type { Questions } from './connection/questions.ts';
import type { InstrumentList } from './market/instrument-list.ts';
import type { QuoteBoard } from './market/quote-board.ts';
import { reconcile } from './order-status.ts';
import { RemoteAccountDesk } from './remote-account-desk.ts';
import { RemoteOrderDesk } from './remote-order-desk.ts';
import type { RemoteRfqDesk } from './rfq/remote-rfq-desk.ts';

export interface RemoteVenueParts {
  readonly name: VenueName;
  readonly lines: Lines;
  readonly market: MarketReads;
  readonly rfqs: RemoteRfqDesk;
  readonly questions: Questions;
  readonly quotes: QuoteBoard;
  readonly instruments: InstrumentList;
  /** Our own clock. */
  readonly now: () => Instant;
  /** With clocks further apart nothing that expires is placed: absence would prove nothing. */
  readonly skewMaxMs: number;
  readonly onFault: (error: unknown) => void;
  readonly quietWindows?: VenueFeatures['quietWindows'];
  readonly orderRate?: VenueFeatures['orderRate'];
}

/** Net positions on cross margin, like the venue that it simulates. */
const FEATURES: VenueFeatures = {
  hidden: false,
  tradeModes: ['cross', 'cash'],
  positionSides: ['net'],
};

export class RemoteVenue implements Venue {
  readonly name: VenueName;
  readonly features: VenueFeatures;
  readonly market: MarketReads;
  readonly rfqs: RemoteRfqDesk;
  readonly #parts: RemoteVenueParts;
  readonly #orders: RemoteOrderDesk;
  readonly #accounts: RemoteAccountDesk;
  readonly #notices: FanOut<VenueNotice>;

  constructor(parts: RemoteVenueParts) {
    this.name = parts.name;
    this.features = { ...FEATURES, quietWindows: parts.quietWindows, orderRate: parts.orderRate };
    this.market = parts.market;
    this.rfqs = parts.rfqs;
    this.#parts = parts;
    const termsOf = (name: InstrumentName) => parts.instruments.known(name);
    this.#orders = new RemoteOrderDesk(parts.questions, termsOf);
    this.#accounts = new RemoteAccountDesk(parts.questions, termsOf, () => this.venueNow());
    this.#notices = new FanOut(parts.onFault);
  }

  trouble(): string | undefined {
    const down = this.#parts.lines.trouble();
    return down ?? this.#skewTrouble();
  }

  rateBudgets(): readonly RateBudget[] {
    return this.#parts.lines.budgets;
  }

  instruments(): readonly Instrument[] {
    return this.#parts.instruments.listed(this.venueNow());
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#parts.instruments.trading(name, this.venueNow());
  }

  quote(name: InstrumentName): Quote | undefined {
    return this.#parts.quotes.quote(name);
  }

  watch(name: InstrumentName): () => void {
    return this.#parts.quotes.watch(name);
  }

  venueNow(): Instant {
    return this.#parts.lines.venueNow();
  }

  async attach(account: AccountId): Promise<void> {
    const isBack = this.#parts.lines.attach(account);
    await Promise.resolve();
    if (isBack) this.publishReconnected([account]);
  }

  detach(account: AccountId): Promise<void> {
    this.#parts.lines.detach(account);
    return Promise.resolve();
  }

  place(order: NewOrder): Promise<Reply<Worked>> {
    const skew = order.validUntil === undefined ? undefined : this.#skewTrouble();
    return skew === undefined ? this.#orders.place(order) : Promise.resolve(unsent(skew));
  }

  edit(change: OrderChange): Promise<Reply<Worked>> {
    return this.#orders.edit(change);
  }

  cancel(request: CancelOrder) {
    return this.#orders.cancel(request);
  }

  cancelAll(filter: CancelOrders) {
    return this.#orders.cancelAll(filter);
  }

  order(account: AccountId, orderId: OrderId) {
    return this.#orders.order(account, orderId);
  }

  ordersLabelled(filter: OrderFilter & { readonly label: string }) {
    return this.#orders.ordersLabelled(filter);
  }

  reconcile(query: ReconcileQuery): Promise<Reply<Reconciled>> {
    return reconcile(this, query);
  }

  openOrders(filter: OpenOrdersFilter) {
    return this.#orders.openOrders(filter);
  }

  orderHistory(query: HistoryQuery) {
    return this.#orders.orderHistory(query);
  }

  trades(query: TradesQuery) {
    return this.#accounts.trades(query);
  }

  positions(filter: OrderFilter) {
    return this.#accounts.positions(filter);
  }

  summary(account: AccountId, currency: Currency) {
    return this.#accounts.summary(account, currency);
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    return this.#notices.add(listener);
  }

  close(): Promise<void> {
    this.#parts.lines.close();
    this.#parts.instruments.stop();
    return Promise.resolve();
  }

  tell(notice: VenueNotice): void {
    this.#notices.send([notice]);
  }

  /** Reports that the accounts' streams were interrupted and are back. */
  publishReconnected(accounts: readonly AccountId[]): void {
    const attached = accounts.filter((account) => this.#parts.lines.isAttached(account));
    this.tell({ kind: 'reconnected', accounts: attached });
    this.rfqs.tell({ kind: 'reconnected' });
  }

  #skewTrouble(): string | undefined {
    const { now, skewMaxMs } = this.#parts;
    const apartMs = Math.abs(this.venueNow() - now());
    return apartMs > skewMaxMs
      ? `the venue's clock is ${apartMs} ms from ours; accepted: ${skewMaxMs}`
      : undefined;
  }
}
