// Contract of every Venue. The stage behind it trades one liquid instrument, quoted on both sides in more than a few
// minimum amounts, and lets time pass in whatever way its clock requires.
import { afterEach, describe, expect, it } from 'vitest';
import type {
  Accepted,
  EditRequest,
  LabelAnswer,
  OrderAnswer,
  OrderRequest,
  Venue,
  VenueNotice,
} from '../../src/ports/venue.ts';
import {
  isLess,
  isMore,
  type Price,
  ratio,
  scaled,
  steps,
  text,
} from '../../src/values/amounts.ts';
import { must } from '../../src/values/assert.ts';
import {
  type AccountId,
  type ChildLabel,
  childLabelOf,
  type InstrumentName,
  instrumentName,
} from '../../src/values/ids.ts';
import { type Instant, instant, later } from '../../src/values/instant.ts';
import { type Instrument, passiveTick, type Side, tickAt } from '../../src/values/instrument.ts';
import type { Quote } from '../../src/values/quote.ts';
import { pastTheGate } from '../support/engine/past-the-gate.ts';

export interface VenueStage {
  readonly venue: Venue;
  readonly account: AccountId;
  readonly instrument: InstrumentName;
  /** By our clock, not the venue's. */
  now(): Instant;
  /** Lets `forMs` of the venue's time pass, until everything in progress has completed. */
  pass(forMs: number): Promise<void>;
  close(): Promise<void>;
}

const LONG_MS = 60_000;

/** A stage with helpers for most cases. */
class Act {
  readonly stage: VenueStage;
  readonly notices: VenueNotice[] = [];
  #labels = 0;

  constructor(stage: VenueStage) {
    this.stage = stage;
    stage.venue.watch(stage.instrument);
    stage.venue.subscribe((notice) => this.notices.push(notice));
  }

  get venue(): Venue {
    return this.stage.venue;
  }

  get terms(): Instrument {
    return must(this.venue.instrument(this.stage.instrument), 'the instrument is listed');
  }

  quote(): Quote {
    return must(this.venue.quote(this.stage.instrument), 'a watched instrument has a quote');
  }

  label(): ChildLabel {
    this.#labels += 1;
    return childLabelOf(`tw1-test-1-0-0-${this.#labels}`);
  }

  /** A price that fills immediately, or one that rests far from the market but inside every band. */
  through(side: Side): Price {
    const { bid, ask } = this.quote();
    const touch = must(side === 'buy' ? ask : bid, 'both sides are quoted').price;
    return this.#moved(touch, side === 'buy' ? '1.002' : '0.998', side);
  }

  resting(side: Side): Price {
    const { bid, ask } = this.quote();
    const touch = must(side === 'buy' ? bid : ask, 'both sides are quoted').price;
    return this.#moved(touch, side === 'buy' ? '0.99' : '1.01', side);
  }

  order(changes: Partial<OrderRequest> = {}): OrderRequest {
    const side = changes.side ?? 'buy';
    return {
      account: this.stage.account,
      instrument: this.stage.instrument,
      side,
      quantity: this.terms.minAmount,
      price: this.resting(side),
      label: this.label(),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      reduceOnly: false,
      validUntil: later(this.venue.venueNow(), LONG_MS),
      ...changes,
    };
  }

  edit(order: OrderRequest, changes: Partial<EditRequest>): EditRequest {
    const { account, instrument, label, quantity, price, postOnly, reduceOnly, validUntil } = order;
    const same = { account, instrument, label, quantity, price, postOnly, reduceOnly, validUntil };
    return { ...same, ...changes };
  }

  async placed(changes: Partial<OrderRequest> = {}): Promise<[OrderRequest, Accepted]> {
    const order = this.order(changes);
    return [order, accepted(await this.venue.place(pastTheGate(order)))];
  }

  byLabel({ account, instrument, label }: OrderRequest): Promise<LabelAnswer> {
    return this.venue.ordersByLabel({ account, instrument, label });
  }

  /** Lets time pass until the received notices satisfy `enough`. */
  async heard(enough: (notices: readonly VenueNotice[]) => boolean): Promise<void> {
    for (let round = 0; round < 100 && !enough(this.notices); round += 1) {
      await this.stage.pass(50);
    }
    expect(enough(this.notices), 'the notices never came').toBe(true);
  }

