import { describe, expect, it } from 'vitest';
import { refusal } from '../../../src/core/order/answer-class.ts';
import type { OrderRecord } from '../../../src/core/order/order-record.ts';
import { DEFAULT_SETTINGS } from '../../../src/core/terms/settings.ts';
import type { MarketReads, Ticker } from '../../../src/ports/market-reads.ts';
import { MarketUnanswered } from '../../../src/ports/market-reads.ts';
import { type Observation, observing } from '../../../src/ports/observer.ts';
import type { NewOrder, OrderChange, Reply } from '../../../src/ports/trading-desk.ts';
import { money, price, quantity } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { accountId, deploymentId, instrumentName, orderId } from '../../../src/values/ids.ts';
import { MINUTE_MS } from '../../../src/values/instant.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { NOON, perpetual, quote, spot } from '../../support/engine/markets.ts';
import { openOrderDesk } from '../../support/engine/open-order-desk.ts';
import { witness } from '../../support/engine/quiet-observer.ts';
import { ScriptVenue } from '../../support/engine/script-venue.ts';
import { NO_MARKET, type OpenVenue } from '../../support/engine/venue-records.ts';

const ACCOUNT = accountId('10001');
const DUMMY = accountId('20001');
const SPOT = spot();
const PERP = perpetual();
/** Matched on another exchange. */
const ROUTED = spot({ name: instrumentName('ETH_USDC'), isRouted: true });
const CHILD = 'tw1-test-7xk-0-3-1';

/** A desk that records the requests that reach it and accepts them. */
class KeepingDesk {
  readonly sent: string[] = [];
  readonly orders: OrderRecord[] = [];
  /** Labels of orders that are not listed before they are placed. */
  readonly hidden = new Set<string>();
  /** Resolves when the ticker may be returned. */
  tickerGate: Promise<void> = Promise.resolve();
  tickers = 0;

