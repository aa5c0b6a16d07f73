// The order methods of one venue behind the gate. Reads pass through; a request that changes an order is looked up
// where needed, checked, and sent once, in the order of its account.
import { refusal, whyNot } from '../../core/order/answer-class.ts';
import type { OrderRecord } from '../../core/order/order-record.ts';
import { needsQuote } from '../../core/risk/entered-order.ts';
import { NO_LIMITS } from '../../core/risk/gate/control-limits.ts';
import type { Settings } from '../../core/terms/settings.ts';
import type { Cleared } from '../../ports/cleared.ts';
import type { Clock } from '../../ports/clock.ts';
import { MarketUnanswered } from '../../ports/market-reads.ts';
import type { DeskMethod, Observer } from '../../ports/observer.ts';
import type {
  CancelOrder,
  CancelOrders,
  NewOrder,
  OrderChange,
  OrderKey,
  Reply,
  TradingDesk,
  Worked,
} from '../../ports/trading-desk.ts';
import type { Venue } from '../../ports/venue.ts';
import { isPositive, minus } from '../../values/amounts.ts';
import type { AccountId, InstrumentName } from '../../values/ids.ts';
import type { Instrument } from '../../values/instrument.ts';
import { routedFault } from '../../values/order-terms.ts';
import type { Quote } from '../../values/quote.ts';
import type { SwitchesInForce } from '../kill-switch/trading-switches.ts';
import { type Fence, fenceOf, sizeOf } from '../mmp/mmp-fence.ts';
import type { MmpProtecting } from '../mmp/mmp-guard.ts';
import { type Gate, noteAnswer, type Passage } from '../risk/gate.ts';
import {
  gateObjection,
  gateOrders,
  type Judged,
  type Objection,
  objectionTo,
  overBudget,
  ownLabelObjection,
  type Prospect,
  prospectsOf,
  switchObjection,
  unitObjection,
  unknownInstrument,
} from '../risk/gate-orders.ts';
import { QuoteLookup } from './look-up-quote.ts';
import { SendInOrder } from './send-in-order.ts';

export interface EntryOptions {
  readonly venue: Venue;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly mmp: MmpProtecting;
  readonly switches: Pick<SwitchesInForce, 'strictestFor'>;
  readonly gate: Gate;
}

/** A request to a venue, and the checks it must pass at the moment of sending. */
interface Call {
  readonly method: DeskMethod;
  readonly account: AccountId;
  readonly fence?: Fence | undefined;
  /** Default: it may enlarge a position. */
  readonly reduceOnly?: boolean | undefined;
}

type MaybeSoon<T> = T | Promise<T>;
type Through<Q> = Extract<Passage<Q>, { readonly kind: 'cleared' }>;
/** The input of the gate at the moment of sending, or an objection found already. */
type Prepared = Judged | Objection;

export class OrderEntry implements Pick<TradingDesk, 'place' | 'edit' | 'cancel' | 'cancelAll'> {
  readonly #parts: EntryOptions;
  readonly #quotes: QuoteLookup;
  readonly #inOrder = new SendInOrder();
  /** New orders that are not answered yet, by account and label: the latest of each. */
  readonly #entering = new Map<string, Promise<unknown>>();
  /** The number of requests let through; names their reservation until the venue has assigned an order id. */
  #entered = 0;

  constructor(parts: EntryOptions) {
    this.#parts = parts;
    this.#quotes = new QuoteLookup(parts);
  }

  async place(order: NewOrder): Promise<Reply<Worked>> {
    const { venue, mmp } = this.#parts;
    const { account } = order;
    const instrument = order.mmp ? venue.instrument(order.instrument) : undefined;
    const fence = instrument && fenceOf(mmp, account, instrument, order);
    const reduceOnly = [order, ...(order.link?.others ?? [])].every((one) => one.reduceOnly);
    const call = { method: 'enter', account, fence, reduceOnly } as const;
    const prepared = this.#prepareNew(order);
    const sent = this.#sent(call, order, prepared, (cleared) => venue.place(cleared));
    const reply = await this.#noted(order, sent);
    fence?.answered(reply);
    // Its group may have tripped in between.
    if (fence !== undefined && reply.kind === 'done') mmp.entered(venue, reply.value.order);
    return reply;
  }

  /** Awaits the answer; until then an edit by the label of the order waits for it. */
  async #noted({ account, label }: NewOrder, sent: Promise<Reply<Worked>>): Promise<Reply<Worked>> {
    if (label === '') return await sent;
    const key = labelKey(account, label);
    this.#entering.set(key, sent);
    try {
      return await sent;
    } finally {
      if (this.#entering.get(key) === sent) this.#entering.delete(key);
    }
  }

  edit(change: OrderChange): Promise<Reply<Worked>> {
    const { venue } = this.#parts;
    const { account, reduceOnly = false } = change;
    const call = { method: 'edit', account, reduceOnly } as const;
    return this.#sent(call, change, this.#prepareChange(change), (cleared) => venue.edit(cleared));
  }

