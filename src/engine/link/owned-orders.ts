// The order methods of a deployment of several daemons: what changes an order or a Block RFQ passes the gate of the
// daemon that owns the account; queries and notices come from the venue to every daemon.

import { shardOf } from '../../core/ownership/shards.ts';
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import type { AccountId } from '../../values/ids.ts';
import type { MmpOperations } from '../interface/mmp-operations.ts';
import type { OrderOperations } from '../order-entry/order-operations.ts';
import type { OwnerCalls } from './owner-calls.ts';

export interface OwnedOrdersOptions {
  /** Those of this daemon. */
  readonly here: OrderOperations;
  readonly calls: OwnerCalls;
}

export class OwnedOrders implements OrderOperations {
  readonly mmp: MmpOperations | undefined;
  readonly #options: OwnedOrdersOptions;

  constructor(options: OwnedOrdersOptions) {
    this.#options = options;
    this.mmp = options.here.mmp;
  }

  accounts(): ReturnType<OrderOperations['accounts']> {
    return this.#options.here.accounts();
  }

  venues(): ReturnType<OrderOperations['venues']> {
    return this.#options.here.venues();
  }

  forAccount(account: AccountId): TradingDesk | undefined {
    const { here, calls } = this.#options;
    const desk = here.forAccount(account);
    if (desk === undefined || calls.isHere(shardOf(account))) return desk;
    return overriding(desk, {
      place: (order) => calls.trade(account, 'orders.place', [order]),
      edit: (change) => calls.trade(account, 'orders.edit', [change]),
      cancel: (request) =>
        calls.cancel(account, 'orders.cancel', [request], () => desk.cancel(request)),
      cancelAll: (filter) =>
        calls.cancel(account, 'orders.cancelAll', [filter], () => desk.cancelAll(filter)),
    });
  }

  rfqsFor(account: AccountId): RfqDesk | undefined {
    const { here, calls } = this.#options;
    const desk = here.rfqsFor?.(account);
    if (desk === undefined || calls.isHere(shardOf(account))) return desk;
    return overriding(desk, {
      create: (rfq) => calls.trade(account, 'rfqs.create', [rfq]),
      accept: (accept) => calls.trade(account, 'rfqs.accept', [accept]),
      quote: (quote) => calls.trade(account, 'rfqs.quote', [quote]),
      editQuote: (change) => calls.trade(account, 'rfqs.editQuote', [change]),
    });
  }

  combosFor(account: AccountId): ReturnType<NonNullable<OrderOperations['combosFor']>> {
    return this.#options.here.combosFor?.(account);
  }

  marginsFor(account: AccountId): ReturnType<NonNullable<OrderOperations['marginsFor']>> {
    return this.#options.here.marginsFor?.(account);
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
