// A trader on the venue port: places orders, settles what it does not know by asking, follows the notices, and asks again
// after each gap that is announced. Everything that it is given is judged.
import type { OrderRecord, TradeRecord } from '../../../src/core/order/order-record.ts';
import type { Cleared } from '../../../src/ports/cleared.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { tradesSince } from '../../../src/ports/trades-since.ts';
import type {
  NewOrder,
  OrderChange,
  OrderKey,
  Reply,
  VenueNotice,
  Worked,
} from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { isMore, type Price, type Quantity, steps, text } from '../../../src/values/amounts.ts';
import type { AccountId } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { ReportBreach } from '../checks/breach.ts';
import { ACCOUNTS } from '../plan/simulated-accounts.ts';
import { INSTRUMENTS, mid } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';
import { tradeKey, type WireJudge } from './wire-judge.ts';
import type { WireAct } from './wire-plan.ts';

export interface WireTraderParts {
  readonly clock: Clock;
  readonly startAt: Instant;
  readonly judge: WireJudge;
  readonly trouble: Trouble;
  readonly breach: ReportBreach;
  readonly trace: (what: string, detail: unknown) => void;
}

/** An order as it was requested. */
interface Asked {
  readonly order: NewOrder;
  readonly instrument: Instrument;
  /** From when on the venue must not accept it. */
  readonly voidAt: Instant;
  state: 'sent' | 'placed' | 'refused' | 'unknown' | 'absent';
}

type Of<K extends WireAct['kind']> = Extract<WireAct, { readonly kind: K }>;

const AGAIN_MS = 500;
/** The clocks of both sides differ by less. */
const SKEW_MS = 1_000;

export class WireTrader {
  readonly #parts: WireTraderParts;
  readonly asked: Asked[] = [];
  readonly #view = new Map<string, OrderRecord>();
  readonly #trades = new Map<string, TradeRecord>();
  /** Accounts whose gap has not been closed yet. */
  readonly #gaps = new Set<AccountId>();
  /** Sizes of edits that were refused, by label. */
  readonly #refusedEdits: { readonly label: string; readonly size: string }[] = [];
  #venue: Venue | undefined;
  #life = 0;
  #edits = 0;

  constructor(parts: WireTraderParts) {
    this.#parts = parts;
  }

