// The order methods of every account over all venues, behind one common gate.
import type { Settings } from '../../core/terms/settings.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ComboDesk } from '../../ports/combo-desk.ts';
import type { Observer } from '../../ports/observer.ts';
import type { MarginReads, TradingDesk } from '../../ports/trading-desk.ts';
import type { Venue, VenueDirectory } from '../../ports/venue.ts';
import type { AccountId } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';
import type { SwitchesInForce } from '../kill-switch/trading-switches.ts';
import { MmpDesk } from '../mmp/mmp-desk.ts';
import { MmpGuard, type MmpProtecting } from '../mmp/mmp-guard.ts';
import type { Gate } from '../risk/gate.ts';
import { OrderEntry } from './enter-orders.ts';
import { GatedRfqDesk, type PortfolioRfqDesk } from './gated-rfq-desk.ts';
import type { OpenVenue, OrderOperations } from './order-operations.ts';
import { watchRfqEnds } from './watch-rfqs.ts';

export interface OrderDeskOptions {
  readonly venues: VenueDirectory;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly observer: Observer;
  /** The limits in force at the moment: dummy accounts have no orders of their own. */
  readonly limits: () => { readonly dummyAccounts: ReadonlySet<AccountId> };
  /** Checks every order with the `mmp` flag, and every quote of a maker. */
  readonly mmp: MmpProtecting;
  readonly switches: Pick<SwitchesInForce, 'strictestFor'>;
  /** The gate that children pass too. */
  readonly gate: Gate;
}

export class OrderDesk implements OrderOperations {
  readonly #options: OrderDeskOptions;
  readonly #desks = new Map<Venue, TradingDesk>();
  readonly #rfqDesks = new Map<Venue, GatedRfqDesk>();

  readonly mmp: MmpOperations | undefined;

  constructor(options: OrderDeskOptions) {
    const { mmp, clock } = options;
    this.#options = options;
    this.mmp = mmp instanceof MmpGuard ? new MmpDesk(mmp, clock) : undefined;
  }

  forAccount(account: AccountId): TradingDesk | undefined {
    const venue = this.#venueOf(account);
    return venue && this.#deskOf(venue);
  }

  rfqsFor(account: AccountId): PortfolioRfqDesk | undefined {
    const venue = this.#venueOf(account);
    return venue && this.#rfqDeskOf(venue);
  }

  /** Creating a combo trades nothing, so no control is applied. */
  combosFor(account: AccountId): ComboDesk | undefined {
    return this.#venueOf(account)?.combos;
  }

  marginsFor(account: AccountId): MarginReads | undefined {
    return this.#venueOf(account)?.margins;
  }

  accounts(): ReturnType<OrderOperations['accounts']> {
    const { venues, limits } = this.#options;
    const { dummyAccounts } = limits();
    return (venues.accounts?.() ?? []).flatMap((account) => {
      const venue = dummyAccounts.has(account) ? undefined : venues.forAccount(account);
      return venue === undefined ? [] : [[account, venue.name] as const];
    });
  }

  venues(): readonly OpenVenue[] {
    return this.#options.venues.all();
  }

  /** `undefined` for a dummy account: it has no orders of its own. */
  #venueOf(account: AccountId): Venue | undefined {
    const { venues, limits } = this.#options;
    return limits().dummyAccounts.has(account) ? undefined : venues.forAccount(account);
  }

  #rfqDeskOf(venue: Venue): GatedRfqDesk | undefined {
    const known = this.#rfqDesks.get(venue);
    if (known !== undefined || venue.rfqs === undefined) return known;
    const { rfqs } = venue;
    const gated = new GatedRfqDesk({ ...this.#options, venue, rfqs });
    watchRfqEnds({ venue: venue.name, rfqs, observer: this.#options.observer });
    this.#rfqDesks.set(venue, gated);
    return gated;
  }

  #deskOf(venue: Venue): TradingDesk {
    const known = this.#desks.get(venue);
    if (known !== undefined) return known;
    const gated = deskOver(venue, new OrderEntry({ ...this.#options, venue }));
    this.#desks.set(venue, gated);
    return gated;
  }
}

type Entry = Pick<TradingDesk, 'place' | 'edit' | 'cancel' | 'cancelAll'>;

/** Requests that change an order go through `entry`; queries go directly to the venue. */
export function deskOver(
  venue: Omit<Venue, 'place' | 'edit' | 'cancel' | 'cancelAll'>,
  entry: Entry,
): TradingDesk {
  return {
    place: (order) => entry.place(order),
    edit: (change) => entry.edit(change),
    cancel: (request) => entry.cancel(request),
    cancelAll: (filter) => entry.cancelAll(filter),
    order: (account, id) => venue.order(account, id),
    ordersLabelled: (filter) => venue.ordersLabelled(filter),
    openOrders: (filter) => venue.openOrders(filter),
    orderHistory: (query) => venue.orderHistory(query),
    trades: (query) => venue.trades(query),
    positions: (filter) => venue.positions(filter),
    summary: (account, currency) => venue.summary(account, currency),
    transactions: (query) => venue.transactions(query),
    subscribe: (listener) => venue.subscribe(listener),
    listed: (query) => venue.market.listed(query),
    instrument: (name) => venue.market.instrument(name),
  };
}