  #moved(price: Price, factor: string, side: Side): Price {
    return passiveTick(this.terms, side, scaled(price, ratio(factor)));
  }
}

function accepted(answer: OrderAnswer): Accepted {
  expect(answer).toMatchObject({ kind: 'accepted' });
  return answer as Accepted;
}

const found = (answer: LabelAnswer): Extract<LabelAnswer, { kind: 'found' }> => {
  expect(answer.kind).toBe('found');
  return answer as Extract<LabelAnswer, { kind: 'found' }>;
};

const orderNotices = (notices: readonly VenueNotice[], label: string) =>
  notices.flatMap((notice) =>
    notice.kind === 'order' && notice.order.label === label ? [notice.order] : [],
  );
const tradeNotices = (notices: readonly VenueNotice[], label: string) =>
  notices.flatMap((notice) =>
    notice.kind === 'trade' && notice.trade.label === label ? [notice.trade] : [],
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
}

type Begin = () => Promise<Act>;

function placing(begin: Begin): void {
  it("an order through the market fills at the market's price, as taker", async () => {
    const act = await begin();
    const [order, { order: filled, trades }] = await act.placed({ price: act.through('buy') });
    expect(filled).toMatchObject({ state: 'filled', label: order.label, side: 'buy' });
    expect(text(filled.filledQuantity)).toBe(text(order.quantity));
    expect(trades.length).toBeGreaterThan(0);
    for (const trade of trades) {
      expect(trade).toMatchObject({
        orderId: filled.orderId,
        label: order.label,
        side: 'buy',
        liquidity: 'taker',
      });
      expect(isMore(trade.price, order.price)).toBe(false);
    }
  });

  it('an order that does not reach the market rests', async () => {
    const act = await begin();
    const [order, { order: resting, trades }] = await act.placed();
    expect(trades).toEqual([]);
    expect(resting).toMatchObject({ state: 'open', label: order.label });
    expect(text(must(resting.price, 'price'))).toBe(text(order.price));
    expect(text(resting.filledQuantity)).toBe('0');
  });

  it('the unfilled rest of an immediate-or-cancel order is cancelled', async () => {
    const act = await begin();
    const [, { order, trades }] = await act.placed({ timeInForce: 'immediate_or_cancel' });
    expect(order.state).toBe('cancelled');
    expect(trades).toEqual([]);
  });

  it('a fill-or-kill order fills whole or not at all', async () => {
    const act = await begin();
    const kill = { timeInForce: 'fill_or_kill' as const };
    const [, fits] = await act.placed({ ...kill, price: act.through('sell'), side: 'sell' });
    expect(fits.order.state).toBe('filled');
    const [, none] = await act.placed(kill);
    expect(none.order.state).toBe('cancelled');
    expect(text(none.order.filledQuantity)).toBe('0');
  });

  it('the position is the net of the fills on both sides', async () => {
    const act = await begin();
    const quantity = steps(act.terms.minAmount, 3);
    await act.placed({ quantity, price: act.through('buy') });
    await act.placed({ price: act.through('sell'), side: 'sell' });
    const positions = await act.venue.positions(act.stage.account);
    const position = positions.find(({ instrument }) => instrument === act.stage.instrument);
    expect(position && text(position.quantity)).toBe(text(steps(act.terms.minAmount, 2)));
    expect((await act.venue.balances(act.stage.account)).length).toBeGreaterThan(0);
  });
}

