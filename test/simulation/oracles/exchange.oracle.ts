// The exchange's own record of the deployment's orders, from its events as they happen, and
// its earlier states: lagging queries are answered from those.

import type { VenueOrder, VenueTrade } from '../../../src/core/order/venue-report.ts';
import { venueOrder, venueTrade } from '../../../src/core/order/venue-report-mapping.ts';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';

/** An exchange whose events are seen by a witness in the moment they happen. */
export class WitnessedExchange extends Exchange {
  witness: (event: ExchangeEvent) => void = () => undefined;

  override drainEvents(): ExchangeEvent[] {
    const events = super.drainEvents();
    for (const event of events) this.witness(event);
    return events;
  }
}

interface Version {
  readonly at: Instant;
  readonly order: VenueOrder;
}

/** One order and everything that became of it. */
export interface TrueOrder {
  readonly account: AccountId;
  order: VenueOrder;
  readonly versions: Version[];
  readonly trades: VenueTrade[];
}

export interface ExchangeListener {
  readonly changed: (changed: TrueOrder, isNew: boolean) => void;
  readonly traded: (trade: VenueTrade) => void;
}

export class ExchangeOracle {
  readonly #byId = new Map<string, TrueOrder>();
  readonly #byLabel = new Map<string, TrueOrder[]>();
  readonly #listener: ExchangeListener;
  /** Trades come before the order that made them: its label is in both. */
  readonly #trades = new Map<string, VenueTrade[]>();

  constructor(listener: ExchangeListener) {
    this.#listener = listener;
  }

  take(event: ExchangeEvent): void {
    if (event.kind === 'trade') {
      const trade = venueTrade(event.trade);
      this.#tradesOf(trade.orderId).push(trade);
      this.#listener.traded(trade);
    } else if (event.kind === 'order_changed') {
      this.#takeOrder(event.order.account, venueOrder(event.order), event.at);
    }
  }

  all(): IterableIterator<TrueOrder> {
    return this.#byId.values();
  }

  labelled(label: string): readonly TrueOrder[] {
    return this.#byLabel.get(label) ?? [];
  }

  /** Orders with the label as they were at `at`, with their trades up to then. */
  labelledAt(label: string, at: Instant): readonly TrueOrder[] {
    return this.labelled(label).flatMap((known) => asOf(known, at));
  }

  /** Open orders of the account as they were at `at`. */
  openAt(account: AccountId, prefix: string, at: Instant): readonly VenueOrder[] {
    const open: VenueOrder[] = [];
    for (const known of this.#byId.values()) {
      if (known.account !== account || !known.order.label.startsWith(prefix)) continue;
      for (const { order } of asOf(known, at)) if (order.state === 'open') open.push(order);
    }
    return open;
  }

  #tradesOf(orderId: string): VenueTrade[] {
    const known = this.#trades.get(orderId) ?? [];
    this.#trades.set(orderId, known);
    return known;
  }

  #takeOrder(account: AccountId, order: VenueOrder, at: Instant): void {
    const known = this.#byId.get(order.orderId);
    if (known !== undefined) {
      known.order = order;
      known.versions.push({ at, order });
      this.#listener.changed(known, false);
      return;
    }
    const trades = this.#tradesOf(order.orderId);
    const made: TrueOrder = { account, order, versions: [{ at, order }], trades };
    this.#byId.set(order.orderId, made);
    const labelled = this.#byLabel.get(order.label) ?? [];
    labelled.push(made);
    this.#byLabel.set(order.label, labelled);
    this.#listener.changed(made, true);
  }
}

function asOf(known: TrueOrder, at: Instant): TrueOrder[] {
  const version = known.versions.findLast((one) => one.at <= at);
  if (version === undefined) return [];
  const trades = known.trades.filter((trade) => trade.at <= at);
  return [{ ...known, order: version.order, trades }];
}
