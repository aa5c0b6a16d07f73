// One venue's order methods behind the gate. Reads pass through; what changes an order is looked up
// where needed, judged, and sent once, in the order of its account.
import type { OrderRecord } from '../core/order/order-record.ts';
import type { Settings } from '../core/portfolio/settings.ts';
import { needsQuote } from '../core/risk/entered-order.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeskMethod, Observer } from '../ports/observer.ts';
import type {
  NewOrder,
  OrderChange,
  OrderFilter,
  Reply,
  TradingDesk,
  Worked,
} from '../ports/trading-desk.ts';
import type { Venue } from '../ports/venue.ts';
import type { AccountId } from '../values/ids.ts';
import type { Instrument } from '../values/instrument.ts';
import type { Quote } from '../values/quote.ts';
import {
  type Objection,
  objectionTo,
  ownLabelObjection,
  type Prospect,
  prospectsOf,
  switchObjection,
  unknownInstrument,
} from './gate-orders.ts';
import { QuoteLookup } from './look-up-quote.ts';
import { editObjection, type Fence, fenceOf } from './mmp-fence.ts';
import type { MmpGuard } from './mmp-guard.ts';
import { SendInOrder } from './send-in-order.ts';
import type { TradingSwitches } from './trading-switches.ts';

export interface EntryParts {
  readonly venue: Venue;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly observer: Observer;
  readonly mmp?: MmpGuard | undefined;
  /** Absent: nothing is ever switched off. */
  readonly switches?: Pick<TradingSwitches, 'strictestFor'> | undefined;
}

/** A request to a venue, and what it has to pass at the moment it leaves. */
interface Call {
  readonly method: DeskMethod;
  readonly account: AccountId;
  readonly fence?: Fence | undefined;
  /** Absent for what takes back: no switch stands in its way. */
  readonly reduceOnly?: boolean | undefined;
}

type Cancel = Parameters<TradingDesk['cancel']>[0];
type MaybeSoon<T> = T | Promise<T>;
/** What stands against sending, if anything. */
type Verdict = Objection | undefined;

export class OrderEntry implements Pick<TradingDesk, 'enter' | 'edit' | 'cancel' | 'cancelAll'> {
  readonly #parts: EntryParts;
  readonly #quotes: QuoteLookup;
  readonly #inOrder = new SendInOrder();

  constructor(parts: EntryParts) {
    this.#parts = parts;
    this.#quotes = new QuoteLookup(parts);
  }

  enter(order: NewOrder): Promise<Reply<Worked>> {
    const { desk } = this.#parts.venue;
    const { account } = order;
    const fence = fenceOf(this.#parts.mmp, this.#parts.venue, order);
    const reduceOnly = [order, ...(order.link?.others ?? [])].every((one) => one.reduceOnly);
    const call = { method: 'enter', account, fence, reduceOnly } as const;
    const sent = this.#sent(call, this.#admitNew(order), () => desk.enter(order));
    return fence === undefined ? sent : watched(sent, fence);
  }

  edit(change: OrderChange): Promise<Reply<Worked>> {
    const { desk } = this.#parts.venue;
    const { account, reduceOnly = false } = change;
    const call = { method: 'edit', account, reduceOnly } as const;
    return this.#sent(call, this.#admitChange(change), () => desk.edit(change));
  }

  cancel(request: Cancel): Promise<Reply<OrderRecord>> {
    const { desk } = this.#parts.venue;
    const call = { method: 'cancel', account: request.account } as const;
    return this.#sent(call, undefined, () => desk.cancel(request));
  }

  cancelAll(filter: OrderFilter): Promise<Reply<number>> {
    const { desk } = this.#parts.venue;
    const call = { method: 'cancel_all', account: filter.account } as const;
    return this.#sent(call, undefined, () => desk.cancelAll(filter));
  }

  #admitNew(order: NewOrder): MaybeSoon<Verdict> {
    const { venue, settings } = this.#parts;
    const prospects = prospectsOf(order);
    for (const label of [order.label, ...(order.link?.others.map((other) => other.label) ?? [])]) {
      const objection = ownLabelObjection(settings, label, 'label');
      if (objection !== undefined) return objection;
    }
    const instrument = venue.instrument(order.instrument);
    return instrument === undefined ? unknownInstrument() : this.#judge(instrument, prospects);
  }