function refusing(begin: Begin): void {
  const refused = async (act: Act, changes: Partial<OrderRequest>, as: string): Promise<void> => {
    const order = act.order(changes);
    expect(await act.venue.place(pastTheGate(order))).toMatchObject({ kind: 'refused', class: as });
    expect(await act.byLabel(order)).toEqual({ kind: 'absent' });
  };

  it('a post-only order that would take is refused', async () => {
    const act = await begin();
    await refused(act, { postOnly: true, price: act.through('buy') }, 'final');
  });

  it('a post-only order that rests is accepted', async () => {
    const act = await begin();
    const [, { order }] = await act.placed({ postOnly: true });
    expect(order.state).toBe('open');
  });

  it('an order that arrives at or after its validUntil is refused', async () => {
    const act = await begin();
    await refused(act, { validUntil: act.venue.venueNow() }, 'later');
  });

  it('an order of an unknown instrument is refused for good', async () => {
    const act = await begin();
    await refused(act, { instrument: instrumentName('XYZ-1JAN70-1-C') }, 'final');
    expect(act.venue.instrument(instrumentName('XYZ-1JAN70-1-C'))).toBeUndefined();
  });

  it('prices off the tick and sizes off the lot are refused', async () => {
    const act = await begin();
    const tick = tickAt(act.terms, act.resting('buy'));
    const off = act.resting('buy').plus(tick.div(2)) as Price;
    await refused(act, { price: off }, 'final');
    const half = act.terms.amountStep.div(2) as typeof act.terms.amountStep;
    await refused(act, { quantity: half }, 'final');
  });

  it('a reduce-only order without a position to reduce is refused', async () => {
    const act = await begin();
    const order = act.order({ reduceOnly: true });
    const answer = await act.venue.place(pastTheGate(order));
    expect(answer.kind).not.toBe('accepted');
    expect(await act.byLabel(order)).toEqual({ kind: 'absent' });
  });
}

function editing(begin: Begin): void {
  it('an edit by label changes the order and keeps its id', async () => {
    const act = await begin();
    const [order, { order: before }] = await act.placed();
    const price = passiveTick(act.terms, 'buy', scaled(order.price, ratio('0.999')));
    const quantity = steps(act.terms.minAmount, 2);
    const { order: after } = accepted(
      await act.venue.editByLabel(pastTheGate(act.edit(order, { price, quantity }))),
    );
    expect(after).toMatchObject({ orderId: before.orderId, state: 'open', label: order.label });
    expect(text(must(after.price, 'price'))).toBe(text(price));
    expect(text(after.quantity)).toBe(text(quantity));
  });

  it('an edited order may trade immediately at its new price', async () => {
    const act = await begin();
    const [order] = await act.placed();
    const answer = accepted(
      await act.venue.editByLabel(pastTheGate(act.edit(order, { price: act.through('buy') }))),
    );
    expect(answer.order.state).toBe('filled');
    expect(answer.trades.length).toBeGreaterThan(0);
  });

  it('an edit of a closed or unknown order is answered with done', async () => {
    const act = await begin();
    const [order] = await act.placed({ price: act.through('buy') });
    const done = { kind: 'refused', class: 'done' };
    expect(await act.venue.editByLabel(pastTheGate(act.edit(order, {})))).toMatchObject(done);
    expect(await act.venue.editByLabel(pastTheGate(act.edit(act.order(), {})))).toMatchObject(done);
  });

  it('an edit that arrives too late is refused', async () => {
    const act = await begin();
    const [order] = await act.placed();
    const late = act.edit(order, { validUntil: act.venue.venueNow() });
    expect(await act.venue.editByLabel(pastTheGate(late))).toMatchObject({
      kind: 'refused',
      class: 'later',
    });
    expect(found(await act.byLabel(order)).orders[0]?.state).toBe('open');
  });
}

function cancelling(begin: Begin): void {
  it('an order is cancelled by id and by label', async () => {
    const act = await begin();
    for (const isKnown of [true, false]) {
      const [order, { order: before }] = await act.placed();
      const { account, instrument, label } = order;
      const orderId = isKnown ? before.orderId : undefined;
      const { order: after } = accepted(
        await act.venue.cancel({ account, instrument, label, orderId }),
      );
      expect(after).toMatchObject({ state: 'cancelled', orderId: before.orderId });
    }
  });

  it('a second cancel, or a cancel after the fill, is answered with done', async () => {
    const act = await begin();
    const [resting, { order }] = await act.placed();
    const [filled] = await act.placed({ price: act.through('buy') });
    const done = { kind: 'refused', class: 'done' };
    accepted(await act.venue.cancel(resting));
    expect(await act.venue.cancel(resting)).toMatchObject(done);
    expect(await act.venue.cancel({ ...resting, orderId: order.orderId })).toMatchObject(done);
    expect(await act.venue.cancel(filled)).toMatchObject(done);
    expect(await act.venue.cancel(act.order())).toMatchObject(done);
  });
}

