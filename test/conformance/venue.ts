// Contract of every Venue, tested through the port alone. The stage behind it trades one liquid instrument, quoted on both
// sides in more than a few minimum amounts, and lets time pass in whatever way its clock requires.
import { afterEach, describe, expect, it } from 'vitest';
import type { PublicTrade } from '../../src/ports/market-history.ts';
import { tradesSince } from '../../src/ports/trades-since.ts';
import type {
  NewOrder,
  OrderChange,
  Reply,
  VenueNotice,
  Worked,
} from '../../src/ports/trading-desk.ts';
import type { Reconciled } from '../../src/ports/venue.ts';
import {
  isLess,
  isMore,
  isPositive,
  minus,
  notional,
  type Price,
  plus,
  ratio,
  scaled,
  steps,
  text,
  ZERO_MONEY,
  ZERO_QUANTITY,
} from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import { accountId, type ChildLabel, childLabelOf, instrumentName } from '../../src/values/ids.ts';
import { type Instant, instant, later } from '../../src/values/instant.ts';
import { passiveTick, type Side, tickAt } from '../../src/values/instrument.ts';
import type { Quote } from '../../src/values/quote.ts';
import { VenueAct, type VenueStage, value } from './venue-act.ts';
import { orderMethods } from './venue-orders.ts';

export type { VenueStage } from './venue-act.ts';

const LONG_MS = 60_000;

/** An order as slices place it: a limit order with a label and an end of its validity. */
interface Child extends NewOrder {
  readonly price: Price;
  readonly label: ChildLabel;
  readonly validUntil: Instant;
}

/** A stage with helpers for children, priced by the quote of the watched instrument. */
class Act extends VenueAct {
  #labels = 0;

  constructor(stage: VenueStage) {
    super(stage);
    stage.venue.watch(stage.instrument);
  }

  quote(): Quote {
    return must(this.venue.quote(this.stage.instrument), 'a watched instrument has a quote');
  }

  childLabel(): ChildLabel {
    this.#labels += 1;
    return childLabelOf(`tw1-test-1-0-0-${this.#labels}`);
  }

  /** A price that fills immediately, or one that rests far from the market but inside every band. */
  crossing(side: Side): Price {
    const { bid, ask } = this.quote();
    const touch = must(side === 'buy' ? ask : bid, 'both sides are quoted').price;
    return this.#moved(touch, side === 'buy' ? '1.002' : '0.998', side);
  }

  passive(side: Side): Price {
    const { bid, ask } = this.quote();
    const touch = must(side === 'buy' ? bid : ask, 'both sides are quoted').price;
    return this.#moved(touch, side === 'buy' ? '0.99' : '1.01', side);
  }

  child(changes: Partial<Child> = {}): Child {
    const side = changes.side ?? 'buy';
    return {
      account: this.account,
      instrument: this.stage.instrument,
      side,
      type: 'limit',
      quantity: this.terms.minAmount,
      price: this.passive(side),
      label: this.childLabel(),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: changes.postOnly === true,
      reduceOnly: false,
      mmp: false,
      validUntil: later(this.venue.venueNow(), LONG_MS),
      ...changes,
    };
  }

  edited(order: Child, changes: Partial<OrderChange>): Promise<Reply<Worked>> {
    const { account, instrument, label, quantity, price, postOnly, reduceOnly, validUntil } = order;
    const same = { quantity, price, postOnly, rejectPostOnly: postOnly, reduceOnly, validUntil };
    return this.venue.edit({ account, of: { label, instrument }, ...same, ...changes });
  }

  async placed(changes: Partial<Child> = {}): Promise<[Child, Worked]> {
    const order = this.child(changes);
    return [order, value(await this.venue.place(order))];
  }

  reconciled({ account, instrument, label }: Child): Promise<Reply<Reconciled>> {
    return this.venue.reconcile({ account, instrument, label });
  }

  cancelled({ account, instrument, label }: Child) {
    return this.venue.cancel({ account, of: { label, instrument } });
  }

  #moved(price: Price, factor: string, side: Side): Price {
    return passiveTick(this.terms, side, scaled(price, ratio(factor)));
  }
}

const ABSENT = { kind: 'done', value: { orders: [], trades: [] } };

const orderNotices = (notices: readonly VenueNotice[], label: string) =>
  notices.flatMap((notice) =>
    notice.kind === 'order' && notice.order.label === label ? [notice.order] : [],
  );

