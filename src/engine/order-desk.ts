// The order methods of every account, over the venues: the same gate for all of them.
import type { Settings } from '../core/portfolio/settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { MarketReads } from '../ports/market-reads.ts';
import type { Observer } from '../ports/observer.ts';
import type { TradingDesk } from '../ports/trading-desk.ts';
import type { Venue, VenueDirectory } from '../ports/venue.ts';
import type { AccountId } from '../values/ids.ts';
import { OrderEntry } from './enter-orders.ts';
import type { OrderOperations } from './order-operations.ts';

export interface OrderDeskOptions {
  readonly venues: VenueDirectory;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly observer: Observer;
  /** Those in force at the moment: dummy accounts have no orders of their own. */
  readonly limits: () => { readonly dummyAccounts: ReadonlySet<AccountId> };
}

export class OrderDesk implements OrderOperations {
  readonly #options: OrderDeskOptions;
  readonly #desks = new Map<Venue, TradingDesk>();

  constructor(options: OrderDeskOptions) {
    this.#options = options;
  }

  forAccount(account: AccountId): TradingDesk | undefined {
    const { venues, limits } = this.#options;
    if (limits().dummyAccounts.has(account)) return undefined;
    const venue = venues.forAccount(account);
    return venue && this.#deskOf(venue);
  }

  markets(): readonly MarketReads[] {
    return this.#options.venues.all().map(({ desk }) => desk);
  }

  #deskOf(venue: Venue): TradingDesk {
    const known = this.#desks.get(venue);
    if (known !== undefined) return known;
    const gated = gatedDesk(venue, new OrderEntry({ ...this.#options, venue }));
    this.#desks.set(venue, gated);
    return gated;
  }
}

/** Changes go through `entry`; questions go to the venue as they are. */
function gatedDesk({ desk }: Venue, entry: OrderEntry): TradingDesk {
  return {
    enter: (order) => entry.enter(order),
    edit: (change) => entry.edit(change),
    cancel: (request) => entry.cancel(request),
    cancelAll: (filter) => entry.cancelAll(filter),
    order: (account, id) => desk.order(account, id),
    ordersLabelled: (filter) => desk.ordersLabelled(filter),
    openOrdersOf: (filter) => desk.openOrdersOf(filter),
    orderHistory: (query) => desk.orderHistory(query),
    trades: (query) => desk.trades(query),
    positionsOf: (filter) => desk.positionsOf(filter),
    summaryOf: (account, currency) => desk.summaryOf(account, currency),
    listen: (listener) => desk.listen(listener),
    listed: (query) => desk.listed(query),
    instrument: (name) => desk.instrument(name),
    ticker: (name) => desk.ticker(name),
    book: (name, depth) => desk.book(name, depth),
    index: (name) => desk.index(name),
    indexNames: () => desk.indexNames(),
    follow: (name, listener) => desk.follow(name, listener),
  };
}