  readonly methods: Pick<
    OpenVenue,
    'place' | 'edit' | 'cancel' | 'cancelAll' | 'order' | 'openOrders'
  > = {
    place: (order) => {
      this.hidden.delete(order.label);
      return this.#yes(`enter ${order.label}`);
    },
    edit: (change) =>
      this.#yes(`edit ${'orderId' in change.of ? change.of.orderId : change.of.label}`),
    cancel: ({ of }) => {
      this.sent.push(`cancel ${'orderId' in of ? of.orderId : of.label}`);
      return Promise.resolve({ kind: 'done', value: this.#record() });
    },
    cancelAll: () => {
      this.sent.push('cancel all');
      return Promise.resolve({ kind: 'done', value: 0 });
    },
    order: (_, id) => {
      const value = this.orders.find((order) => order.orderId === id);
      return Promise.resolve(value === undefined ? refusal(10004) : { kind: 'done', value });
    },
    openOrders: ({ label }) => {
      const value = this.orders.filter(
        (order) => order.label === label && !this.hidden.has(order.label),
      );
      return Promise.resolve({ kind: 'done', value });
    },
  };

  readonly market: MarketReads = {
    ...NO_MARKET,
    ticker: async (name) => {
      this.tickers += 1;
      await this.tickerGate;
      const { mark, index, maxPrice } = quote(SPOT, [99_990, 100_010]);
      const ticker: Ticker = {
        instrument: name,
        at: NOON,
        state: 'open',
        mark,
        index,
        maxPrice,
        stats: { volume: quantity('0') },
      };
      return ticker;
    },
  };

  #yes(what: string): Promise<Reply<{ order: OrderRecord; trades: [] }>> {
    this.sent.push(what);
    return Promise.resolve({ kind: 'done', value: { order: this.#record(), trades: [] } });
  }

  #record(): OrderRecord {
    return anOrderOf({});
  }
}

const anOrderOf = (change: Partial<OrderRecord>): OrderRecord => ({
  orderId: orderId('7'),
  account: ACCOUNT,
  instrument: SPOT.name,
  side: 'buy',
  type: 'limit',
  state: 'open',
  price: price('100000'),
  quantity: quantity('0.1'),
  filledQuantity: quantity('0'),
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: 'mine',
  createdAt: NOON,
  updatedAt: NOON,
  replaced: false,
  mmp: false,
  ...change,
});

const newOrder = (change: Partial<NewOrder> = {}): NewOrder => ({
  account: ACCOUNT,
  instrument: SPOT.name,
  side: 'buy',
  type: 'limit',
  quantity: quantity('0.1'),
  price: price('100000'),
  timeInForce: 'good_til_cancelled',
  postOnly: false,
  rejectPostOnly: false,
  reduceOnly: false,
  label: 'mine',
  mmp: false,
  ...change,
});

const market = (change: Partial<NewOrder> = {}): NewOrder =>
  newOrder({ type: 'market', price: undefined, ...change });

function stage() {
  const clock = new VirtualClock(NOON);
  const kept = new KeepingDesk();
  const script = new ScriptVenue(clock, [SPOT, PERP, ROUTED]);
  const watched: string[] = [];
  const venue = Object.assign(script, {
    ...kept.methods,
    market: kept.market,
    watch: (name?: string) => {
      watched.push(`+${name}`);
      return () => watched.push(`-${name}`);
    },
  });
  const told: Observation<'desk_answered'>[] = [];
  const seen = witness();
  const orders = openOrderDesk({
    venues: { forAccount: () => venue, all: () => [venue] },
    settings: {
      ...DEFAULT_SETTINGS,
      deployment: deploymentId('test'),
      orderUsdMax: money('50000'),
    },
    clock,
    observer: observing({ desk_answered: (answer) => told.push(answer) }, seen),
    limits: () => ({ dummyAccounts: new Set([DUMMY]) }),
  });
  const desk = must(orders.forAccount(ACCOUNT), 'the account has a desk');
  const { failures } = seen;
  return { clock, kept, venue, watched, told, orders, desk, failures, sent: kept.sent };
}

describe('the gate before the order methods', () => {
  it('an order that every control accepts is sent and reported', async () => {
    const { desk, sent, told } = stage();
    expect(await desk.place(newOrder())).toMatchObject({ kind: 'done' });
    expect(sent).toEqual(['enter mine']);
    expect(told).toMatchObject([{ venue: 'script', method: 'enter', outcome: 'done' }]);
  });

  it('an order that a routed pair does not take is refused before it is sent, with the reason', async () => {
    const { desk, sent } = stage();
    const iceberg = newOrder({ instrument: ROUTED.name, displayQuantity: quantity('0.01') });
    expect(await desk.place(iceberg)).toMatchObject({
      kind: 'refused',
      code: 11059,
      message: 'iceberg_not_allowed',
      details: { param: 'displayAmount', reason: expect.stringContaining('another exchange') },
    });
    expect(sent).toEqual([]);
    expect(await desk.place({ ...iceberg, instrument: SPOT.name })).toMatchObject({ kind: 'done' });
  });

  it('a blocked order is refused with the control, the limit and the value', async () => {
    const { desk, sent, told } = stage();
    expect(await desk.place(newOrder({ quantity: quantity('0.6') }))).toEqual({
      kind: 'refused',
      class: 'final',
      code: 40007,
      message: 'risk_limit',
      details: {
        param: 'quantity',
        reason: 'order_value: worth 60000 USD, more than 50000',
      },
    });
    expect(sent).toEqual([]);
    expect(told).toMatchObject([{ outcome: 'blocked', control: 'order_value' }]);
  });

  it.each([
    [{ quantity: quantity('0.00005') }, -32602, 'quantity'],
    [{ quantity: quantity('0') }, 10002, 'quantity'],
    [{ price: price('100000.5') }, 10043, 'price'],
    [{ price: undefined }, -32602, 'price'],
    [{ type: 'stop_limit', price: undefined }, -32602, 'price'],
    [{ instrument: instrumentName('XYZ') }, -32602, 'instrumentName'],
  ] as const)(
    "an invalid order is refused with the venue's code and parameter: %o",
    async (change, code, param) => {
      const { desk, sent } = stage();
      const order = { ...newOrder(), ...change };
      expect(await desk.place(order)).toMatchObject({ kind: 'refused', code, details: { param } });
      expect(sent).toEqual([]);
    },
  );

  it('each of several linked orders is checked', async () => {
    const { desk, sent } = stage();
    const { account: _a, instrument: _i, mmp: _m, ...terms } = newOrder({ label: 'other' });
    const link = (others: readonly (typeof terms)[]) =>
      newOrder({
        link: { kind: 'one_triggers_other', fillCondition: 'first_hit', others },
      });
    expect(await desk.place(link([terms]))).toMatchObject({ kind: 'done' });
    const large = { ...terms, quantity: quantity('0.9') };
    expect(await desk.place(link([terms, large]))).toMatchObject({ code: 40007 });
    expect(await desk.place(link([{ ...terms, label: CHILD }]))).toMatchObject({ code: -32602 });
    expect(sent).toEqual(['enter mine']);
  });

  it('a check that needs a quote requests it, and the market stays subscribed for a minute', async () => {
    const { desk, kept, watched, clock, venue } = stage();
    expect(await desk.place(market())).toMatchObject({ kind: 'done' });
    expect([kept.tickers, watched]).toEqual([1, [`+${SPOT.name}`]]);
    venue.show({ ...quote(SPOT, [99_990, 100_010]), instrument: SPOT.name });
    expect(await desk.place(market({ quantity: quantity('0.6') }))).toMatchObject({ code: 40007 });
    expect([kept.tickers, watched]).toEqual([1, [`+${SPOT.name}`]]);
    await clock.run((NOON + MINUTE_MS) as typeof NOON, () => Promise.resolve());
    expect(watched).toEqual([`+${SPOT.name}`, `-${SPOT.name}`]);
  });
});

describe("the sequence of an account's requests", () => {
  it('requests of an account are sent in order even if one waits for a quote', async () => {
    const { desk, kept, sent } = stage();
    let open = (): void => undefined;
    kept.tickerGate = new Promise((resolve) => {
      open = resolve;
    });
    const answers = [
      desk.place(market({ label: 'slow' })),
      desk.place(newOrder({ label: 'quick' })),
      desk.place(newOrder({ label: 'large', quantity: quantity('9') })),
      desk.cancelAll({ account: ACCOUNT }),
    ];
    await Promise.resolve();
    expect(sent).toEqual([]);
    open();
    const kinds = (await Promise.all(answers)).map(({ kind }) => kind);
    expect(kinds).toEqual(['done', 'done', 'refused', 'done']);
    expect(sent).toEqual(['enter slow', 'enter quick', 'cancel all']);
    void desk.place(newOrder({ label: 'after' }));
    expect(sent.at(-1)).toBe('enter after');
  });

  it('a waiting request of one account does not delay another account', async () => {
    const { desk, kept, sent } = stage();
    kept.tickerGate = new Promise(() => undefined);
    void desk.place(market({ label: 'stuck' }));
    await desk.place(newOrder({ account: accountId('10002'), label: 'free' }));
    expect(sent).toEqual(['enter free']);
  });

  const enlarged = (label: string): OrderChange => ({
    account: ACCOUNT,
    of: { label, instrument: SPOT.name },
    quantity: quantity('0.2'),
  });

  it('an edit by label waits for the order that was sent right before it, and for no other', async () => {
    const { desk, kept, sent } = stage();
    let open = (): void => undefined;
    kept.tickerGate = new Promise((resolve) => {
      open = resolve;
    });
    kept.orders.push(anOrderOf({ label: 'slow' }));
    kept.hidden.add('slow');
    const placed = desk.place(market({ label: 'slow' }));
    const edited = desk.edit(enlarged('slow'));
    const other = desk.edit(enlarged('strange'));
    open();
    expect(await placed).toMatchObject({ kind: 'done' });
    expect(await edited).toMatchObject({ kind: 'done' });
    expect(await other).toMatchObject({ kind: 'refused', code: 10004 });
    expect(sent).toEqual(['enter slow', 'edit slow']);
  });

  it('an edit by the label of an order that is refused finds no order', async () => {
    const { desk, kept, sent } = stage();
    let fail = (_: unknown): void => undefined;
    kept.tickerGate = new Promise((_, reject) => {
      fail = reject;
    });
    const refused = desk.place(market({ label: 'never' }));
    const edited = desk.edit(enlarged('never'));
    fail(new MarketUnanswered('no answer to public/ticker'));
    expect(await refused).toMatchObject({ kind: 'refused', code: 10040 });
    expect(await edited).toMatchObject({ kind: 'refused', code: 10004 });
    expect(sent).toEqual([]);
  });

  it('a manual order is refused and nothing is logged while the venue does not answer', async () => {
    const { desk, kept, sent, failures } = stage();
    kept.tickerGate = Promise.reject(new MarketUnanswered('no answer to public/ticker'));
    expect(await desk.place(market())).toMatchObject({ kind: 'refused', code: 10040 });
    expect([failures, sent]).toEqual([[], []]);
  });

  it('requests continue after a look-up that failed', async () => {
    const { desk, kept, sent, failures } = stage();
    let fail = (_: unknown): void => undefined;
    kept.tickerGate = new Promise((_, reject) => {
      fail = reject;
    });
    const failed = desk.place(market());
    const next = desk.place(newOrder());
    fail(new Error('no ticker'));
    expect(await failed).toMatchObject({ kind: 'refused', code: 10040 });
    expect(failures.map(({ where }) => where)).toEqual(['desk.quote']);
    expect(await next).toMatchObject({ kind: 'done' });
    expect(sent).toEqual(['enter mine']);
  });
});

describe('labels of child orders', () => {
  it('a manual order cannot use a label reserved for child orders, not even an invalid one', async () => {
    const { desk, sent } = stage();
    for (const label of [CHILD, 'tw1-test-anything']) {
      expect(await desk.place(newOrder({ label }))).toMatchObject({
        code: -32602,
        details: {
          param: 'label',
          reason: expect.stringContaining('does not begin with tw1-test-'),
        },
      });
    }
    expect(await desk.place(newOrder({ label: 'tw1-othr-7xk-0-3-1' }))).toMatchObject({
      kind: 'done',
    });
    expect(sent).toEqual(['enter tw1-othr-7xk-0-3-1']);
  });

  it('child orders cannot be edited manually by label or by id, but they can be cancelled', async () => {
    const { desk, sent, kept } = stage();
    kept.orders.push(anOrderOf({ label: CHILD }));
    const change = { account: ACCOUNT, quantity: quantity('0.1'), price: price('99000') };
    const by = [{ label: CHILD, instrument: SPOT.name }, { orderId: orderId('7') }];
    for (const of of by) expect(await desk.edit({ ...change, of })).toMatchObject({ code: -32602 });
    expect(sent).toEqual([]);
    expect(await desk.cancel({ account: ACCOUNT, of: { orderId: orderId('7') } })).toMatchObject({
      kind: 'done',
    });
  });
});

describe('editing an order', () => {
  const edit = (change: Partial<OrderChange>): OrderChange => ({
    account: ACCOUNT,
    of: { orderId: orderId('7') },
    ...change,
  });
  const byLabel = { label: 'mine', instrument: SPOT.name };

  it('an edit is checked as the order would be afterwards', async () => {
    const { desk, sent, kept } = stage();
    kept.orders.push(anOrderOf({ quantity: quantity('0.4') }));
    const changes = [
      edit({ quantity: quantity('0.5') }),
      edit({ price: price('125000') }),
      edit({ quantity: quantity('0.51') }),
      edit({ price: price('126000') }),
      edit({ of: byLabel, quantity: quantity('0.51'), price: price('100000') }),
      edit({ of: byLabel, quantity: quantity('0.51') }),
    ];
    const replies = [];
    for (const change of changes) replies.push((await desk.edit(change)).kind);
    expect(replies).toEqual(['done', 'done', 'refused', 'refused', 'refused', 'refused']);
    expect(sent).toEqual(['edit 7', 'edit 7']);
  });

  it('an edit that makes an order smaller passes a limit that was lowered meanwhile', async () => {
    const { desk, kept, sent } = stage();
    kept.orders.push(anOrderOf({ quantity: quantity('5') }));
    expect(await desk.edit(edit({ quantity: quantity('4') }))).toMatchObject({ kind: 'done' });
    expect(sent).toEqual(['edit 7']);
  });

  it('an edit of an order that cannot be looked up is not sent and may be retried', async () => {
    const { desk, venue, sent } = stage();
    const lost = { kind: 'unknown', reason: 'no answer in time' } as const;
    Object.assign(venue, { order: () => Promise.resolve(lost) });
    expect(await desk.edit(edit({ quantity: quantity('0.2') }))).toMatchObject({ code: 10040 });
    expect(sent).toEqual([]);
  });

  it("an edit of no order or of an ambiguous label is refused with the venue's code", async () => {
    const { desk, kept } = stage();
    const change = edit({ of: byLabel, quantity: quantity('0.2') });
    expect(await desk.edit(edit({ quantity: quantity('0.2') }))).toMatchObject({ code: 10004 });
    expect(await desk.edit(change)).toMatchObject({ code: 10004 });
    kept.orders.push(anOrderOf({}), anOrderOf({ orderId: orderId('8') }));
    expect(await desk.edit(change)).toMatchObject({ code: 13032 });
  });
});

describe('the desks of accounts', () => {
  it('an account has the desk of its venue, and a dummy account has none', () => {
    const { orders, kept } = stage();
    expect(orders.forAccount(ACCOUNT)).toBe(orders.forAccount(accountId('10002')));
    expect(orders.forAccount(DUMMY)).toBeUndefined();
    expect(orders.venues().map(({ market }) => market)).toEqual([kept.market]);
  });
});
