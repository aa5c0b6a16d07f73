// A paper exchange in a process of its own behind the venue port: what slices need of it, over the order
// methods of its wire. A request is sent once; a broken one is unknown and resolved by query.
import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import {
  answerOfCode,
  refusalText,
  venueOrder,
  venueTrade,
} from '../../core/order/venue-report-mapping.ts';
import type { VenueFeatures } from '../../core/portfolio/admission/admit-context.ts';
import type { RateBudget } from '../../ports/rate-budget.ts';
import type { TradingDesk } from '../../ports/trading-desk.ts';
import type {
  Balance,
  CancelRequest,
  EditRequest,
  LabelAnswer,
  OpenOrdersAnswer,
  OrderAnswer,
  OrderRequest,
  Position,
  TradesAnswer,
  Venue,
  VenueNotice,
} from '../../ports/venue.ts';
import { text } from '../../values/amounts.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, InstrumentName, VenueName } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { Quote } from '../../values/quote.ts';
import type { Lines } from './connection/lines.ts';
import { type Questions, reasonOf } from './connection/questions.ts';
import type { InstrumentList } from './market/instrument-list.ts';
import type { QuoteBoard } from './market/quote-board.ts';
import { type LabelQuery, OrderStatusQueries } from './order-status.ts';
import { orderIn } from './order-wire.ts';
import { type Outcome, readAs } from './outcome.ts';
import type { RemoteDesk } from './remote-desk.ts';
import { workedIn } from './remote-order-desk.ts';
import { changeParams, newOrderParams } from './remote-order-params.ts';
import type { RemoteRfqDesk } from './rfq/remote-rfq-desk.ts';

export interface RemoteVenueParts {
  readonly name: VenueName;
  readonly lines: Lines;
  readonly desk: RemoteDesk;
  readonly rfqs: RemoteRfqDesk;
  readonly questions: Questions;
  readonly quotes: QuoteBoard;
  readonly instruments: InstrumentList;
  /** Our own clock. */
  readonly now: () => Instant;
  /** With clocks further apart nothing is placed: absence would prove nothing. */
  readonly skewMaxMs: number;
  readonly onFault: (error: unknown) => void;
  readonly quietWindows?: VenueFeatures['quietWindows'];
  readonly orderRate?: VenueFeatures['orderRate'];
}

/** Net positions on cross margin, like the venue it stands for. */
const FEATURES: VenueFeatures = {
  hidden: false,
  tradeModes: ['cross', 'cash'],
  positionSides: ['net'],
};

const NOT_FOUND = { code: 10004, message: 'order_not_found' } as const;
const NOT_OPEN = { code: 11044, message: 'not_open_order' } as const;
const NOT_UNIQUE = { code: 13032, message: 'non_unique_order_label' } as const;

export class RemoteVenue implements Venue {
  readonly name: VenueName;
  readonly features: VenueFeatures;
  readonly desk: TradingDesk;
  readonly rfqs: RemoteRfqDesk;
  readonly #parts: RemoteVenueParts;
  readonly #settling: OrderStatusQueries;
  readonly #notices: FanOut<VenueNotice>;

  constructor(parts: RemoteVenueParts) {
    this.name = parts.name;
    this.features = { ...FEATURES, quietWindows: parts.quietWindows, orderRate: parts.orderRate };
    this.desk = parts.desk;
    this.rfqs = parts.rfqs;
    this.#parts = parts;
    this.#settling = new OrderStatusQueries(parts.desk, () => this.venueNow());
    this.#notices = new FanOut(parts.onFault);
  }

  trouble(): string | undefined {
    const down = this.#parts.lines.trouble();
    return down ?? this.#skewTrouble();
  }

  rateBudgets(): readonly RateBudget[] {
    return this.#parts.lines.budgets;
  }

  instruments(): readonly Instrument[] {
    return this.#parts.instruments.listed(this.venueNow());
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#parts.instruments.trading(name, this.venueNow());
  }

  quote(name: InstrumentName): Quote | undefined {
    return this.#parts.quotes.quote(name);
  }

  watch(name: InstrumentName): () => void {
    return this.#parts.quotes.watch(name);
  }

  venueNow(): Instant {
    return this.#parts.lines.venueNow();
  }

  async place(order: OrderRequest): Promise<OrderAnswer> {
    const skew = this.#skewTrouble();
    if (skew !== undefined) return notSent(skew);
    // Post-only means refused rather than moved: the price was decided by the caller.
    const params = newOrderParams({
      ...order,
      type: 'limit',
      rejectPostOnly: order.postOnly,
      mmp: order.mmp ?? false,
    });
    const { account } = order;
    return this.#worked(await this.#parts.questions.send(account, `private/${order.side}`, params));
  }

  async editByLabel(edit: EditRequest): Promise<OrderAnswer> {
    const { account, label, instrument, postOnly, ...terms } = edit;
    const of = { label, instrument };
    const params = changeParams({ ...terms, account, of, postOnly, rejectPostOnly: postOnly });
    return this.#worked(await this.#parts.questions.send(account, 'private/edit_by_label', params));
  }

