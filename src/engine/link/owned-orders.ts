// The order methods of a deployment of several daemons: what an account asks, changes and follows comes from the daemon
// that owns it. Markets are those of this daemon.

import { shardOf } from '../../core/ownership/shards.ts';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';
import type { OpenVenue, OrderOperations } from '../order-entry/order-operations.ts';
import { ACCOUNT_METHODS, accountIn, type DeskName, type Passing } from './account-methods.ts';
import type { FollowedNotices } from './followed-notices.ts';
import type { OwnerCalls } from './owner-calls.ts';

export interface OwnedOrdersOptions {
  /** Those of this daemon. */
  readonly here: OrderOperations;
  readonly calls: OwnerCalls;
  /** The notices of every account, as `venues` publish them; absent: those of this daemon. */
  readonly notices?: Pick<FollowedNotices, 'orders' | 'rfqs'> | undefined;
}

type Method = (...args: readonly unknown[]) => unknown;

export class OwnedOrders implements OrderOperations {
  readonly mmp: MmpOperations | undefined;
  readonly #options: OwnedOrdersOptions;
  readonly #venues = new Map<OpenVenue, OpenVenue>();
  /** One object may serve as several desks. */
  readonly #desks = new Map<DeskName, WeakMap<object, object>>();

  constructor(options: OwnedOrdersOptions) {
    this.#options = options;
    const { mmp } = options.here;
    this.mmp = mmp && this.#passed('mmp', mmp);
  }

  accounts(): ReturnType<OrderOperations['accounts']> {
    return this.#options.here.accounts();
  }

  venues(): readonly OpenVenue[] {
    return this.#options.here.venues().map((venue) => this.#followed(venue));
  }

  forAccount(account: AccountId): TradingDesk | undefined {
    return this.#owned('orders', account, this.#options.here.forAccount(account));
  }

  rfqsFor(account: AccountId): RfqDesk | undefined {
    return this.#owned('rfqs', account, this.#options.here.rfqsFor?.(account));
  }

  combosFor(account: AccountId): ReturnType<NonNullable<OrderOperations['combosFor']>> {
    return this.#owned('combos', account, this.#options.here.combosFor?.(account));
  }

  marginsFor(account: AccountId): ReturnType<NonNullable<OrderOperations['marginsFor']>> {
    return this.#owned('margins', account, this.#options.here.marginsFor?.(account));
  }

  #owned<D extends object>(name: DeskName, account: AccountId, desk: D | undefined): D | undefined {
    const isHere = this.#options.calls.isHere(shardOf(account));
    return desk === undefined || isHere ? desk : this.#passed(name, desk);
  }

  /** The desk with the methods of accounts passed to their owners. */
  #passed<D extends object>(name: DeskName, desk: D): D {
    const made = this.#desks.get(name) ?? new WeakMap<object, object>();
    this.#desks.set(name, made);
    const known = made.get(desk) as D | undefined;
    if (known !== undefined) return known;
    const { calls } = this.#options;
    const isMmp = name === 'mmp';
    const by = Object.entries<Passing>(ACCOUNT_METHODS[name]).map(([method, kind]) => {
      const own: Method = (...args) => (Reflect.get(desk, method) as Method).apply(desk, [...args]);
      const passed: Method = (...args) => {
        const account = accountIn(args);
        // Other desks were found for an account whose owner was elsewhere.
        if (account === undefined || (isMmp && calls.isHere(shardOf(account)))) return own(...args);
        const here = () => own(...args) as Promise<never>;
        return calls[kind](account, `${name}.${method}`, args, here);
      };
      return [method, passed] as const;
    });
    const passing = overriding(desk, Object.fromEntries(by) as Partial<D>);
    made.set(desk, passing);
    return passing;
  }

  #followed(venue: OpenVenue): OpenVenue {
    const { notices } = this.#options;
    if (notices === undefined) return venue;
    const known = this.#venues.get(venue);
    if (known !== undefined) return known;
    const { rfqs } = venue;
    const followed = overriding(venue, {
      subscribe: (listener) => notices.orders(venue, listener),
      rfqs: rfqs && overriding(rfqs, { listen: (listener) => notices.rfqs(venue, listener) }),
    });
    this.#venues.set(venue, followed);
    return followed;
  }
}

/** The desk with some of its methods replaced; its other methods are its own, with what they need of it. */
function overriding<D extends object>(desk: D, by: Partial<D>): D {
  return new Proxy(desk, {
    get: (target, name) => {
      const own: unknown = Reflect.get(by, name) ?? Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}