export function venueConformance(open: () => Promise<VenueStage>): void {
  const acts: Act[] = [];
  const begin = async (): Promise<Act> => {
    const act = new Act(await open());
    acts.push(act);
    await act.stage.pass(0);
    return act;
  };
  afterEach(async () => {
    for (const { stage } of acts.splice(0)) await stage.close();
  });

  describe('placing', () => placing(begin));
  describe('refusing', () => refusing(begin));
  describe('editing', () => editing(begin));
  describe('cancelling', () => cancelling(begin));
  describe('querying', () => remembering(begin));
  describe('notices', () => telling(begin));
  describe('accounts', () => attaching(begin));
  orderMethods(begin);
}

type Begin = () => Promise<Act>;

function placing(begin: Begin): void {
  it('the unfilled rest of an immediate-or-cancel order is cancelled', async () => {
    const act = await begin();
    const timeInForce = 'immediate_or_cancel';
    const [, { order, trades }] = await act.placed({ timeInForce });
    expect(order.state).toBe('cancelled');
    expect(trades).toEqual([]);
    const [, met] = await act.placed({ timeInForce, price: act.crossing('buy') });
    expect(met.order.state).toBe('filled');
  });

  it('a fill-or-kill order fills whole or not at all', async () => {
    const act = await begin();
    const kill = { timeInForce: 'fill_or_kill' as const };
    const [, fits] = await act.placed({ ...kill, price: act.crossing('sell'), side: 'sell' });
    expect(fits.order.state).toBe('filled');
    const [, none] = await act.placed(kill);
    expect(none.order.state).toBe('cancelled');
    expect(text(none.order.filledQuantity)).toBe('0');
  });

  it('the position is the net of the fills on both sides', async () => {
    const act = await begin();
    const quantity = steps(act.terms.minAmount, 3);
    await act.placed({ quantity, price: act.crossing('buy') });
    await act.placed({ price: act.crossing('sell'), side: 'sell' });
    const { account, instrument } = act.stage;
    const [position] = value(await act.venue.positions({ account, instrument }));
    expect(position && text(position.quantity)).toBe(text(steps(act.terms.minAmount, 2)));
  });
}

function refusing(begin: Begin): void {
  const refused = async (act: Act, changes: Partial<Child>, as: string): Promise<void> => {
    const order = act.child(changes);
    expect(await act.venue.place(order)).toMatchObject({ kind: 'refused', class: as });
    expect(await act.reconciled(order)).toEqual(ABSENT);
  };

  it('an order that arrives at or after its validUntil is refused', async () => {
    const act = await begin();
    await refused(act, { validUntil: act.reached() }, 'later');
  });

  it('an order of an unknown instrument is refused for good', async () => {
    const act = await begin();
    await refused(act, { instrument: instrumentName('XYZ-1JAN70-1-C') }, 'final');
    expect(act.venue.instrument(instrumentName('XYZ-1JAN70-1-C'))).toBeUndefined();
  });

  it('prices off the tick and sizes off the lot are refused', async () => {
    const act = await begin();
    const tick = tickAt(act.terms, act.passive('buy'));
    const off = act.passive('buy').plus(tick.div(2)) as Price;
    await refused(act, { price: off }, 'final');
    const half = act.terms.amountStep.div(2) as typeof act.terms.amountStep;
    await refused(act, { quantity: half }, 'final');
  });

  it('a reduce-only order without a position to reduce is refused', async () => {
    const act = await begin();
    const order = act.child({ reduceOnly: true });
    const answer = await act.venue.place(order);
    expect(answer.kind).not.toBe('done');
    expect(await act.reconciled(order)).toEqual(ABSENT);
  });
}

function editing(begin: Begin): void {
  it('an edited order may trade immediately at its new price', async () => {
    const act = await begin();
    const [order] = await act.placed();
    const answer = value(await act.edited(order, { price: act.crossing('buy') }));
    expect(answer.order.state).toBe('filled');
    expect(answer.trades.length).toBeGreaterThan(0);
  });

  it('an edit of a closed or unknown order is answered with done', async () => {
    const act = await begin();
    const [order] = await act.placed({ price: act.crossing('buy') });
    const done = { kind: 'refused', class: 'done' };
    expect(await act.edited(order, {})).toMatchObject(done);
    expect(await act.edited(act.child(), {})).toMatchObject(done);
  });

  it('an edit that arrives too late is refused', async () => {
    const act = await begin();
    const [order] = await act.placed();
    const late = await act.edited(order, { validUntil: act.reached() });
    expect(late).toMatchObject({ kind: 'refused', class: 'later' });
    expect(value(await act.reconciled(order)).orders[0]?.state).toBe('open');
  });
}