  #admitChange(change: OrderChange): MaybeSoon<Verdict> {
    const { venue, settings } = this.#parts;
    if ('orderId' in change.of) return this.#admitKnown(change);
    const { label, instrument: name } = change.of;
    const objection = ownLabelObjection(settings, label, 'label');
    if (objection !== undefined) return objection;
    const instrument = venue.instrument(name);
    if (instrument === undefined) return unknownInstrument();
    const { quantity, price, advanced } = change;
    const mayBeFrozen = this.#parts.mmp?.isIndexFrozen(change.account, instrument.indexName);
    if (quantity === undefined || price === undefined || advanced !== undefined || mayBeFrozen) {
      return this.#admitKnown(change);
    }
    // Size and price are all that is judged, so the order itself need not be looked up.
    return this.#judge(instrument, [{ side: 'buy', type: 'limit', quantity, price }]);
  }

  /** The order as it is, with the change on top. */
  async #admitKnown(change: OrderChange): Promise<Verdict> {
    const { venue, settings } = this.#parts;
    const found = await this.#find(change);
    if (found.kind !== 'done') return found.kind === 'refused' ? { reply: found } : NOT_READABLE;
    const order = found.value;
    const objection = ownLabelObjection(settings, order.label, 'orderId');
    if (objection !== undefined) return objection;
    const instrument = venue.instrument(order.instrument);
    if (instrument === undefined) return unknownInstrument();
    const frozen = editObjection(this.#parts.mmp, order, instrument);
    if (frozen !== undefined) return frozen;
    const isSmaller =
      change.price === undefined &&
      change.triggerPrice === undefined &&
      (change.quantity === undefined || change.quantity.lte(order.quantity));
    return isSmaller ? undefined : this.#judge(instrument, [changed(order, change)]);
  }

  async #find({ account, of }: OrderChange): Promise<Reply<OrderRecord>> {
    const { desk } = this.#parts.venue;
    if ('orderId' in of) return await desk.order(account, of.orderId);
    const { label, instrument } = of;
    const open = await desk.openOrdersOf({ account, instrument, label });
    if (open.kind !== 'done') return open;
    const [order, second] = open.value;
    if (order === undefined) return NOT_FOUND;
    return second === undefined ? { kind: 'done', value: order } : NOT_UNIQUE;
  }

  /** The one place where an order by hand is let through or not. */
  #judge(instrument: Instrument, orders: readonly Prospect[]): MaybeSoon<Verdict> {
    const { settings, clock } = this.#parts;
    const judge = (quote: Quote | undefined): Verdict =>
      objectionTo({ instrument, orders, quote, now: clock.now() }, settings);
    if (!orders.some((order) => needsQuote({ ...order, instrument }))) return judge(undefined);
    const quote = this.#quotes.of(instrument.name);
    if (!(quote instanceof Promise)) return judge(quote);
    return quote.then(judge, (error: unknown) => {
      this.#parts.observer.failed({ where: 'desk.quote', error });
      return NOT_READABLE;
    });
  }

  async #sent<T>(
    { method, account, fence, reduceOnly }: Call,
    verdict: MaybeSoon<Verdict>,
    send: () => Promise<Reply<T>>,
  ): Promise<Reply<T>> {
    const { observer, venue, switches } = this.#parts;
    const switchedOff = (): Verdict =>
      reduceOnly === undefined
        ? undefined
        : switchObjection(switches?.strictestFor({ account }), { reduceOnly });
    const told = { venue: venue.name, method, account };
    let control: string | undefined;
    let wasSent = false;
    const reply = await this.#inOrder.send(account, verdict, (judged): Promise<Reply<T>> => {
      const objection = judged ?? switchedOff() ?? fence?.objection();
      if (objection === undefined) {
        wasSent = true;
        return send();
      }
      control = objection.control;
      return Promise.resolve(objection.reply);
    });
    const outcome = wasSent ? reply.kind : 'blocked';
    observer.deskAnswered({ ...told, outcome, control, detail: detailOf(reply) });
    return reply;
  }
}

async function watched(sent: Promise<Reply<Worked>>, fence: Fence): Promise<Reply<Worked>> {
  const reply = await sent;
  fence.answered(reply);
  return reply;
}

const NOT_FOUND = { kind: 'refused', code: 10004, message: 'order_not_found' } as const;
const NOT_UNIQUE = { kind: 'refused', code: 13032, message: 'non_unique_order_label' } as const;
/** Nothing was sent: what it takes to judge could not be looked up. */
const NOT_READABLE: Objection = { reply: { kind: 'refused', code: 10040, message: 'retry' } };

const changed = (order: OrderRecord, change: OrderChange): Prospect => ({
  side: order.side,
  type: order.originalType ?? order.type,
  quantity: change.quantity ?? order.quantity,
  price: change.price ?? order.advanced?.value ?? order.price,
  triggerPrice: change.triggerPrice ?? order.trigger?.price,
  advanced: order.advanced?.kind,
});

function detailOf(reply: Reply<unknown>): string | undefined {
  if (reply.kind === 'unknown') return reply.reason;
  if (reply.kind === 'done') return undefined;
  const { code, message, details } = reply;
  return `${code} ${message}${details ? `: ${details.param} ${details.reason}` : ''}`;
}
