// The paper exchange behind the venue port, in process. Requests pass one queue: each is answered after its events are
// written, and listeners are notified after the answer.

import { refusal as refusalOfCode } from '../../core/order/answer-class.ts';
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { OrderReply } from '../../exchange/exchange-command.ts';
import * as refusal from '../../exchange/model/refusal.ts';
import type { ExchangeOrder } from '../../exchange/order.ts';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { ComboDesk } from '../../ports/combo-desk.ts';
import type { MarketReads } from '../../ports/market-reads.ts';
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
  TransactionsPage,
  TransactionsQuery,
  VenueNotice,
  Worked,
} from '../../ports/trading-desk.ts';
import type {
  ProtectedIndex,
  QuoteChanged,
  Reconciled,
  ReconcileQuery,
  Venue,
} from '../../ports/venue.ts';
import type { AccountSummary, OpenPosition } from '../../values/account-report.ts';
import { unreachable } from '../../values/assert.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, Currency, InstrumentName, OrderId, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { holdsPosition, type Instrument, type TermsOf } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import { AttachedAccounts } from './attached-accounts.ts';
import { UNKNOWN_CONTINUATION } from './continuation.ts';
import { MarketDesk, type MarketDeskOptions } from './market/paper-market-desk.ts';
import { cancelAllCommand, cancelCommand, changeCommand, placeCommand } from './order-commands.ts';
import { isMarketWanted, isOrderWanted } from './order-filters.ts';
import { done, orderRecord, refusedReply, tradeRecord } from './order-shapes.ts';
import { PaperComboDesk } from './paper-combo-desk.ts';
import { PaperMarginDesk } from './paper-margin-desk.ts';
import { LaterAnswer } from './request-line.ts';
import { PaperRfqDesk } from './rfq/paper-rfq-desk.ts';
import { noticesOf } from './venue-notices.ts';

export interface PaperVenueParts extends MarketDeskOptions {
  readonly name: VenueName;
  readonly quietWindows?: VenueFeatures['quietWindows'];
  /** Why the market is without prices; absent if it makes its own. */
  readonly marketTrouble?: (() => string | undefined) | undefined;
}

/** Net positions on cross margin, like the venue it models. */
const FEATURES: VenueFeatures = {
  hidden: false,
  tradeModes: ['cross', 'cash'],
  positionSides: ['net'],
};

export class PaperVenue implements Venue {
  readonly name: VenueName;
  readonly features: VenueFeatures;
  readonly market: MarketReads;
  readonly rfqs: RfqDesk;
  readonly combos: ComboDesk;
  readonly margins: MarginReads;
  readonly #parts: PaperVenueParts;
  readonly #accounts = new AttachedAccounts();
  readonly #notices: FanOut<VenueNotice>;
  // Not assigned in the constructor: V8 allocates such a closure in the old generation, so that everything it
  // references stays until the next major collection.
  readonly #termsOf: TermsOf = (name) => this.market.instrument(name);

