// A trader on the venue port: places orders, settles what it does not know by asking, follows the notices, and asks again
// after each gap that is announced. Everything that it is given is judged.
import type { OrderRecord, TradeRecord } from '../../../src/core/order/order-record.ts';
import type { ExchangeOrder } from '../../../src/exchange/order.ts';
import type { Cleared } from '../../../src/ports/cleared.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { labelledTradesSince } from '../../../src/ports/trades-since.ts';
import type {
  CancelOrders,
  NewOrder,
  OrderChange,
  OrderKey,
  Reply,
  VenueNotice,
  Worked,
} from '../../../src/ports/trading-desk.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { isMore, text } from '../../../src/values/amounts.ts';
import { type AccountId, type InstrumentName, instrumentName } from '../../../src/values/ids.ts';
import { type Instant, later } from '../../../src/values/instant.ts';
import type { ReportBreach } from '../checks/breach.ts';
import type { InstrumentPick } from '../plan/plan.ts';
import { ACCOUNTS } from '../plan/simulated-accounts.ts';
import { INSTRUMENTS } from '../world/simulated-market.ts';
import type { Trouble } from '../world/trouble.ts';
import type { ActOf, WireAct } from './wire-acts.ts';
import { tradeKey, type WireJudge } from './wire-judge.ts';
import {
  accountOf,
  type EntryAct,
  labelsOf,
  massCancel,
  orderOf,
  priceAbove,
  sized,
} from './wire-orders.ts';

export interface WireTraderParts {
  readonly clock: Clock;
  readonly startAt: Instant;
  readonly judge: WireJudge;
  readonly trouble: Trouble;
  readonly breach: ReportBreach;
  /** The books are closed, or may be. */
  readonly isPaused: () => boolean;
  readonly trace: (what: string, detail: unknown) => void;
}

/** An order as it was requested. */
interface Asked {
  readonly order: NewOrder;
  /** From when on the venue must not accept it. */
  readonly voidAt: Instant;
  state: 'sent' | 'placed' | 'refused' | 'unknown' | 'absent';
}

type EntryOf = Exclude<EntryAct, { readonly kind: 'combo' }>;

const isEntry = (act: WireAct): act is EntryOf =>
  act.kind === 'place' || act.kind === 'trigger' || act.kind === 'linked' || act.kind === 'trip';

const FUTURE = instrumentName('BTC-25DEC26');
const COMBO_SIZE = INSTRUMENTS.perpetual.minAmount;
const SPOTS: readonly string[] = [INSTRUMENTS.spot.name];