  /** Without an id it is looked for first: a cancel by label would not say what became of the order. */
  async cancel(request: CancelRequest): Promise<OrderAnswer> {
    const { account } = request;
    let { orderId } = request;
    if (orderId === undefined) {
      const labelled = await this.#settling.labelled(request);
      if (labelled.kind === 'unknown') return labelled;
      if (labelled.kind === 'refused') return answerOfCode(labelled.code, labelled.message);
      const open = labelled.value.filter(isOpen);
      if (open.length > 1) return answerOfCode(NOT_UNIQUE.code, NOT_UNIQUE.message);
      const none = labelled.value.length === 0 ? NOT_FOUND : NOT_OPEN;
      if (open[0] === undefined) return answerOfCode(none.code, none.message);
      orderId = open[0].orderId;
    }
    const outcome = await this.#parts.questions.send(account, 'private/cancel', { orderId });
    if (outcome.kind !== 'result') return noResult(outcome);
    const read = readAs(orderIn, outcome.value, 'the answer to a cancel');
    if ('fault' in read) return this.#unreadable(read.fault);
    return { kind: 'accepted', order: venueOrder(read.value), trades: [] };
  }

  ordersByLabel(query: LabelQuery): Promise<LabelAnswer> {
    return this.#settling.ordersByLabel(query);
  }

  async openOrders(account: AccountId, prefix: string): Promise<OpenOrdersAnswer> {
    const reply = await this.desk.openOrdersOf({ account });
    if (reply.kind !== 'done') return { kind: 'unknown', reason: reasonOf(reply) };
    const own = reply.value.filter(({ label }) => label.startsWith(prefix));
    return { kind: 'orders', orders: own.map(venueOrder) };
  }

  tradesSince(account: AccountId, from: Instant): Promise<TradesAnswer> {
    return this.#settling.tradesSince(account, from);
  }

  /** Rejects when the venue gives no answer. */
  async positions(account: AccountId): Promise<readonly Position[]> {
    const reply = await this.desk.positionsOf({ account });
    if (reply.kind === 'done') return reply.value;
    throw new Error(`no positions from ${this.name}: ${reasonOf(reply)}`);
  }

  /** Rejects when the venue gives no answer. */
  async balances(account: AccountId): Promise<readonly Balance[]> {
    const settlements = this.instruments().map(({ settlement }) => settlement);
    return await Promise.all(
      [...new Set(settlements)].map(async (currency) => {
        const reply = await this.desk.summaryOf(account, currency);
        if (reply.kind === 'done') return { currency, amount: text(reply.value.balance) };
        throw new Error(`no balances from ${this.name}: ${reasonOf(reply)}`);
      }),
    );
  }

  subscribe(listener: (notice: VenueNotice) => void): () => void {
    return this.#notices.add(listener);
  }

  close(): Promise<void> {
    this.#parts.lines.close();
    this.#parts.instruments.stop();
    return Promise.resolve();
  }

  tellOrder(order: OrderRecord): void {
    const { account } = order;
    this.#notices.send([{ kind: 'order', account, order: venueOrder(order) }]);
    this.#parts.desk.tell([{ kind: 'order', order }]);
  }

  tellTrade(trade: TradeRecord): void {
    const { account } = trade;
    this.#notices.send([{ kind: 'trade', account, trade: venueTrade(trade) }]);
    this.#parts.desk.tell([{ kind: 'trade', trade }]);
  }

  tellAccount(account: AccountId): void {
    this.#parts.desk.tell([{ kind: 'account', account }]);
  }

  /** The accounts' streams were interrupted and are back. */
  tellReconnected(accounts: readonly AccountId[]): void {
    this.#notices.send(accounts.map((account) => ({ kind: 'reconnected', account })));
    this.#parts.desk.tell([{ kind: 'reconnected' }]);
    this.rfqs.tell({ kind: 'reconnected' });
  }

  #worked(outcome: Outcome): OrderAnswer {
    if (outcome.kind !== 'result') return noResult(outcome);
    const read = readAs(workedIn, outcome.value, 'the answer to an order');
    if ('fault' in read) return this.#unreadable(read.fault);
    const { order, trades } = read.value;
    return { kind: 'accepted', order: venueOrder(order), trades: trades.map(venueTrade) };
  }

  #unreadable(fault: Error): OrderAnswer {
    this.#parts.onFault(fault);
    return { kind: 'unknown', reason: fault.message };
  }

  #skewTrouble(): string | undefined {
    const { now, skewMaxMs } = this.#parts;
    const apartMs = Math.abs(this.venueNow() - now());
    return apartMs > skewMaxMs
      ? `the venue's clock is ${apartMs} ms from ours; accepted: ${skewMaxMs}`
      : undefined;
  }
}

const isOpen = ({ state }: OrderRecord): boolean => state === 'open' || state === 'untriggered';

/** What never left may be tried again. */
function noResult(outcome: Exclude<Outcome, { readonly kind: 'result' }>): OrderAnswer {
  if (outcome.kind === 'unknown') return outcome;
  if (outcome.kind === 'unsent') return notSent(outcome.reason);
  return answerOfCode(outcome.code, refusalText(outcome.message, outcome.details));
}

const notSent = (why: string): OrderAnswer => ({
  kind: 'refused',
  code: 0,
  message: `not sent: ${why}`,
  class: 'later',
});