  constructor(parts: PaperVenueParts) {
    this.name = parts.name;
    this.features = { ...FEATURES, quietWindows: parts.quietWindows };
    this.#parts = parts;
    this.#notices = new FanOut(parts.onFault);
    const { isAttached } = this.#accounts;
    const view = { termsOf: this.#termsOf, isAttached };
    parts.line.subscribe(({ events }) => {
      if (this.#notices.isHeard) this.#notices.send(noticesOf(events, view));
    });
    this.market = new MarketDesk(parts);
    this.rfqs = new PaperRfqDesk(parts, this.#accounts);
    this.combos = new PaperComboDesk(parts, this.#accounts);
    this.margins = new PaperMarginDesk(parts, this.#accounts);
  }

  instruments(): readonly Instrument[] {
    return this.market.listed({ expired: false });
  }

  instrument(name: InstrumentName): Instrument | undefined {
    const { market, line, exchange } = this.#parts;
    const combo = exchange.combo(name);
    if (combo !== undefined) return combo.isEnded ? undefined : combo.instrument;
    return market.instrument(name, line.now());
  }

  trouble(): string | undefined {
    return this.#parts.marketTrouble?.();
  }

  quote(name: InstrumentName): Quote | undefined {
    return this.#parts.paper.quote(name);
  }

  /**
   * Sets which of `accounts` are makers of Block RFQs, and their aliases. Quotes of those that are no longer
   * makers are withdrawn.
   */
  seatMakers(accounts: readonly AccountId[], aliases: ReadonlyMap<AccountId, string>): void {
    const { exchange, line, paper } = this.#parts;
    const { rfqs } = exchange;
    const changed = accounts.filter((account) => rfqs.aliasOf(account) !== aliases.get(account));
    if (changed.length === 0) return;
    const makers = changed.flatMap((account) => {
      const alias = aliases.get(account);
      return alias === undefined ? [] : [{ account, alias }];
    });
    const unseated = changed.filter((account) => rfqs.aliasOf(account) !== undefined);
    line.act((now) => paper.seat({ kind: 'seat_rfq_makers', now, makers, unseated }));
  }

  /** What has no listed instrument cannot be traded, and holds nothing. */
  holdMargins(account: AccountId, protections: readonly ProtectedIndex[]): void {
    const { line, paper } = this.#parts;
    line.act((now) => {
      const listed = this.market.listed({ expired: false });
      const holds = protections.flatMap(({ index, maxQuoteQuantity }) => {
        const found = listed.filter((one) => one.indexName === index && holdsPosition(one));
        const of = found.find(({ kind }) => kind === 'perpetual') ?? found[0];
        return of === undefined ? [] : [{ instrument: of.name, maxQuoteQuantity }];
      });
      paper.holdMargins({ kind: 'hold_margins', now, account, holds });
    });
  }

  watch(name: InstrumentName, onChange?: QuoteChanged): () => void {
    const { line, paper, onFault } = this.#parts;
    // What a listener throws must not stop the exchange.
    const guarded = new FanOut<Instant | undefined>(onFault);
    if (onChange !== undefined) guarded.add(onChange);
    const called = onChange && ((at: Instant | undefined) => guarded.send([at]));
    const release = line.act((now) => paper.watch(name, now, called));
    return release ?? (() => undefined);
  }

  venueNow(): Instant {
    return this.#parts.line.now();
  }

  async attach(account: AccountId): Promise<void> {
    if (!this.#parts.exchange.hasAccount(account)) {
      throw new Error(`${this.name} has no account ${account}`);
    }
    const isBack = this.#accounts.attach(account);
    await Promise.resolve();
    if (isBack) this.#notices.send([{ kind: 'reconnected', accounts: [account] }]);
  }

  detach(account: AccountId): Promise<void> {
    this.#accounts.detach(account);
    return Promise.resolve();
  }

  place(order: NewOrder): Promise<Reply<Worked>> {
    return this.#request(order.account, (now) =>
      this.#entered(this.#parts.paper.request(placeCommand(order, now))),
    );
  }

  edit(change: OrderChange): Promise<Reply<Worked>> {
    return this.#request(change.account, (now) =>
      this.#entered(this.#parts.paper.request(changeCommand(change, now))),
    );
  }

  cancel(request: CancelOrder): Promise<Reply<OrderRecord>> {
    return this.#request(request.account, (now) => {
      const { paper } = this.#parts;
      const id = this.#idOf(request, now);
      if (typeof id === 'object') return id;
      const worked = this.#worked(paper.request(cancelCommand(request, id, now)));
      return worked.kind === 'done' ? done(worked.value.order) : worked;
    });
  }

  cancelAll(filter: CancelOrders): Promise<Reply<number>> {
    return this.#request(filter.account, (now) => {
      const { paper } = this.#parts;
      const command = cancelAllCommand(filter, now);
      if (command === undefined) return done(this.#cancelEach(filter, now));
      const answer = paper.request(command);
      return answer.kind === 'refused' ? refusedReply(answer) : done(answer.count);
    });
  }

