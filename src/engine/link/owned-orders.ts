// The order methods of a deployment of several daemons: what an account asks, changes and follows comes from the daemon
// that owns it. Markets are those of this daemon.

import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';
import type { OpenVenue, OrderOperations } from '../order-entry/order-operations.ts';
import type { FollowedNotices } from './followed-notices.ts';
import type { DeskName, Desks, OwnerDispatch } from './owner-dispatch.ts';

export interface OwnedOrdersOptions {
  /** Those of this daemon. */
  readonly here: OrderOperations;
  readonly dispatch: OwnerDispatch;
  /** The notices of every account, as `venues` publish them; absent: those of this daemon. */
  readonly notices?: Pick<FollowedNotices, 'orders' | 'rfqs'> | undefined;
}

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

  #owned<N extends DeskName>(
    name: N,
    account: AccountId,
    desk: Desks[N] | undefined,
  ): Desks[N] | undefined {
    const isHere = this.#options.dispatch.isHere(account);
    return desk === undefined || isHere ? desk : this.#passed(name, desk);
  }

  /** The desk with the methods of accounts passed to their owners. */
  #passed<N extends DeskName>(name: N, desk: Desks[N]): Desks[N] {
    const made = this.#desks.get(name) ?? new WeakMap<object, object>();
    this.#desks.set(name, made);
    const known = made.get(desk) as Desks[N] | undefined;
    if (known !== undefined) return known;
    const passing = this.#options.dispatch.desk(name, desk);
    made.set(desk, passing);
    return passing;
  }

  #followed(venue: OpenVenue): OpenVenue {
    const { notices } = this.#options;
    if (notices === undefined) return venue;
    const known = this.#venues.get(venue);
    if (known !== undefined) return known;
    const { name, rfqs } = venue;
    const followed: OpenVenue = {
      name,
      get market() {
        return venue.market;
      },
      get combos() {
        return venue.combos;
      },
      get features() {
        return venue.features;
      },
      subscribe: (listener) => notices.orders(venue, listener),
      rfqs: rfqs && {
        tape: (of) => rfqs.tape(of),
        aliasOf: (account) => rfqs.aliasOf(account),
        listen: (listener) => notices.rfqs(venue, listener),
      },
    };
    this.#venues.set(venue, followed);
    return followed;
  }
}
