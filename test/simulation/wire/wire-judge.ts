// What the exchange did, from its own events, and whether what the adapter said of it was so at a moment between the
// request and the answer.
import type { OrderRecord, TradeRecord } from '../../../src/core/order/order-record.ts';
import type { ExchangeEvent } from '../../../src/exchange/exchange-event.ts';
import type { ExchangeOrder, ExchangeTrade } from '../../../src/exchange/order.ts';
import type { NewOrder } from '../../../src/ports/trading-desk.ts';
import { type Price, text, toNumber } from '../../../src/values/amounts.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import type { ReportBreach } from '../checks/breach.ts';
import { WireAccountBook } from './wire-account-book.ts';
import { WireRfqBook } from './wire-rfq-book.ts';

interface Version {
  /** The number of the event from which on it was so. */
  readonly from: number;
  readonly order: ExchangeOrder;
}

const SHOWN = [
  'account',
  'instrument',
  'side',
  'state',
  'price',
  'quantity',
  'filledQuantity',
  'averagePrice',
  'timeInForce',
  'postOnly',
  'reduceOnly',
  'label',
  'createdAt',
  'updatedAt',
  'replaced',
  'cancelReason',
  'mmp',
  'triggerOrderId',
] as const satisfies readonly (keyof ExchangeOrder & keyof OrderRecord)[];
const TRADED = [
  'account',
  'orderId',
  'label',
  'instrument',
  'side',
  'price',
  'quantity',
  'liquidity',
  'fee',
  'feeCurrency',
  'tradeSeq',
  'at',
  'indexPrice',
  'markPrice',
  'profitLoss',
  'mmp',
] as const satisfies readonly (keyof ExchangeTrade & keyof TradeRecord)[];

export const tradeKey = ({ tradeId, orderId }: Pick<TradeRecord, 'tradeId' | 'orderId'>): string =>
  `${tradeId} ${orderId}`;

/** In a book, or waiting for a trigger or for another order. */
const isLive = ({ state }: Pick<ExchangeOrder, 'state'>): boolean =>
  state === 'open' || state === 'untriggered';

export class WireJudge {
  readonly accounts: WireAccountBook;
  readonly rfqs: WireRfqBook;
  readonly #orders = new Map<string, Version[]>();
  readonly #trades = new Map<string, ExchangeTrade>();
  readonly #idsByLabel = new Map<string, Set<string>>();
  readonly #breach: ReportBreach;
  readonly #trace: (what: string, detail: unknown) => void;
  /** The number of events so far. */
  events = 0;
  /** Changes of orders that were cancelled in their speed bump, and of those that a trigger or another order started. */
  cancelledInBump = 0;
  fired = 0;

  constructor(breach: ReportBreach, trace: (what: string, detail: unknown) => void) {
    this.#breach = breach;
    this.#trace = trace;
    this.accounts = new WireAccountBook(breach);
    this.rfqs = new WireRfqBook(breach);
  }

  take(event: ExchangeEvent): void {
    this.events += 1;
    this.accounts.take(event, this.events);
    this.rfqs.take(event, this.events);
    if (event.kind === 'trade') this.#trades.set(tradeKey(event.trade), event.trade);
    if (event.kind !== 'order_changed') return;
    const { order } = event;
    const { orderId, label, state, filledQuantity } = order;
    this.#trace('order', [label, state, text(filledQuantity)]);
    if (order.bump?.cancelReason !== undefined) this.cancelledInBump += 1;
    if (order.triggerOrderId !== undefined) this.fired += 1;
    const versions = this.#orders.get(orderId) ?? [];
    versions.push({ from: this.events, order });
    this.#orders.set(orderId, versions);
    // What a trigger or another order has started keeps the label of what it replaces.
    if (order.triggerOrderId !== undefined) return;
    const ids = this.#idsByLabel.get(label) ?? new Set();
    this.#idsByLabel.set(label, ids.add(orderId));
    if (ids.size > 1) this.#breach('double', `two orders have the label ${label}`);
  }

  labelled(label: string): ExchangeOrder | undefined {
    const [id = ''] = this.#idsByLabel.get(label) ?? [];
    return this.#orders.get(id)?.at(-1)?.order;
  }

  /** Whether the order ever had this size. */
  everHadSize(label: string, size: string): boolean {
    const [id = ''] = this.#idsByLabel.get(label) ?? [];
    return (this.#orders.get(id) ?? []).some(({ order }) => text(order.quantity) === size);
  }

  trades(account: AccountId): readonly ExchangeTrade[] {
    return [...this.#trades.values()].filter((trade) => trade.account === account);
  }

  orders(account: AccountId): readonly ExchangeOrder[] {
    return [...this.#orders.values()].flatMap((versions) => {
      const order = versions.at(-1)?.order;
      return order?.account === account ? [order] : [];
    });
  }

  /** Live since before that event, and not waiting in a speed bump. */
  openSince(account: AccountId, before: number): readonly ExchangeOrder[] {
    return [...this.#orders.values()].flatMap((versions) => {
      const [first] = versions;
      const order = versions.at(-1)?.order;
      const isOpen = order !== undefined && isLive(order) && order.bump === undefined;
      return isOpen && order.account === account && (first?.from ?? 0) <= before ? [order] : [];
    });
  }