function remembering(begin: Begin): void {
  it('a query by label finds an order in every state, with its trades', async () => {
    const act = await begin();
    const [open] = await act.placed();
    const [filled, { trades }] = await act.placed({ price: act.through('buy') });
    const [unfilled] = await act.placed({ timeInForce: 'immediate_or_cancel' });
    const [cancelled] = await act.placed();
    await act.venue.cancel(cancelled);
    const states = [];
    for (const order of [open, filled, unfilled, cancelled]) {
      const { orders } = found(await act.byLabel(order));
      expect(orders).toHaveLength(1);
      states.push(orders[0]?.state);
    }
    expect(states).toEqual(['open', 'filled', 'cancelled', 'cancelled']);
    const ids = found(await act.byLabel(filled)).trades.map(({ tradeId }) => tradeId);
    expect(ids).toEqual(trades.map(({ tradeId }) => tradeId));
    expect(found(await act.byLabel(open)).trades).toEqual([]);
  });

  it('a query by a label that was never used, or was used on another account, finds nothing', async () => {
    const act = await begin();
    const [order] = await act.placed();
    expect(await act.byLabel(act.order())).toEqual({ kind: 'absent' });
    const elsewhere = act.venue.instruments().find(({ name }) => name !== order.instrument);
    if (elsewhere === undefined) return;
    expect(await act.byLabel({ ...order, instrument: elsewhere.name })).toEqual({
      kind: 'absent',
    });
  });

  it('open orders are listed by label prefix', async () => {
    const act = await begin();
    const [mine] = await act.placed();
    const [strange] = await act.placed({ label: childLabelOf('somebody-else') });
    await act.placed({ price: act.through('buy') });
    const labels = async (prefix: string): Promise<readonly string[]> => {
      const answer = await act.venue.openOrders(act.stage.account, prefix);
      return answer.kind === 'orders' ? answer.orders.map(({ label }) => label) : ['unknown'];
    };
    expect(await labels('tw1-test-')).toEqual([mine.label]);
    expect(await labels('somebody')).toEqual([strange.label]);
    expect(await labels('tw1-none-')).toEqual([]);
  });

  it('trades since an instant are listed oldest first, each once', async () => {
    const act = await begin();
    const start = act.venue.venueNow();
    const [first] = await act.placed({ price: act.through('buy') });
    await act.stage.pass(1_000);
    const middle = act.venue.venueNow();
    const [second] = await act.placed({ price: act.through('sell'), side: 'sell' });
    const labelsSince = async (from: number): Promise<readonly string[]> => {
      const answer = await act.venue.tradesSince(act.stage.account, instant(from));
      if (answer.kind === 'unknown') return ['unknown'];
      const ids = answer.trades.map(({ tradeId }) => tradeId);
      expect(new Set(ids).size).toBe(ids.length);
      return [...new Set(answer.trades.map(({ label }) => label as string))];
    };
    expect(await labelsSince(start)).toEqual([first.label, second.label]);
    expect(await labelsSince(middle)).toEqual([second.label]);
    expect(await labelsSince(middle + LONG_MS)).toEqual([]);
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
  it('every trade and every state of our orders is reported, with our own side', async () => {
    const act = await begin();
    const [filled, { trades }] = await act.placed({ price: act.through('sell'), side: 'sell' });
    const [resting] = await act.placed();
    await act.venue.cancel(resting);
    await act.heard(
      (notices) =>
        orderNotices(notices, filled.label).some(({ state }) => state === 'filled') &&
        orderNotices(notices, resting.label).some(({ state }) => state === 'cancelled') &&
        tradeNotices(notices, filled.label).length >= trades.length,
    );
    const told = tradeNotices(act.notices, filled.label);
    expect(new Set(told.map(({ tradeId }) => tradeId))).toEqual(
      new Set(trades.map(({ tradeId }) => tradeId)),
    );
    for (const trade of told) expect(trade.side).toBe('sell');
    for (const notice of act.notices) expect(notice.account).toBe(act.stage.account);
  });

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