function cancelling(begin: Begin): void {
  it('an order is cancelled by id and by label', async () => {
    const act = await begin();
    for (const isKnown of [true, false]) {
      const [order, { order: before }] = await act.placed();
      const { account, instrument, label } = order;
      const { orderId } = before;
      const of = isKnown ? { orderId, instrument } : { label, instrument };
      const after = value(await act.venue.cancel({ account, of }));
      expect(after).toMatchObject({ state: 'cancelled', orderId: before.orderId });
    }
  });

  it('a second cancel, or a cancel after the fill, is answered with done', async () => {
    const act = await begin();
    const [resting, { order }] = await act.placed();
    const [filled] = await act.placed({ price: act.crossing('buy') });
    const done = { kind: 'refused', class: 'done' };
    value(await act.cancelled(resting));
    expect(await act.cancelled(resting)).toMatchObject(done);
    const { account, orderId } = order;
    expect(await act.venue.cancel({ account, of: { orderId } })).toMatchObject(done);
    expect(await act.cancelled(filled)).toMatchObject(done);
    expect(await act.cancelled(act.child())).toMatchObject(done);
  });
}

function remembering(begin: Begin): void {
  it('a query by label finds an order in every state, with its trades', async () => {
    const act = await begin();
    const [open] = await act.placed();
    const [filled, { trades }] = await act.placed({ price: act.crossing('buy') });
    const [unfilled] = await act.placed({ timeInForce: 'immediate_or_cancel' });
    const [cancelled] = await act.placed();
    await act.cancelled(cancelled);
    const states = [];
    for (const order of [open, filled, unfilled, cancelled]) {
      const { orders } = value(await act.reconciled(order));
      expect(orders).toHaveLength(1);
      states.push(orders[0]?.state);
    }
    expect(states).toEqual(['open', 'filled', 'cancelled', 'cancelled']);
    const ids = value(await act.reconciled(filled)).trades.map(({ tradeId }) => tradeId);
    expect(ids).toEqual(trades.map(({ tradeId }) => tradeId));
    expect(value(await act.reconciled(open)).trades).toEqual([]);
  });

  it('a query by a label that was never used, or was used on another account, finds nothing', async () => {
    const act = await begin();
    const [order] = await act.placed();
    expect(await act.reconciled(act.child())).toEqual(ABSENT);
    const elsewhere = (act.venue.instruments() ?? []).find(({ name }) => name !== order.instrument);
    if (elsewhere === undefined) return;
    expect(await act.reconciled({ ...order, instrument: elsewhere.name })).toEqual(ABSENT);
  });

  it('open orders are listed by label prefix', async () => {
    const act = await begin();
    const [mine] = await act.placed();
    const [strange] = await act.placed({ label: childLabelOf('somebody-else') });
    await act.placed({ price: act.crossing('buy') });
    const { account } = act;
    const labels = async (labelPrefix: string): Promise<readonly string[]> =>
      value(await act.venue.openOrders({ account, labelPrefix })).map(({ label }) => label);
    expect(await labels('tw1-test-')).toEqual([mine.label]);
    expect(await labels('somebody')).toEqual([strange.label]);
    expect(await labels('tw1-none-')).toEqual([]);
  });

  it('trades since an instant are listed oldest first, each once', async () => {
    const act = await begin();
    const start = act.venue.venueNow();
    const [first] = await act.placed({ price: act.crossing('buy') });
    await act.stage.pass(1_000);
    const middle = act.venue.venueNow();
    const [second] = await act.placed({ price: act.crossing('sell'), side: 'sell' });
    const labelsSince = async (from: number): Promise<readonly string[]> => {
      const trades = value(await tradesSince(act.venue, act.account, instant(from)));
      expect(new Set(trades.map(({ tradeId }) => tradeId)).size).toBe(trades.length);
      return [...new Set(trades.map(({ label }) => label))];
    };
    expect(await labelsSince(start)).toEqual([first.label, second.label]);
    expect(await labelsSince(middle)).toEqual([second.label]);
    expect(await labelsSince(middle + LONG_MS)).toEqual([]);
  });

  it('watchers are called at each change, with the time of each trade, and the quote then has its volume and value', async () => {
    const act = await begin();
    const { instrument } = act.stage;
    const { traded, tradedValue } = act.quote();
    const since = [must(traded, 'a volume'), must(tradedValue, 'a value')] as const;
    const seen: { readonly at: Instant; readonly volume: string; readonly value: string }[] = [];
    const leave = act.venue.watch(instrument, (at) => {
      const quote = act.quote();
      const volume = text(minus(must(quote.traded, 'a volume'), since[0]));
      const worth = text(minus(must(quote.tradedValue, 'a value'), since[1]));
      seen.push({ at: must(at, 'the market is known'), volume, value: worth });
    });
    const tape: PublicTrade[] = [];
    const unfollow = act.venue.market.follow(instrument, (news) => {
      if (news.kind === 'trade') tape.push(news.trade);
    });
    const { trades: own } = await act.marketOrder();
    const last = must(own.at(-1), 'a market order trades at once');
    const isOwn = ({ tradeId }: Pick<PublicTrade, 'tradeId'>): boolean => tradeId === last.tradeId;
    await act.read(() => Promise.resolve(tape.some(isOwn)), Boolean);
    unfollow();
    // Every trade in the book, own or not, up to the last own one.
    let [volume, worth] = [ZERO_QUANTITY, ZERO_MONEY];
    for (const trade of tape.slice(0, tape.findIndex(isOwn) + 1)) {
      volume = plus(volume, trade.quantity);
      worth = plus(worth, notional(trade.price, trade.quantity));
    }
    expect(isPositive(volume)).toBe(true);
    const found = seen.find((one) => one.volume === text(volume));
    expect(found).toEqual({ at: last.at, volume: text(volume), value: text(worth) });
    leave();
    const count = seen.length;
    await act.marketOrder();
    await act.stage.pass(1_000);
    expect(seen).toHaveLength(count);
  });

  it('a watched instrument has a quote that is not crossed and lies within its band', async () => {
    const act = await begin();
    const { bid, ask, mark, minPrice, maxPrice, seenAt } = act.quote();
    if (bid === undefined || ask === undefined || mark === undefined) {
      throw new Error('both sides and a mark are quoted');
    }
    expect(isLess(bid.price, ask.price)).toBe(true);
    if (minPrice !== undefined) expect(isLess(minPrice, mark)).toBe(true);
    if (maxPrice !== undefined) expect(isMore(maxPrice, mark)).toBe(true);
    expect(seenAt).toBeLessThanOrEqual(act.stage.now());
  });
}