  /** A process begins on this venue. */
  begin(venue: Venue): void {
    this.#life += 1;
    this.#venue = venue;
    const life = this.#life;
    venue.subscribe((notice) => {
      if (life === this.#life) this.#noticed(notice);
    });
    for (const { name } of Object.values(INSTRUMENTS)) venue.watch(name);
    for (const account of ACCOUNTS) void this.#close(account);
    for (const one of this.asked) {
      if (one.state !== 'sent' && one.state !== 'unknown') continue;
      one.state = 'unknown';
      void this.#settle(one);
    }
  }

  /** Its process ends: what it waits for never comes. */
  end(): void {
    this.#life += 1;
    this.#venue = undefined;
  }

  act(act: WireAct): void {
    if (this.#venue === undefined) return;
    if (act.kind === 'place') void this.#place(this.#venue, act);
    else if (act.kind === 'edit') void this.#edit(this.#venue, act);
    else if (act.kind === 'cancel') void this.#cancel(this.#venue, act);
    else if (act.kind === 'cancel_all') void this.#cancelAll(this.#venue, act);
    else if (act.kind === 'look_up') void this.#lookUp(this.#venue, act);
  }

  /** What it does not know yet; empty when it is at rest. */
  get open(): readonly string[] {
    const unsettled = this.asked
      .filter(({ state }) => state === 'sent' || state === 'unknown')
      .map(({ order }) => `the outcome of ${order.label}`);
    return [...unsettled, ...[...this.#gaps].map((account) => `what account ${account} missed`)];
  }

  /** At rest its books are those of the exchange. */
  judgeEnd(): void {
    const { judge, breach } = this.#parts;
    for (const { order, state } of this.asked) {
      const real = judge.labelled(order.label);
      const isNone = real === undefined || real.state === 'rejected';
      if ((state === 'refused' || state === 'absent') && !isNone) {
        breach('denied', `${order.label} is ${state}, and the exchange has it: ${real.state}`);
      }
      if (state === 'placed' && real === undefined)
        breach('invented', `${order.label} was never placed`);
    }
    for (const { label, size } of this.#refusedEdits) {
      if (judge.everHadSize(label, size))
        breach('denied', `an edit of ${label} to ${size} was refused, and made`);
    }
  }

  /** What the exchange has and its books do not. */
  get missing(): readonly string[] {
    return ACCOUNTS.flatMap((account) => [
      ...this.#missingTrades(account),
      ...this.#missingStates(account),
    ]);
  }

  #missingTrades(account: AccountId): readonly string[] {
    return this.#parts.judge
      .trades(account)
      .filter((trade) => !this.#trades.has(tradeKey(trade)))
      .map((trade) => `trade ${tradeKey(trade)} of ${trade.label} is not known`);
  }

  #missingStates(account: AccountId): readonly string[] {
    return this.#parts.judge.orders(account).flatMap((order) => {
      const { label, state, filledQuantity } = order;
      const seen = this.#view.get(order.orderId);
      const isKnown = seen?.state === state && seen.filledQuantity.eq(filledQuantity);
      if (isKnown || state === 'rejected') return [];
      const known = seen === undefined ? 'not known' : `${seen.state} ${text(seen.filledQuantity)}`;
      return [`order ${label} is ${state} ${text(filledQuantity)}, and ${known} here`];
    });
  }

  async #place(venue: Venue, act: Of<'place'>): Promise<void> {
    const instrument = INSTRUMENTS[act.instrument];
    const { judge, clock } = this.#parts;
    const ticks = act.offsetTicks * (act.instrument === 'option' ? 5 : 1);
    const way = act.side === 'buy' ? ticks : -ticks;
    const voidAt = later(venue.venueNow(), act.validMs);
    const order: NewOrder = {
      account: ACCOUNTS[act.account] as AccountId,
      instrument: instrument.name,
      side: act.side,
      type: 'limit',
      quantity: sized(instrument, act.lots),
      price: steps(instrument.tickSize, Math.max(5, mid(act.instrument) + way)) as Price,
      timeInForce: act.timeInForce,
      postOnly: act.postOnly && act.timeInForce === 'good_til_cancelled',
      rejectPostOnly: false,
      reduceOnly: false,
      label: `w${this.asked.length}`,
      mmp: false,
      validUntil: voidAt,
    };
    const one: Asked = { order, instrument, voidAt, state: 'sent' };
    this.asked.push(one);
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const reply = await venue.place(order as Cleared<NewOrder>);
    if (life !== this.#life) return;
    this.#note('place', order.label, reply, sentMs);
    if (reply.kind === 'unknown') {
      one.state = 'unknown';
      return await this.#settle(one);
    }
    one.state = reply.kind === 'done' ? 'placed' : 'refused';
    if (reply.kind === 'done') this.#worked(`the answer to ${order.label}`, reply.value, since);
  }

  async #edit(venue: Venue, act: Of<'edit'>): Promise<void> {
    const of = this.#numbered(act.order);
    if (of === undefined) return;
    const { asked, key } = { asked: of, key: this.#keyOf(of, act.isByLabel) };
    const { judge, clock } = this.#parts;
    const { account, label, side, instrument: name } = asked.order;
    this.#edits += 1;
    const { instrument } = asked;
    // No two edits have the same size, which identifies each.
    const quantity = sized(instrument, 100 + this.#edits);
    const ticks = act.ticks * (instrument.kind === 'option' ? 5 : 1);
    const pickName = instrument.kind as 'perpetual' | 'spot' | 'option';
    const price = steps(
      instrument.tickSize,
      Math.max(5, mid(pickName) + (side === 'buy' ? ticks : -ticks)),
    ) as Price;
    const validUntil = later(venue.venueNow(), act.validMs);
    const change: OrderChange = { account, of: key, quantity, price, validUntil };
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const reply = await venue.edit(change as Cleared<OrderChange>);
    if (life !== this.#life) return;
    this.#note('edit', `${label} ${name}`, reply, sentMs);
    if (reply.kind === 'done')
      this.#worked(`the answer to an edit of ${label}`, reply.value, since);
    else if (reply.kind === 'refused') this.#refusedEdits.push({ label, size: text(quantity) });
  }

  async #cancel(venue: Venue, act: Of<'cancel'>): Promise<void> {
    const of = this.#numbered(act.order);
    if (of === undefined) return;
    const { judge, clock } = this.#parts;
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const { account, label } = of.order;
    const reply = await venue.cancel({ account, of: this.#keyOf(of, act.isByLabel) });
    if (life !== this.#life) return;
    this.#note('cancel', label, reply, sentMs);
    if (reply.kind === 'done')
      this.#shown(`the answer to a cancel of ${label}`, reply.value, since);
  }

  async #cancelAll(venue: Venue, act: Of<'cancel_all'>): Promise<void> {
    const { judge, clock, breach } = this.#parts;
    const account = ACCOUNTS[act.account] as AccountId;
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const reply = await venue.cancelAll({ account });
    if (life !== this.#life) return;
    this.#note('cancel_all', account, reply, sentMs);
    if (reply.kind !== 'done') return;
    const [left] = judge.openSince(account, since);
    if (left !== undefined)
      breach('left open', `${left.label} is open after everything was cancelled`);
  }

  async #lookUp(venue: Venue, act: Of<'look_up'>): Promise<void> {
    const { judge, clock, startAt } = this.#parts;
    const account = ACCOUNTS[act.account] as AccountId;
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const of = this.#numbered(act.order);
    switch (act.what) {
      case 'open': {
        const reply = await venue.openOrders({ account });
        if (life !== this.#life) return;
        this.#note('open', account, reply, sentMs);
        if (reply.kind === 'done') judge.checkOpen(account, reply.value, since);
        return;
      }
      case 'trades': {
        const reply = await tradesSince(venue, account, startAt);
        if (life !== this.#life) return;
        this.#note('trades', account, reply, sentMs);
        if (reply.kind === 'done')
          for (const one of reply.value) judge.checkTrade('the trades', one);
        return;
      }
      case 'label': {
        if (of === undefined) return;
        const reply = await venue.ordersLabelled(of.order);
        if (life !== this.#life) return;
        this.#note('label', of.order.label, reply, sentMs);
        if (reply.kind !== 'done') return;
        for (const one of reply.value) judge.checkOrder('the orders of a label', one, since);
        return;
      }
      case 'order': {
        const known = of && judge.labelled(of.order.label);
        if (known === undefined) return;
        const reply = await venue.order(known.account, known.orderId);
        if (life !== this.#life) return;
        this.#note('order', known.label, reply, sentMs);
        if (reply.kind === 'done') judge.checkOrder('an order', reply.value, since);
        return;
      }
      case 'history': {
        const reply = await venue.orderHistory({
          account,
          count: 100,
          offset: 0,
          includeOld: true,
          includeUnfilled: true,
          historical: false,
        });
        if (life !== this.#life) return;
        this.#note('history', account, reply, sentMs);
        if (reply.kind !== 'done') return;
        for (const one of reply.value.orders) judge.checkOrder('the history', one, since);
        return;
      }
      case 'positions':
        this.#note('positions', account, await venue.positions({ account }), sentMs);
    }
  }

  /** Asks what became of an order until that is known. Before its request is void, that there is none proves nothing. */
  async #settle(one: Asked): Promise<void> {
    const { judge, clock } = this.#parts;
    const { order } = one;
    const life = this.#life;
    while (life === this.#life && this.#venue !== undefined) {
      const waitMs = later(one.voidAt, SKEW_MS) - this.#venue.venueNow();
      await this.#pass(Math.max(AGAIN_MS, waitMs));
      if (life !== this.#life || this.#venue === undefined) return;
      const [since, sentMs] = [judge.events, clock.monotonicMs()];
      const reply = await this.#venue.reconcile(order);
      if (life !== this.#life) return;
      this.#note('reconcile', order.label, reply, sentMs);
      if (reply.kind !== 'done') continue;
      const { orders, trades } = reply.value;
      one.state = orders.length === 0 ? 'absent' : 'placed';
      for (const found of orders) {
        const where = `what became of ${order.label}`;
        this.#shown(where, found, since);
        const own = trades.filter(({ orderId }) => orderId === found.orderId);
        judge.checkTradesOf(where, found, own);
        for (const trade of own) this.#trades.set(tradeKey(trade), trade);
      }
      return;
    }
  }

  #noticed(notice: VenueNotice): void {
    const { judge, trouble } = this.#parts;
    if (notice.kind === 'order') this.#shown('a notice', notice.order, 0);
    else if (notice.kind === 'trade') {
      judge.checkTrade('a notice', notice.trade);
      this.#trades.set(tradeKey(notice.trade), notice.trade);
    } else if (notice.kind === 'reconnected') {
      trouble.note('gap announced');
      for (const account of notice.accounts) void this.#close(account);
    }
  }

  /** Reads what the account missed, until that is known. */
  async #close(account: AccountId): Promise<void> {
    this.#gaps.add(account);
    const life = this.#life;
    while (life === this.#life && this.#venue !== undefined) {
      if (await this.#caughtUp(this.#venue, account, life)) {
        if (life === this.#life) this.#gaps.delete(account);
        return;
      }
      await this.#pass(AGAIN_MS);
    }
  }

  async #caughtUp(venue: Venue, account: AccountId, life: number): Promise<boolean> {
    const { judge, startAt } = this.#parts;
    const since = judge.events;
    const open = await venue.openOrders({ account });
    if (life !== this.#life || open.kind !== 'done') return false;
    judge.checkOpen(account, open.value, since);
    for (const order of open.value) this.#see(order);
    const ids = new Set(open.value.map(({ orderId }) => orderId));
    for (const known of [...this.#view.values()]) {
      if (known.account !== account || known.state !== 'open' || ids.has(known.orderId)) continue;
      const asked = judge.events;
      const now = await venue.order(account, known.orderId);
      if (life !== this.#life || now.kind !== 'done') return false;
      this.#shown('an order', now.value, asked);
    }
    const trades = await tradesSince(venue, account, startAt);
    if (life !== this.#life || trades.kind !== 'done') return false;
    for (const trade of trades.value) {
      judge.checkTrade('the trades', trade);
      this.#trades.set(tradeKey(trade), trade);
    }
    return true;
  }

  #worked(where: string, { order, trades }: Worked, since: number): void {
    this.#shown(where, order, since);
    for (const trade of trades) {
      this.#parts.judge.checkTrade(where, trade);
      this.#trades.set(tradeKey(trade), trade);
    }
  }

  #shown(where: string, order: OrderRecord, since: number): void {
    this.#parts.judge.checkOrder(where, order, since);
    this.#see(order);
  }

  /** Of two states the one with the end, with more filled, or of later counts. */
  #see(order: OrderRecord): void {
    const known = this.#view.get(order.orderId);
    const isNewer =
      known === undefined ||
      (known.state === 'open' &&
        (order.state !== 'open' ||
          isMore(order.filledQuantity, known.filledQuantity) ||
          order.updatedAt >= known.updatedAt));
    if (isNewer) this.#view.set(order.orderId, order);
  }

  #numbered(number: number): Asked | undefined {
    return this.asked[this.asked.length - 1 - (number % Math.max(1, this.asked.length))];
  }

  #keyOf({ order }: Asked, isByLabel: boolean): OrderKey {
    const { instrument, label } = order;
    const known = [...this.#view.values()].find((one) => one.label === label);
    if (isByLabel || known === undefined) return { label, instrument };
    return { orderId: known.orderId, instrument };
  }

  #note(what: string, of: string, reply: Reply<unknown>, sentMs: number): void {
    const { trouble, trace, clock } = this.#parts;
    trouble.note(`${what} ${reply.kind}`);
    trace(`${what} ${of}`, [reply.kind, clock.monotonicMs() - sentMs]);
  }

  #pass(forMs: number): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((done) => clock.at(later(clock.now(), forMs), done));
  }
}

/** So many of the smallest sizes of the instrument. */
const sized = ({ minAmount }: Instrument, lots: number): Quantity =>
  minAmount.mul(lots) as Quantity;
