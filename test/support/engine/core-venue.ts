// A reliable venue for the pure core: it collects the requests that intents make, serves them on demand, and keeps
// every report it ever made, so that a test can deliver any of them again, late or twice.
import type { VenueOrder, VenueTrade } from '../../../src/core/order/venue-report.ts';
import type { PortfolioCommand } from '../../../src/core/portfolio/aggregate/portfolio-command.ts';
import type {
  Intent,
  OrderIntent,
} from '../../../src/core/portfolio/aggregate/portfolio-intent.ts';
import {
  isPositive,
  minus,
  onStep,
  plus,
  type Quantity,
  smaller,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../../src/values/amounts.ts';
import { currency, orderId, tradeId } from '../../../src/values/ids.ts';
import type { Instant } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';

type Of<K extends OrderIntent['kind']> = Extract<OrderIntent, { kind: K }>;
export type Report = Omit<Extract<PortfolioCommand, { kind: 'record_report' }>, 'now'>;
/** A command without the time at which it arrives. */
export type Answer = PortfolioCommand extends infer C
  ? C extends PortfolioCommand
    ? Omit<C, 'now'>
    : never
  : never;

interface Book {
  order: VenueOrder;
  readonly trades: VenueTrade[];
}

export class CoreVenue {
  readonly requests: OrderIntent[] = [];
  readonly books = new Map<string, Book>();
  readonly told: Report[] = [];
  readonly #steps: ReadonlyMap<string, Quantity>;
  #count = 0;

  constructor(instruments: readonly Instrument[]) {
    this.#steps = new Map(instruments.map((one) => [one.name, one.amountStep]));
  }

  take(intents: readonly Intent[]): void {
    this.requests.push(...intents.filter((intent) => 'label' in intent));
  }

  /** Serves a request correctly; `share` of a placed order trades at once. */
  serve(request: OrderIntent, now: Instant, share: number): Answer {
    switch (request.kind) {
      case 'place':
        return this.#place(request, now, share);
      case 'edit':
        return this.#edit(request, now);
      case 'cancel':
        return this.#cancel(request, now) ?? this.query(request, now);
      case 'settle':
        return this.query(request, now);
    }
  }

  /** Serves the request or drops it, and does not reply. */
  lose(request: OrderIntent, now: Instant, isServed: boolean): Answer | undefined {
    if (isServed) this.serve(request, now, 0);
    const { label } = request;
    const reason = 'no reply';
    if (request.kind === 'place') return { kind: 'record_unknown', label, reason };
    if (request.kind !== 'edit') return undefined;
    return { kind: 'record_edit_unknown', label, number: request.number, reason };
  }

  refuse(request: Of<'place' | 'edit'>, retry: boolean): Answer {
    const { label } = request;
    const refusal = { label, code: retry ? 10041 : 10009, message: 'no' };
    return request.kind === 'place'
      ? { kind: 'record_refusal', ...refusal, retry }
      : { kind: 'record_edit_refusal', ...refusal, number: request.number };
  }

  query({ label }: Pick<OrderIntent, 'label'>, now: Instant): Answer {
    const book = this.books.get(label);
    return book === undefined
      ? { kind: 'record_absent', label, askedAt: now }
      : { ...this.#report(book.order, book.trades), askedAt: now };
  }

  /** Trades a share of an open order's remaining quantity. */
  trade(label: string, now: Instant, share: number): void {
    const book = this.books.get(label);
    if (book === undefined || book.order.state !== 'open') return;
    const { order } = book;
    const rest = minus(order.quantity, order.filledQuantity);
    const step = this.#steps.get(order.instrument) ?? rest;
    const size = smaller(onStep(rest.mul(share) as Quantity, step, 'up'), rest);
    if (!isPositive(size)) return;
    this.#count += 1;
    const trade: VenueTrade = {
      tradeId: tradeId(`t${this.#count}`),
      orderId: order.orderId,
      label: order.label,
      instrument: order.instrument,
      side: order.side,
      price: order.price ?? (size as never),
      quantity: size,
      fee: ZERO_MONEY,
      feeCurrency: currency('BTC'),
      liquidity: 'maker',
      at: now,
    };
    book.trades.push(trade);
    const filledQuantity = plus(order.filledQuantity, size);
    const state = filledQuantity.gte(order.quantity) ? 'filled' : 'open';
    book.order = { ...order, filledQuantity, state, updatedAt: now };
    this.#report(undefined, [trade]);
    this.#report(book.order, []);
  }

  /** Cancels an open order on the venue's own initiative. */
  strike(label: string, now: Instant): void {
    const book = this.books.get(label);
    if (book?.order.state !== 'open') return;
    book.order = { ...book.order, state: 'cancelled', updatedAt: now };
    this.#report(book.order, []);
  }

  filled(leg: number, legOf: (label: string) => number | undefined): Quantity {
    return [...this.books.values()]
      .filter(({ order }) => legOf(order.label) === leg)
      .reduce((sum, { order }) => plus(sum, order.filledQuantity), ZERO_QUANTITY);
  }

  #place(request: Of<'place'>, now: Instant, share: number): Answer {
    if (request.validUntil <= now) return this.refuse(request, true);
    const { label, instrument, side, quantity, price } = request;
    if (this.books.has(label)) throw new Error(`${label} was placed twice`);
    this.#count += 1;
    const order: VenueOrder = {
      orderId: orderId(`o${this.#count}`),
      label,
      instrument,
      side,
      state: 'open',
      price,
      quantity,
      filledQuantity: ZERO_QUANTITY,
      createdAt: now,
      updatedAt: now,
    };
    const book: Book = { order, trades: [] };
    this.books.set(label, book);
    this.#report(order, []);
    if (share > 0) this.trade(label, now, share);
    if (request.timeInForce !== 'good_til_cancelled') this.strike(label, now);
    return this.#report(book.order, book.trades);
  }

  #edit(request: Of<'edit'>, now: Instant): Answer {
    const book = this.books.get(request.label);
    if (request.validUntil <= now || book?.order.state !== 'open') {
      return this.refuse(request, true);
    }
    book.order = { ...book.order, price: request.price, updatedAt: now };
    return { ...this.#report(book.order, book.trades), editNumber: request.number };
  }

  #cancel({ label }: Of<'cancel'>, now: Instant): Report | undefined {
    const book = this.books.get(label);
    if (book?.order.state !== 'open') return undefined;
    this.strike(label, now);
    return this.#report(book.order, book.trades);
  }

  #report(order: VenueOrder | undefined, trades: readonly VenueTrade[]): Report {
    const orders = order === undefined ? [] : [order];
    const report: Report = { kind: 'record_report', orders, trades: [...trades] };
    this.told.push(report);
    return report;
  }
}