function telling(begin: Begin): void {
  it('a listener that unsubscribed receives no more notices', async () => {
    const act = await begin();
    const heard: VenueNotice[] = [];
    const leave = act.venue.subscribe((notice) => heard.push(notice));
    leave();
    const [order] = await act.placed();
    await act.heard((notices) => orderNotices(notices, order.label).length > 0);
    expect(heard).toEqual([]);
  });
}

function attaching(begin: Begin): void {
  it('a detached account is refused, and its orders stay open until it is attached again', async () => {
    const act = await begin();
    const { account } = act;
    const [order, { order: open }] = await act.placed();
    await act.venue.detach(account);
    const later = { kind: 'refused', class: 'later' };
    expect(await act.venue.place(act.child())).toMatchObject(later);
    expect(await act.edited(order, {})).toMatchObject(later);
    expect(await act.cancelled(order)).toMatchObject(later);
    expect(await act.venue.cancelAll({ account })).toMatchObject(later);
    expect(await act.venue.openOrders({ account })).toMatchObject(later);
    expect(await act.reconciled(order)).toMatchObject(later);
    await act.venue.attach(account);
    expect(value(await act.venue.openOrders({ account })).map(({ orderId }) => orderId)).toEqual([
      open.orderId,
    ]);
  });

  it('a detached account has no notices, and reconnected is published when it is attached again', async () => {
    const act = await begin();
    const { account, notices } = act;
    const [order] = await act.placed();
    await act.heard((heard) => orderNotices(heard, order.label).length > 0);
    await act.venue.detach(account);
    await act.stage.pass(1_000);
    notices.length = 0;
    await act.venue.detach(account);
    await act.venue.place(act.child());
    await act.stage.pass(1_000);
    expect(notices).toEqual([]);
    await act.venue.attach(account);
    await act.heard((heard) => heard.length > 0);
    expect(notices[0]).toEqual({ kind: 'reconnected', accounts: [account] });
    notices.length = 0;
    await act.venue.attach(account);
    const [again] = await act.placed();
    await act.heard((heard) => orderNotices(heard, again.label).length > 0);
    expect(notices.filter(({ kind }) => kind === 'reconnected')).toEqual([]);
  });

  it('an account that the venue does not know cannot be attached', async () => {
    const act = await begin();
    await expect(act.venue.attach(accountId('99999'))).rejects.toThrow('99999');
  });
}