  cancel(request: CancelOrder): Promise<Reply<OrderRecord>> {
    const { venue } = this.#parts;
    const call = { method: 'cancel', account: request.account } as const;
    return this.#takenBack(call, () => venue.cancel(request));
  }

  cancelAll(filter: CancelOrders): Promise<Reply<number>> {
    const { venue } = this.#parts;
    const call = { method: 'cancel_all', account: filter.account } as const;
    return this.#takenBack(call, () => venue.cancelAll(filter));
  }

  #notTraded(name: InstrumentName): Objection {
    const { venue, clock } = this.#parts;
    return unknownInstrument(venue, name, clock.now());
  }

  #prepareNew(order: NewOrder): MaybeSoon<Prepared> {
    const { venue, settings } = this.#parts;
    const prospects = prospectsOf(order);
    for (const label of [order.label, ...(order.link?.others.map((other) => other.label) ?? [])]) {
      const objection = ownLabelObjection(settings, label, 'label');
      if (objection !== undefined) return objection;
    }
    const instrument = venue.instrument(order.instrument);
    if (instrument === undefined) return this.#notTraded(order.instrument);
    const fault = instrument.isRouted === true ? routedFault(order) : undefined;
    if (fault !== undefined) return { reply: refusal(fault.code, fault) };
    return this.#withQuote({ instrument, orders: prospects });
  }

  #prepareChange(change: OrderChange): MaybeSoon<Prepared> {
    const { venue, settings, gate } = this.#parts;
    if ('orderId' in change.of) return this.#prepareKnown(change);
    const { label, instrument: name } = change.of;
    const objection = ownLabelObjection(settings, label, 'label');
    if (objection !== undefined) return objection;
    const instrument = venue.instrument(name);
    if (instrument === undefined) return this.#notTraded(name);
    const { quantity, price, advanced } = change;
    const mayBeFrozen = this.#parts.mmp.isIndexFrozen(change.account, instrument.indexName);
    const isPlain = quantity !== undefined && price !== undefined && advanced === undefined;
    if (!isPlain || mayBeFrozen || gate.limits !== NO_LIMITS) return this.#prepareKnown(change);
    // Only size and price are checked, so the order itself need not be looked up.
    return this.#withQuote({
      instrument,
      orders: [{ side: 'buy', type: 'limit', quantity, price }],
    });
  }

  /** The current order with the change applied. */
  async #prepareKnown(change: OrderChange): Promise<Prepared> {
    const { venue, settings } = this.#parts;
    const found = await this.#find(change);
    if (found.kind !== 'done') return found.kind === 'refused' ? { reply: found } : NOT_READABLE;
    const order = found.value;
    const objection = ownLabelObjection(settings, order.label, 'orderId');
    if (objection !== undefined) return objection;
    const instrument = venue.instrument(order.instrument);
    if (instrument === undefined) return this.#notTraded(order.instrument);
    const fence = order.mmp ? fenceOf(this.#parts.mmp, order.account, instrument) : undefined;
    const refused =
      unitObjection(order, change) ?? fence?.objection() ?? this.#grownBeyond(order, change);
    if (refused !== undefined) return refused;
    const isSmaller =
      change.price === undefined &&
      change.triggerPrice === undefined &&
      (change.quantity === undefined || change.quantity.lte(order.quantity));
    const { orderId } = order;
    return this.#withQuote({
      instrument,
      orderId,
      orders: isSmaller ? [] : [changed(order, change)],
    });
  }

  /** Whether a flagged order would become larger than its group may have open. */
  #grownBeyond(order: OrderRecord, change: OrderChange): Objection | undefined {
    const { mmp, venue } = this.#parts;
    const instrument = order.mmp ? venue.instrument(order.instrument) : undefined;
    const price = change.price ?? order.price;
    const { quantity = order.quantity } = change;
    const grown = minus(quantity, order.quantity);
    if (instrument === undefined || !isPositive(grown)) return undefined;
    const { account, side } = order;
    const place = { account, kind: 'order', index: instrument.indexName, group: '' } as const;
    const size = sizeOf(place, instrument, { side, quantity: grown, price });
    return size && mmp.sizeObjection(size);
  }

  async #find({ account, of }: OrderChange): Promise<Reply<OrderRecord>> {
    const { venue } = this.#parts;
    if ('orderId' in of) return await venue.order(account, of.orderId);
    const entering = this.#entering.get(labelKey(account, of.label));
    const found = await this.#findLabelled(account, of);
    if (found !== NOT_FOUND || entering === undefined) return found;
    // Its order was sent right before, and is open once it is answered.
    await Promise.allSettled([entering]);
    return await this.#findLabelled(account, of);
  }

  async #findLabelled(
    account: AccountId,
    { label, instrument }: Extract<OrderKey, { readonly label: string }>,
  ): Promise<Reply<OrderRecord>> {
    const open = await this.#parts.venue.openOrders({ account, instrument, label });
    if (open.kind !== 'done') return open;
    const [order, second] = open.value;
    if (order === undefined) return NOT_FOUND;
    return second === undefined ? { kind: 'done', value: order } : NOT_UNIQUE;
  }

  /** Adds the quote of the instrument if a check of any order needs it. */
  #withQuote(asked: Omit<Judged, 'quote' | 'now'>): MaybeSoon<Prepared> {
    const { clock } = this.#parts;
    const { instrument, orders } = asked;
    const now = clock.now();
    const judged = (quote: Quote | undefined): Prepared => ({ ...asked, quote, now });
    if (!orders.some((order) => this.#needsQuote(order, instrument))) return judged(undefined);
    const quote = this.#quotes.of(instrument.name);
    if (!(quote instanceof Promise)) return judged(quote);
    return quote.then(judged, (error: unknown) => {
      // That a venue does not answer is its own trouble, which it reports.
      if (!(error instanceof MarketUnanswered)) {
        this.#parts.observer.observe({ event: 'failed', where: 'desk.quote', error });
      }
      return NOT_READABLE;
    });
  }

  #needsQuote(order: Prospect, instrument: Instrument): boolean {
    return this.#parts.gate.limits.collar !== undefined || needsQuote({ ...order, instrument });
  }

  /** The only place where manual orders are sent: checked and sent in one moment. */
  async #sent<Q>(
    call: Call,
    request: Q,
    prepared: MaybeSoon<Prepared>,
    send: (request: Cleared<Q>) => Promise<Reply<Worked>>,
  ): Promise<Reply<Worked>> {
    let objection: Objection | undefined;
    const reply = await this.#inOrder.send(call.account, prepared, async (ready) => {
      const passage = this.#passed(call, request, ready);
      if ('reply' in passage) {
        objection = passage;
        return passage.reply;
      }
      const answer = await send(passage.request);
      noteAnswer(passage, answer);
      return answer;
    });
    this.#report(call, reply, objection);
    return reply;
  }

  #passed<Q>(call: Call, request: Q, ready: Prepared): Objection | Through<Q> {
    if ('reply' in ready) return ready;
    const { settings, switches, gate, venue, clock } = this.#parts;
    const { account, reduceOnly = false, fence } = call;
    const judged = { ...ready, now: clock.now() };
    const objection =
      objectionTo(judged, settings) ??
      switchObjection(switches.strictestFor({ account }), { reduceOnly }) ??
      fence?.objection();
    if (objection !== undefined) return objection;
    const instrument = ready.instrument.name;
    const waitMs = gate.waitMs({ venue, account, instrument });
    if (waitMs > 0) return overBudget(waitMs);
    this.#entered += 1;
    const orders = gateOrders(judged, account, `hand ${this.#entered}`);
    const { quote } = judged;
    const passing = { venue, account, instrument, stage: 'order', orders, quote } as const;
    const passage = gate.pass(request, passing);
    return passage.kind === 'blocked' ? gateObjection(passage.block) : passage;
  }

  /** Cancels are counted but not checked. */
  async #takenBack<T>(call: Call, send: () => Promise<Reply<T>>): Promise<Reply<T>> {
    const { venue, gate } = this.#parts;
    const { account } = call;
    const reply = await this.#inOrder.send(account, undefined, () => {
      gate.count({ venue, account });
      return send();
    });
    this.#report(call, reply, undefined);
    return reply;
  }

  #report(
    { method, account }: Call,
    reply: Reply<unknown>,
    objection: Objection | undefined,
  ): void {
    const { observer, venue } = this.#parts;
    const outcome = objection === undefined ? reply.kind : 'blocked';
    const control = objection?.control;
    const detail = reply.kind === 'done' ? undefined : whyNot(reply);
    observer.observe({
      event: 'desk_answered',
      venue: venue.name,
      method,
      account,
      outcome,
      control,
      detail,
    });
  }
}

const labelKey = (account: AccountId, label: string): string => `${account} ${label}`;

const NOT_FOUND = refusal(10004, {
  param: 'label',
  reason: 'no open order of the instrument has it; accepted: the label of an open order',
});
const NOT_UNIQUE = refusal(13032, {
  param: 'label',
  reason: 'several open orders of the instrument have it; accepted: private/edit with an order id',
});
/** Nothing was sent: the data needed for the checks could not be read. */
const NOT_READABLE: Objection = {
  reply: refusal(10040, {
    param: '',
    reason: 'the order or its market could not be looked up; nothing was sent',
  }),
};

/** The price is in the unit that the order will have, which a new price may change. */
const changed = (order: OrderRecord, change: OrderChange): Prospect => ({
  side: order.side,
  type: order.originalType ?? order.type,
  quantity: change.quantity ?? order.quantity,
  price: change.price ?? order.advanced?.value ?? order.price,
  triggerPrice: change.triggerPrice ?? order.trigger?.price,
  advanced: change.price === undefined ? order.advanced?.kind : change.advanced,
  postOnly: change.postOnly ?? order.postOnly,
  reduceOnly: change.reduceOnly ?? order.reduceOnly,
});
