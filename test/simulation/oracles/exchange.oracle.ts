// The exchange's own record of the deployment's orders, from its events as they happen, and
// its earlier states: lagging queries are answered from those.

import type { VenueOrder, VenueTrade } from '../../../src/core/order/venue-report.ts';
import { Exchange } from '../../../src/exchange/exchange.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { ExchangeOrder, ExchangeTrade } from '../../../src/exchange/order.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';

/** An exchange whose events are seen by a witness in the moment they happen. */
export class WitnessedExchange extends Exchange {
  witness: (event: ExchangeEvent) => void = () => undefined;
  /** What is written is shown once it is, by {@link written}; otherwise at once. */
  isJournaled = false;
  #unwritten: ExchangeEvent[] = [];

  override drainEvents(): ExchangeEvent[] {
    const events = super.drainEvents();
    if (this.isJournaled && events.some(({ kind }) => kind !== 'print')) this.#unwritten = events;
    else for (const event of events) this.witness(event);
    return events;
  }

  /** The journal has the events that were drained last as a whole, or has lost them with the process. */
  written(isWhole: boolean): void {
    const events = this.#unwritten;
    this.#unwritten = [];
    if (isWhole) for (const event of events) this.witness(event);
  }
}

interface Version {
  readonly at: Instant;
  readonly order: VenueOrder;
}

/** Orders and trades as the exchange showed them at some moment. */
export interface RawRecords {
  readonly orders: readonly ExchangeOrder[];
  readonly trades: readonly ExchangeTrade[];
}

/** One order and everything that became of it. */
export interface TrueOrder {
  readonly account: AccountId;
  readonly timeInForce: ExchangeOrder['timeInForce'];
  order: VenueOrder;
  readonly versions: Version[];
  readonly trades: readonly VenueTrade[];
}

export interface ExchangeListener {
  readonly changed: (changed: TrueOrder, isNew: boolean) => void;
  readonly traded: (trade: VenueTrade) => void;
}

export class ExchangeOracle {
  readonly #byId = new Map<string, TrueOrder>();
  readonly #byLabel = new Map<string, TrueOrder[]>();
  readonly #listener: ExchangeListener;
  /** Each version as the exchange showed it. */
  readonly #raw = new WeakMap<VenueOrder, ExchangeOrder>();
  /** Trades come before the order that made them: its label is in both. */
  readonly #trades = new Map<string, ExchangeTrade[]>();

  constructor(listener: ExchangeListener) {
    this.#listener = listener;
  }

  take(event: ExchangeEvent): void {
    if (event.kind === 'trade') {
      const { trade } = event;
      this.#tradesOf(trade.orderId).push(trade);
      this.#listener.traded(trade);
    } else if (event.kind === 'order_changed') {
      this.#takeOrder(event.order, event.at);
    }
  }

  all(): IterableIterator<TrueOrder> {
    return this.#byId.values();
  }

  labelled(label: string): readonly TrueOrder[] {
    return this.#byLabel.get(label) ?? [];
  }

  labelOf(orderId: string): string | undefined {
    return this.#byId.get(orderId)?.order.label;
  }

  /** Orders with the label as they were at `at`, with their trades up to then. */
  labelledAt(label: string, at: Instant): RawRecords {
    const orders = this.labelled(label).flatMap((known) => this.#rawAt(known, at) ?? []);
    const trades = orders.flatMap(({ orderId }) => this.#tradesOf(orderId));
    return { orders, trades: trades.filter((trade) => trade.at <= at) };
  }

  /** Open orders of the account as they were at `at`. */
  openAt(account: AccountId, prefix: string, at: Instant): readonly ExchangeOrder[] {
    const open: ExchangeOrder[] = [];
    for (const known of this.#byId.values()) {
      if (known.account !== account || !known.order.label.startsWith(prefix)) continue;
      const raw = this.#rawAt(known, at);
      if (raw?.state === 'open') open.push(raw);
    }
    return open;
  }

  #rawAt({ versions }: TrueOrder, at: Instant): ExchangeOrder | undefined {
    const version = versions.findLast((one) => one.at <= at);
    return version && this.#raw.get(version.order);
  }

  #tradesOf(orderId: string): ExchangeTrade[] {
    const known = this.#trades.get(orderId) ?? [];
    this.#trades.set(orderId, known);
    return known;
  }

  #takeOrder(raw: ExchangeOrder, at: Instant): void {
    const order = shown(raw);
    this.#raw.set(order, raw);
    const known = this.#byId.get(order.orderId);
    if (known !== undefined) {
      known.order = order;
      known.versions.push({ at, order });
      this.#listener.changed(known, false);
      return;
    }
    const trades = this.#tradesOf(order.orderId);
    const { account, timeInForce } = raw;
    const made: TrueOrder = { account, timeInForce, order, versions: [{ at, order }], trades };
    this.#byId.set(order.orderId, made);
    const labelled = this.#byLabel.get(order.label) ?? [];
    labelled.push(made);
    this.#byLabel.set(order.label, labelled);
    this.#listener.changed(made, true);
  }
}

/** What the judges read of an order: a triggered one is closed, and a market order has no price. */
const shown = (raw: ExchangeOrder): VenueOrder => ({
  orderId: raw.orderId,
  label: raw.label,
  instrument: raw.instrument,
  side: raw.side,
  state: raw.state === 'triggered' ? 'cancelled' : raw.state,
  price: raw.originalType === 'market' ? undefined : raw.price,
  quantity: raw.quantity,
  filledQuantity: raw.filledQuantity,
  cancelReason: raw.state === 'triggered' ? 'triggered' : raw.cancelReason,
  createdAt: raw.createdAt,
  updatedAt: raw.updatedAt,
});