  order(account: AccountId, orderId: OrderId): Promise<Reply<OrderRecord>> {
    return this.#read(account, (): Reply<OrderRecord> => {
      const { exchange } = this.#parts;
      const order = exchange.order(account, orderId);
      if (order !== undefined) return done(this.#record(order));
      return exchange.ownerOf(orderId) === undefined ? ORDER_NOT_FOUND : NOT_OWNER_OF_ORDER;
    });
  }

  ordersLabelled(
    filter: OrderFilter & { readonly label: string },
  ): Promise<Reply<readonly OrderRecord[]>> {
    return this.#read(filter.account, () => {
      const labelled = this.#parts.exchange.ordersByLabel(filter.account, filter.label);
      return done(this.#wanted(filter, labelled));
    });
  }

  reconcile({ account, instrument, label }: ReconcileQuery): Promise<Reply<Reconciled>> {
    return this.#read(account, () => {
      const { exchange } = this.#parts;
      const orders = exchange
        .ordersByLabel(account, label)
        .filter((order) => order.instrument === instrument);
      const trades = orders.flatMap(({ orderId }) => exchange.tradesByOrder(account, orderId));
      return done({
        orders: orders.map((order) => this.#record(order)),
        trades: trades.map((trade) => tradeRecord(trade, this.#termsOf)),
      });
    });
  }

  openOrders(filter: OpenOrdersFilter): Promise<Reply<readonly OrderRecord[]>> {
    return this.#read(filter.account, () => done(this.#wanted(filter, this.#open(filter))));
  }

  orderHistory(
    query: HistoryQuery,
  ): Promise<
    Reply<{ readonly orders: readonly OrderRecord[]; readonly continuation?: string | undefined }>
  > {
    return this.#read(query.account, (now) => {
      const page = this.#parts.exchange.orderHistory({ ...query, now });
      if (page === undefined) return UNKNOWN_CONTINUATION;
      const { orders, continuation } = page;
      return done({ orders: orders.map((order) => this.#record(order)), continuation });
    });
  }

  trades(
    query: TradesQuery,
  ): Promise<Reply<{ readonly trades: readonly TradeRecord[]; readonly hasMore: boolean }>> {
    return this.#read(query.account, (now) => {
      const { trades, hasMore } = this.#parts.exchange.tradeHistory({ ...query, now });
      return done({ trades: trades.map((trade) => tradeRecord(trade, this.#termsOf)), hasMore });
    });
  }

  positions(filter: OrderFilter): Promise<Reply<readonly OpenPosition[]>> {
    return this.#read(filter.account, (now) => {
      this.#parts.paper.mark(now);
      const open = this.#parts.exchange.openPositions(filter.account, filter.instrument);
      return done(open.filter((one) => isMarketWanted(filter, one.instrument, this.#termsOf)));
    });
  }

  summary(account: AccountId, currency: Currency): Promise<Reply<AccountSummary>> {
    return this.#read(account, (now): Reply<AccountSummary> => {
      this.#parts.paper.mark(now);
      const summary = this.#parts.exchange.summary(account, currency);
      return summary === undefined ? UNAUTHORIZED : done(summary);
    });
  }

  transactions(query: TransactionsQuery): Promise<Reply<TransactionsPage>> {
    return this.#read(query.account, () => {
      const { continuation: before, ...asked } = query;
      const page = this.#parts.exchange.transactionLog({ ...asked, before });
      const { transactions, hasMore } = page;
      return done({ transactions, continuation: hasMore ? transactions.at(-1)?.seq : undefined });
    });
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    return this.#notices.add(listener);
  }

  close(): Promise<void> {
    this.#parts.line.close();
    return Promise.resolve();
  }

  #request<T>(
    account: AccountId,
    act: (now: Instant) => Reply<T> | LaterAnswer<Reply<T>>,
  ): Promise<Reply<T>> {
    const refused = this.#accounts.refusalOf(account);
    return refused === undefined ? this.#parts.line.request(act) : Promise.resolve(refused);
  }

  /** Reads see the exchange at their instant, including settlements due by then. */
  #read<T>(account: AccountId, read: (now: Instant) => Reply<T>): Promise<Reply<T>> {
    return this.#request(account, (now) => {
      this.#parts.paper.settle(now);
      return read(now);
    });
  }

  /** By id if given; otherwise that of the one open order with the label, or of the one closed last. */
  #idOf({ account, of }: CancelOrder, now: Instant): OrderId | Reply<never> {
    if ('orderId' in of) return of.orderId;
    const { exchange, paper } = this.#parts;
    paper.settle(now);
    const labelled = exchange
      .ordersByLabel(account, of.label)
      .filter(({ instrument }) => instrument === of.instrument);
    const open = labelled.filter(({ state }) => state === 'open' || state === 'untriggered');
    if (open.length > 1) return NOT_UNIQUE;
    return (open[0] ?? labelled.at(-1))?.orderId ?? NO_SUCH_LABEL;
  }

  #cancelEach(filter: CancelOrders, now: Instant): number {
    const { paper } = this.#parts;
    paper.settle(now);
    let count = 0;
    for (const order of this.#open(filter)) {
      if (!isOrderWanted(filter, order, this.#termsOf)) continue;
      const answer = paper.request(cancelCommand(filter, order.orderId, now));
      if (answer.kind === 'order') count += 1;
    }
    return count;
  }

  #open(filter: OpenOrdersFilter): readonly ExchangeOrder[] {
    const { account, instrument, currency, label, labelPrefix } = filter;
    return this.#parts.exchange.openOrders({ account, instrument, currency, label, labelPrefix });
  }

  /** The records that match the filter, newest first. */
  #wanted(filter: OrderFilter, orders: readonly ExchangeOrder[]): readonly OrderRecord[] {
    return orders
      .filter((order) => isOrderWanted(filter, order, this.#termsOf))
      .map((order) => this.#record(order))
      .reverse();
  }

  /** The same for an order that may wait first: the reply comes when it is released, unless the pair is routed. */
  #entered(answer: OrderReply): Reply<Worked> | LaterAnswer<Reply<Worked>> {
    if (answer.kind !== 'order' || answer.order.bump === undefined) return this.#worked(answer);
    if (this.#termsOf(answer.order.instrument)?.isRouted === true) return this.#worked(answer);
    return new LaterAnswer(answer.order.orderId, (released) =>
      this.#worked({ kind: 'order', ...released }),
    );
  }

  /** The reply to a command on one order. */
  #worked(answer: OrderReply): Reply<Worked> {
    switch (answer.kind) {
      case 'order': {
        const trades = answer.trades.map((trade) => tradeRecord(trade, this.#termsOf));
        return done({ order: this.#record(answer.order), trades });
      }
      case 'refused':
        return refusedReply(answer);
      default:
        return unreachable(answer);
    }
  }

  #record(order: ExchangeOrder): OrderRecord {
    return orderRecord(order, this.#termsOf);
  }
}

const NOT_OWNER_OF_ORDER = refusedReply(refusal.notOwnerOfOrder());
const ORDER_NOT_FOUND = refusedReply(refusal.orderNotFound('order_id'));
const UNAUTHORIZED = refusedReply(refusal.unauthorized());
const NO_SUCH_LABEL = refusalOfCode(10004);
const NOT_UNIQUE = refusalOfCode(13032);