  /** The order was so at a moment after the event. */
  checkOrder(where: string, shown: OrderRecord, since: number): void {
    const versions = this.#orders.get(shown.orderId) ?? [];
    const possible = versions.filter((_, index) => (versions[index + 1]?.from ?? Infinity) > since);
    const differences = possible.map(({ order }) =>
      SHOWN.filter((key) => differsIn(key, order, shown)),
    );
    if (differences.some(({ length }) => length === 0)) return;
    const at = differences.at(-1)?.map((key) => `${key} ${plain(shown[key])}`);
    this.#breach(
      'shown',
      `${where}: order ${shown.label} was never so: ${at?.join(', ') ?? 'unknown'}`,
    );
  }

  checkTrade(where: string, shown: TradeRecord): void {
    const trade = this.#trades.get(tradeKey(shown));
    if (trade === undefined) {
      return this.#breach('shown', `${where}: trade ${tradeKey(shown)} was never made`);
    }
    // What a leg of a combo realised is not said with the trade of the combo.
    const isUnsaid = (key: (typeof TRADED)[number]): boolean =>
      key === 'profitLoss' && shown[key] === undefined && trade.ofCombo !== undefined;
    const wrong = TRADED.filter((key) => !isUnsaid(key) && differs(trade[key], shown[key]));
    if (wrong.length === 0) return;
    const values = wrong.map((key) => `${key} is ${plain(trade[key])}, not ${plain(shown[key])}`);
    this.#breach('shown', `${where}: of trade ${tradeKey(shown)} ${values.join(', ')}`);
  }

  /** Each of them was open at some moment after the event, and none is missing that was open all the time. */
  checkOpen(account: AccountId, shown: readonly OrderRecord[], since: number): void {
    for (const order of shown) this.checkOrder('the open orders', order, since);
    const ids = new Set<string>(shown.map(({ orderId }) => orderId));
    for (const versions of this.#orders.values()) {
      const last = versions.at(-1);
      if (last === undefined || last.order.account !== account || ids.has(last.order.orderId))
        continue;
      const before = versions.findLast(({ from }) => from <= since);
      const after = versions.filter(({ from }) => from > since);
      const wasOpen = [before, ...after].every((one) => one !== undefined && isLive(one.order));
      if (wasOpen) this.#breach('shown', `the open orders lack ${last.order.label}`);
    }
  }

  /** The order that the exchange got is the one that was requested. */
  checkRequested(order: NewOrder): void {
    const [id = ''] = this.#idsByLabel.get(order.label) ?? [];
    const first = this.#orders.get(id)?.[0]?.order;
    if (first === undefined) return;
    const isLimit = order.type === 'limit' && !order.postOnly;
    const wrong = Object.entries({
      account: [order.account, first.account],
      instrument: [order.instrument, first.instrument],
      side: [order.side, first.side],
      type: [order.type, first.originalType],
      timeInForce: [order.timeInForce, first.timeInForce],
      mmp: [order.mmp, first.mmp],
      link: [order.link?.kind, first.link?.kind],
      trigger: [order.trigger, first.trigger?.source],
      price: isLimit ? [order.price, first.price] : [],
      triggerPrice:
        order.triggerPrice === undefined ? [] : [order.triggerPrice, first.trigger?.price],
      // A linked order may have made room for another at once.
      quantity: order.link === undefined ? [order.quantity, first.quantity] : [],
    }).filter(([, [requested, real]]) => differs(requested, real));
    const parts = wrong.map(
      ([key, [requested, real]]) => `${key} ${plain(real)}, not ${plain(requested)}`,
    );
    if (parts.length > 0) this.#breach('wrong order', `${order.label} has ${parts.join(', ')}`);
  }

  /** None of the trades of an order is missing that had been made before the event. */
  checkTradesOf(where: string, order: OrderRecord, shown: readonly TradeRecord[]): void {
    for (const trade of shown) this.checkTrade(where, trade);
    const sum = shown.reduce((total, { quantity }) => total + Number(quantity), 0);
    if (Math.abs(sum - Number(order.filledQuantity)) > 1e-9) {
      this.#breach(
        'shown',
        `${where}: ${order.label} has filled ${text(order.filledQuantity)}, its trades ${sum}`,
      );
    }
  }
}

/** Half of the last place of the wire's averages, and what two floats of a price differ by. */
const AVERAGE_ERROR_MAX = 0.51e-8;

function differsIn(key: (typeof SHOWN)[number], one: ExchangeOrder, other: OrderRecord): boolean {
  if (key === 'cancelReason') return differs(one.cancelReason ?? one.rejectReason, other[key]);
  if (key !== 'averagePrice') return differs(one[key], other[key]);
  const { averagePrice } = one;
  if (averagePrice === undefined || other.averagePrice === undefined) {
    return averagePrice !== other.averagePrice;
  }
  return Math.abs(toNumber(averagePrice) - toNumber(other.averagePrice)) > AVERAGE_ERROR_MAX;
}

const differs = (one: unknown, other: unknown): boolean => plain(one) !== plain(other);

const plain = (value: unknown): string =>
  typeof value === 'object' && value !== null ? text(value as Price) : String(value ?? '');