/** Edits of a combo go by the grid of the perpetual, which is its own. */
const pickOf = (name: InstrumentName): InstrumentPick => {
  if (SPOTS.includes(name)) return 'spot';
  return name === INSTRUMENTS.option.name ? 'option' : 'perpetual';
};

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
  /** The number of the exchange's events when it last had news of an account, or read all of it. */
  readonly #accountNewsAt = new Map<AccountId, number>();
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
    if (act.kind === 'combo') void this.#enterCombo(this.#venue, act);
    else if (isEntry(act)) void this.#enter(this.#venue, act);
    else if (act.kind === 'edit') void this.#edit(this.#venue, act);
    else if (act.kind === 'cancel') void this.#cancel(this.#venue, act);
    else if (act.kind === 'cancel_all')
      void this.#cancelAll(this.#venue, {
        account: accountOf(act),
      });
    else if (act.kind === 'mass_cancel') void this.#massCancel(this.#venue, act);
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
      const none = labelsOf(order).find((label) => judge.labelled(label) === undefined);
      if (state === 'placed' && none !== undefined) breach('invented', `${none} was never placed`);
      judge.checkRequested(order);
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
      ...this.#missingNews(account),
    ]);
  }

  #missingNews(account: AccountId): readonly string[] {
    const isKnown =
      (this.#accountNewsAt.get(account) ?? 0) >= this.#parts.judge.accounts.movedAt(account);
    return isKnown ? [] : [`what account ${account} has moved, and nothing was said of it`];
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

  async #enter(venue: Venue, act: EntryAct, combo?: InstrumentName): Promise<void> {
    const { judge, clock } = this.#parts;
    const voidAt = later(venue.venueNow(), act.validMs);
    const label = `w${this.asked.length}`;
    const order = orderOf({ act, label, combo, validUntil: voidAt });
    const one: Asked = { order, voidAt, state: 'sent' };
    this.asked.push(one);
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const reply = await venue.place(order as Cleared<NewOrder>);
    if (life !== this.#life) return;
    this.note(act.kind, label, reply, sentMs);
    if (reply.kind === 'unknown') {
      one.state = 'unknown';
      return await this.#settle(one);
    }
    one.state = reply.kind === 'done' ? 'placed' : 'refused';
    if (reply.kind === 'done') this.#worked(`the answer to ${label}`, reply.value, since);
  }

  /** The combo is created, or found, each time. */
  async #enterCombo(venue: Venue, act: ActOf<'combo'>): Promise<void> {
    const { clock } = this.#parts;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const trades = [
      { instrument: FUTURE, side: 'buy', quantity: COMBO_SIZE },
      { instrument: INSTRUMENTS.perpetual.name, side: 'sell', quantity: COMBO_SIZE },
    ] as const;
    const reply = await venue.combos?.create({ account: accountOf(act), trades });
    if (life !== this.#life || reply === undefined) return;
    this.note('combo create', FUTURE, reply, sentMs);
    if (reply.kind === 'done') await this.#enter(venue, act, reply.value.instrument.name);
  }

  async #edit(venue: Venue, act: ActOf<'edit'>): Promise<void> {
    const of = this.#numbered(act.order);
    if (of === undefined) return;
    const { asked, key } = { asked: of, key: this.#keyOf(of, act.isByLabel) };
    const { judge, clock } = this.#parts;
    const { account, label, side, instrument: name } = asked.order;
    this.#edits += 1;
    const instrument = pickOf(name);
    // No two edits have the same size, which identifies each.
    const quantity = sized(INSTRUMENTS[instrument], 100 + this.#edits);
    const price = priceAbove(instrument, side === 'buy' ? act.ticks : -act.ticks);
    const validUntil = later(venue.venueNow(), act.validMs);
    const change: OrderChange = { account, of: key, quantity, price, validUntil };
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const reply = await venue.edit(change as Cleared<OrderChange>);
    if (life !== this.#life) return;
    this.note('edit', `${label} ${name}`, reply, sentMs);
    if (reply.kind === 'done')
      this.#worked(`the answer to an edit of ${label}`, reply.value, since);
    else if (reply.kind === 'refused') this.#refusedEdits.push({ label, size: text(quantity) });
  }

  async #cancel(venue: Venue, act: ActOf<'cancel'>): Promise<void> {
    const of = this.#numbered(act.order);
    if (of === undefined) return;
    const { judge, clock } = this.#parts;
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const { account, label } = of.order;
    const reply = await venue.cancel({ account, of: this.#keyOf(of, act.isByLabel) });
    if (life !== this.#life) return;
    this.note('cancel', label, reply, sentMs);
    if (reply.kind === 'done')
      this.#shown(`the answer to a cancel of ${label}`, reply.value, since);
  }

  async #massCancel(venue: Venue, act: ActOf<'mass_cancel'>): Promise<void> {
    const filter = massCancel(act, this.#numbered(act.order)?.order.label);
    if (filter !== undefined) await this.#cancelAll(venue, filter);
  }

  async #cancelAll(venue: Venue, filter: CancelOrders): Promise<void> {
    const { judge, clock, breach, isPaused } = this.#parts;
    const { account } = filter;
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    // The venue leaves the orders of a closed book.
    const wasPaused = isPaused();
    const reply = await venue.cancelAll(filter);
    if (life !== this.#life) return;
    const { account: _of, ...scope } = filter;
    const [what = 'all'] = Object.keys(scope);
    this.note(`cancel_${what}`, account, reply, sentMs);
    if (reply.kind !== 'done' || wasPaused || isPaused()) return;
    const left = judge.openSince(account, since).find((order) => isMeant(order, filter));
    if (left !== undefined)
      breach('left open', `${left.label} is open after everything was cancelled by ${what}`);
  }

  async #lookUp(venue: Venue, act: ActOf<'look_up'>): Promise<void> {
    const { judge, clock, startAt } = this.#parts;
    const account = ACCOUNTS[act.account] as AccountId;
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    const of = this.#numbered(act.order);
    switch (act.what) {
      case 'open': {
        const reply = await venue.openOrders({ account });
        if (life !== this.#life) return;
        this.note('open', account, reply, sentMs);
        if (reply.kind === 'done') judge.checkOpen(account, reply.value, since);
        return;
      }
      case 'trades': {
        const reply = await labelledTradesSince(venue, account, startAt);
        if (life !== this.#life) return;
        this.note('trades', account, reply, sentMs);
        if (reply.kind === 'done')
          for (const one of reply.value) judge.checkTrade('the trades', one);
        return;
      }
      case 'label': {
        if (of === undefined) return;
        const reply = await venue.ordersLabelled(of.order);
        if (life !== this.#life) return;
        this.note('label', of.order.label, reply, sentMs);
        if (reply.kind !== 'done') return;
        for (const one of reply.value) judge.checkOrder('the orders of a label', one, since);
        return;
      }
      case 'order': {
        const known = of && judge.labelled(of.order.label);
        if (known === undefined) return;
        const reply = await venue.order(known.account, known.orderId);
        if (life !== this.#life) return;
        this.note('order', known.label, reply, sentMs);
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
        this.note('history', account, reply, sentMs);
        if (reply.kind !== 'done') return;
        for (const one of reply.value.orders) judge.checkOrder('the history', one, since);
        return;
      }
      case 'positions':
      case 'balance':
        return await this.#lookUpAccount(venue, account, act.what);
    }
  }

  async #lookUpAccount(
    venue: Venue,
    account: AccountId,
    what: 'positions' | 'balance',
  ): Promise<void> {
    const { judge, clock } = this.#parts;
    const since = judge.events;
    const [life, sentMs] = [this.#life, clock.monotonicMs()];
    if (what === 'positions') {
      const reply = await venue.positions({ account });
      if (life !== this.#life) return;
      this.note('positions', account, reply, sentMs);
      if (reply.kind === 'done') judge.accounts.checkPositions(account, reply.value, since);
      return;
    }
    const reply = await venue.summary(account, INSTRUMENTS.perpetual.settlement);
    if (life !== this.#life) return;
    this.note('balance', account, reply, sentMs);
    if (reply.kind === 'done') judge.accounts.checkBalance(reply.value, since);
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
      this.note('reconcile', order.label, reply, sentMs);
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
      this.#traded('a notice', notice.trade);
    } else if (notice.kind === 'account') {
      trouble.note('account notice');
      this.#knowsAccount(notice.account, judge.events);
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
      if (known.account !== account || !isLive(known) || ids.has(known.orderId)) continue;
      const asked = judge.events;
      const now = await venue.order(account, known.orderId);
      if (life !== this.#life || now.kind !== 'done') return false;
      this.#shown('an order', now.value, asked);
    }
    if (!(await this.#sawStarted(venue, account, life))) return false;
    const trades = await labelledTradesSince(venue, account, startAt);
    if (life !== this.#life || trades.kind !== 'done') return false;
    for (const trade of trades.value) this.#traded('the trades', trade);
    this.#knowsAccount(account, since);
    return true;
  }

  /** Reading all of an account takes time, and news may come before its end. */
  #knowsAccount(account: AccountId, asOf: number): void {
    const known = this.#accountNewsAt.get(account) ?? 0;
    this.#accountNewsAt.set(account, Math.max(known, asOf));
  }

  /** What triggers and linked orders have started since is known by its label alone. */
  async #sawStarted(venue: Venue, account: AccountId, life: number): Promise<boolean> {
    for (const { order, state } of this.asked) {
      const mayStart = order.type !== 'limit' || order.link !== undefined;
      if (order.account !== account || !mayStart || state === 'refused') continue;
      for (const label of labelsOf(order)) {
        const asked = this.#parts.judge.events;
        const found = await venue.ordersLabelled({ ...order, label });
        if (life !== this.#life || found.kind !== 'done') return false;
        for (const one of found.value) this.#shown('the orders of a label', one, asked);
      }
    }
    return true;
  }

  #worked(where: string, { order, trades }: Worked, since: number): void {
    this.#shown(where, order, since);
    for (const trade of trades) this.#traded(where, trade);
  }

  #traded(where: string, trade: TradeRecord): void {
    for (const one of [trade, ...(trade.legs ?? [])]) {
      this.#parts.judge.checkTrade(where, one);
      this.#trades.set(tradeKey(one), one);
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
      (isLive(known) &&
        (!isLive(order) ||
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

  note(what: string, of: string, reply: Reply<unknown>, sentMs: number): void {
    const { trouble, trace, clock } = this.#parts;
    trouble.note(`${what} ${reply.kind}`);
    trace(`${what} ${of}`, [reply.kind, clock.monotonicMs() - sentMs]);
  }

  #pass(forMs: number): Promise<void> {
    const { clock } = this.#parts;
    return new Promise((done) => clock.at(later(clock.now(), forMs), done));
  }
}

const isLive = ({ state }: Pick<OrderRecord, 'state'>): boolean =>
  state === 'open' || state === 'untriggered';

/** Whether a mass cancel has to cancel the order. */
function isMeant(order: ExchangeOrder, filter: CancelOrders): boolean {
  const { instrument, kinds, types, label, currency } = filter;
  const of = pickOf(order.instrument);
  const kind = order.instrument.includes('-FS-') ? 'future_combo' : INSTRUMENTS[of].kind;
  return (
    (instrument === undefined || order.instrument === instrument) &&
    (kinds === undefined || kinds.includes(kind)) &&
    (types === undefined || types.includes(order.originalType)) &&
    (label === undefined || order.label === label) &&
    // Settlement currency.
    (currency === undefined || of !== 'spot')
  );
}
