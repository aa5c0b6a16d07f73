// The whole desk of a remote venue: orders, accounts and markets, and the news of all its accounts.
import type {
  DeskNews,
  HistoryQuery,
  NewOrder,
  OrderChange,
  OrderFilter,
  TradesQuery,
  TradingDesk,
} from '../../ports/trading-desk.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, Currency, OrderId } from '../../values/ids.ts';
import { type MarketDeskParts, RemoteMarketDesk } from './market/remote-market-desk.ts';
import { RemoteAccountDesk } from './remote-account-desk.ts';
import { RemoteOrderDesk } from './remote-order-desk.ts';

export class RemoteDesk extends RemoteMarketDesk implements TradingDesk {
  readonly #orders: RemoteOrderDesk;
  readonly #accounts: RemoteAccountDesk;
  readonly #news: FanOut<DeskNews>;

  constructor(parts: MarketDeskParts) {
    super(parts);
    const termsOf: ConstructorParameters<typeof RemoteOrderDesk>[1] = (name) =>
      parts.instruments.known(name);
    this.#orders = new RemoteOrderDesk(parts.questions, termsOf);
    this.#accounts = new RemoteAccountDesk(parts.questions, termsOf);
    this.#news = new FanOut(parts.onFault);
  }

  enter(order: NewOrder) {
    return this.#orders.enter(order);
  }

  edit(change: OrderChange) {
    return this.#orders.edit(change);
  }

  cancel(request: Parameters<TradingDesk['cancel']>[0]) {
    return this.#orders.cancel(request);
  }

  cancelAll(filter: Parameters<TradingDesk['cancelAll']>[0]) {
    return this.#orders.cancelAll(filter);
  }

  order(account: AccountId, orderId: OrderId) {
    return this.#orders.order(account, orderId);
  }

  ordersLabelled(filter: OrderFilter & { readonly label: string }) {
    return this.#orders.ordersLabelled(filter);
  }

  openOrdersOf(filter: OrderFilter) {
    return this.#orders.openOrdersOf(filter);
  }

  orderHistory(query: HistoryQuery) {
    return this.#orders.orderHistory(query);
  }

  trades(query: TradesQuery) {
    return this.#accounts.trades(query);
  }

  positionsOf(filter: OrderFilter) {
    return this.#accounts.positionsOf(filter);
  }

  summaryOf(account: AccountId, currency: Currency) {
    return this.#accounts.summaryOf(account, currency);
  }

  listen(listener: (news: DeskNews) => void): () => void {
    return this.#news.add(listener);
  }

  tell(news: readonly DeskNews[]): void {
    if (this.#news.isHeard) this.#news.send(news);
  }
}
