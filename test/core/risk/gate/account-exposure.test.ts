import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AccountExposure } from '../../../../src/core/risk/gate/account-exposure.ts';
import { judgeOrder } from '../../../../src/core/risk/gate/judge-order.ts';
import type {
  AccountReading,
  SeenOrder,
  SeenTrade,
} from '../../../../src/core/risk/gate/seen-at-venue.ts';
import { money, price, quantity, quantityOf, text } from '../../../../src/values/amounts.ts';
import { DAY_MS, later } from '../../../../src/values/instant.ts';
import type { Side } from '../../../../src/values/instrument.ts';
import { gateContext, gateOrder } from '../../../support/engine/gate-orders.ts';
import { NOON, option, perpetual, spot } from '../../../support/engine/markets.ts';

const PERP = perpetual();
const NAME = PERP.name;

const seenOrder = (change: Partial<SeenOrder> = {}): SeenOrder => ({
  key: 'a',
  instrument: PERP,
  side: 'buy',
  quantity: quantity('100'),
  filled: quantity('0'),
  price: price('100000'),
  usd: money('100'),
  at: NOON,
  isOpen: true,
  isInBook: true,
  reduceOnly: false,
  ...change,
});

const seenTrade = (change: Partial<SeenTrade> = {}): SeenTrade => ({
  tradeId: 't1',
  key: 'a',
  label: '',
  instrument: PERP,
  side: 'buy',
  price: price('100000'),
  quantity: quantity('40'),
  at: NOON,
  ...change,
});

const read = (exposure: AccountExposure, position = '0') =>
  exposure.restated({
    isWhole: true,
    at: NOON,
    since: exposure.reports,
    orders: [],
    positions: [{ instrument: NAME, quantity: quantity(position) }],
    trades: [],
  });

const shown = (exposure: AccountExposure) => ({
  position: text(exposure.position(NAME)),
  buys: text(exposure.working(NAME, 'buy', '')),
  sells: text(exposure.working(NAME, 'sell', '')),
  gross: text(exposure.grossUsd('')),
});

describe('AccountExposure', () => {
  it('an order counts from the moment it is cleared until it is refused', () => {
    const exposure = new AccountExposure();
    const refused = exposure.reserve(gateOrder({ key: 'a' }), NOON);
    expect(shown(exposure)).toEqual({ position: '0', buys: '100', sells: '0', gross: '100' });
    refused();
    expect(shown(exposure)).toEqual({ position: '0', buys: '0', sells: '0', gross: '0' });
  });

  it('the remaining value of an order is counted in cents, rounded up', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder({ quantity: quantity('300') }));
    exposure.traded(seenTrade({ quantity: quantity('200') }));
    expect(shown(exposure)).toMatchObject({ position: '200', buys: '100', gross: '233.34' });
  });

  it('an edit replaces the exposure of its order, and a refused edit restores it', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder());
    const larger = gateOrder({ key: 'a', quantity: quantity('300'), usd: money('300') });
    expect(text(exposure.working(NAME, 'buy', 'a'))).toBe('0');
    const refused = exposure.reserve(larger, NOON);
    expect(shown(exposure)).toMatchObject({ buys: '300', gross: '300' });
    refused();
    expect(shown(exposure)).toMatchObject({ buys: '100', gross: '100' });
  });

  it('an edit changes the price that its order is met at, and a refused one restores it', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder());
    const editTo = (at: string) =>
      exposure.reserve(gateOrder({ key: 'a', price: price(at) }), later(NOON, Number(at)));
    const prices = () => [...exposure.ordersOn(NAME, 'buy')].map((own) => own.price?.toString());
    const refused = editTo('100010');
    expect(prices()).toEqual(['100010']);
    refused();
    expect(prices()).toEqual(['100000']);
    const done = editTo('100020');
    exposure.heard(seenOrder({ price: price('100020'), at: later(NOON, 1) }));
    done();
    expect(prices()).toEqual(['100020']);
  });

  it('an order that is reported closed before its request is answered counts no longer', () => {
    const exposure = new AccountExposure();
    const answered = exposure.reserve(gateOrder({ key: 'a' }), NOON);
    exposure.heard(seenOrder({ isOpen: false }));
    expect(shown(exposure)).toEqual({ position: '0', buys: '0', sells: '0', gross: '0' });
    answered();
    expect(shown(exposure)).toEqual({ position: '0', buys: '0', sells: '0', gross: '0' });
  });

  it('an edit that is not answered counts although an earlier edit is reported later', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder());
    const edit = (size: string) =>
      exposure.reserve(gateOrder({ key: 'a', quantity: quantity(size), usd: money(size) }), NOON);
    edit('1');
    const answered = edit('300');
    exposure.heard(seenOrder());
    exposure.heard(seenOrder({ quantity: quantity('1'), usd: money('1'), at: later(NOON, 1) }));
    expect(shown(exposure)).toMatchObject({ buys: '300', gross: '300' });
    answered();
    exposure.heard(seenOrder({ quantity: quantity('300'), usd: money('300'), at: later(NOON, 2) }));
    expect(shown(exposure)).toMatchObject({ buys: '300', gross: '300' });
    exposure.heard(seenOrder({ quantity: quantity('70'), usd: money('70'), at: later(NOON, 3) }));
    expect(shown(exposure)).toMatchObject({ buys: '70', gross: '70' });
  });

  it('a fill moves from working to position, whether the order or the trade is reported first', () => {
    const notices = [
      (exposure: AccountExposure) => exposure.heard(seenOrder({ filled: quantity('40') })),
      (exposure: AccountExposure) => exposure.traded(seenTrade()),
    ];
    for (const order of [notices, notices.toReversed()]) {
      const exposure = new AccountExposure();
      exposure.heard(seenOrder());
      for (const say of order) say(exposure);
      expect(shown(exposure)).toEqual({ position: '40', buys: '60', sells: '0', gross: '100' });
    }
  });

  it('the fills of a closed order count until its trades are reported, each once', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder());
    exposure.heard(seenOrder({ filled: quantity('40'), isOpen: false }));
    expect(shown(exposure)).toEqual({ position: '0', buys: '40', sells: '0', gross: '40' });
    // It is in no book any more: nothing of ours can meet it.
    expect([...exposure.ordersOn(NAME, 'buy')].map(({ isInBook }) => isInBook)).toEqual([false]);
    expect(exposure.traded(seenTrade())).toBe(true);
    expect(exposure.traded(seenTrade())).toBe(false);
    expect(shown(exposure)).toEqual({ position: '40', buys: '0', sells: '0', gross: '40' });
  });

  it('a trade that is reported before its order counts for it', () => {
    const exposure = new AccountExposure();
    const accepted = exposure.reserve(gateOrder({ key: 'hand' }), NOON);
    exposure.traded(seenTrade({ quantity: quantity('100') }));
    expect(shown(exposure)).toMatchObject({ position: '100', buys: '100' });
    accepted();
    exposure.heard(seenOrder({ filled: quantity('100'), isOpen: false }));
    expect(shown(exposure)).toEqual({ position: '100', buys: '0', sells: '0', gross: '100' });
  });

  it('of two reports of the same instant the one received last applies, an older one is ignored', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder());
    exposure.heard(seenOrder({ quantity: quantity('300'), usd: money('300') }));
    expect(shown(exposure)).toMatchObject({ buys: '300', gross: '300' });
    exposure.heard(seenOrder({ at: later(NOON, -1) }));
    expect(shown(exposure)).toMatchObject({ buys: '300', gross: '300' });
  });

  it('a late report does not reopen a closed order', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder({ isOpen: false }));
    exposure.heard(seenOrder());
    expect(shown(exposure)).toMatchObject({ buys: '0' });
    exposure.settled('b');
    exposure.heard(seenOrder({ key: 'b' }));
    expect(shown(exposure)).toMatchObject({ buys: '0' });
    // A list that was requested before the end still has both.
    exposure.restated({
      isWhole: true,
      at: NOON,
      since: exposure.reports,
      orders: [seenOrder(), seenOrder({ key: 'b' })],
      positions: [],
      trades: [],
    });
    expect(shown(exposure)).toMatchObject({ buys: '0', gross: '0' });
  });

  it('traded value and spot restart at midnight, positions do not', () => {
    const exposure = new AccountExposure();
    read(exposure, '70');
    const coin = spot();
    exposure.traded(seenTrade({ tradeId: 's', instrument: coin, quantity: quantity('0.5') }));
    exposure.traded(seenTrade());
    expect(text(exposure.position(coin.name))).toBe('0.5');
    expect(shown(exposure)).toMatchObject({ position: '110', gross: '50040' });
    exposure.roll(later(NOON, DAY_MS / 2));
    expect(text(exposure.position(coin.name))).toBe('0');
    expect(shown(exposure)).toMatchObject({ position: '110', gross: '0' });
  });

  it('a trade of yesterday that is reported after midnight moves the position alone', () => {
    const coin = spot();
    const late = [
      seenTrade({ tradeId: 's', instrument: coin, quantity: quantity('0.5'), at: later(NOON, -1) }),
      seenTrade({ side: 'sell', at: later(NOON, -1) }),
    ];
    const exposure = new AccountExposure();
    read(exposure, '70');
    const morning = later(NOON, DAY_MS / 2);
    exposure.roll(morning);
    for (const trade of late) exposure.traded(trade);
    expect(text(exposure.position(coin.name))).toBe('0');
    expect(shown(exposure)).toMatchObject({ position: '30', gross: '0' });
    const again = { at: morning, since: exposure.reports, orders: [], isWhole: true };
    const positions = [{ instrument: NAME, quantity: quantity('30') }];
    exposure.restated({ ...again, positions, trades: late });
    expect(text(exposure.position(coin.name))).toBe('0');
    expect(shown(exposure)).toMatchObject({ position: '30', gross: '0' });
  });

  it('a reading of the whole day discards the trades that it does not show', () => {
    const coin = spot();
    const exposure = new AccountExposure();
    exposure.traded(seenTrade());
    exposure.traded(seenTrade({ tradeId: 's', instrument: coin, quantity: quantity('0.5') }));
    read(exposure);
    expect(text(exposure.position(coin.name))).toBe('0');
    expect(shown(exposure)).toEqual({ position: '0', buys: '0', sells: '0', gross: '0' });
    expect(exposure.traded(seenTrade())).toBe(true);
    expect(shown(exposure)).toMatchObject({ position: '40', gross: '40' });
  });

  it('a reading of only the latest trades discards nothing of the day and counts no trade twice', () => {
    const exposure = new AccountExposure();
    exposure.traded(seenTrade({ tradeId: 'morning' }));
    const before = shown(exposure);
    const latest = [seenTrade({ tradeId: 'morning' }), seenTrade({ tradeId: 'missed' })];
    const positions = [{ instrument: NAME, quantity: quantity('80') }];
    const at = { at: NOON, since: exposure.reports };
    const reading = { ...at, orders: [], positions, trades: latest, isWhole: false };
    expect(exposure.restated(reading).map(({ tradeId }) => tradeId)).toEqual(['missed']);
    expect(shown(exposure)).toMatchObject({ position: '80' });
    expect(Number(shown(exposure).gross)).toBe(2 * Number(before.gross));
  });

  it('a fresh reading keeps requests in flight and drops lost orders', () => {
    const exposure = new AccountExposure();
    exposure.reserve(gateOrder({ key: 'old' }), later(NOON, -60_001));
    exposure.reserve(gateOrder({ key: 'young' }), later(NOON, -60_000));
    exposure.heard(seenOrder({ key: 'gone' }));
    const fresh = exposure.restated({
      isWhole: true,
      at: NOON,
      since: exposure.reports,
      orders: [seenOrder({ key: 'there', filled: quantity('30') })],
      positions: [],
      trades: [seenTrade()],
    });
    expect(fresh.map(({ tradeId }) => tradeId)).toEqual(['t1']);
    expect(shown(exposure)).toEqual({ position: '0', buys: '170', sells: '0', gross: '210' });
  });

  it('an order that was reported while the account was read is kept', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder({ key: 'gone' }));
    const { reports: since } = exposure;
    exposure.heard(seenOrder({ key: 'new', quantity: quantity('70'), usd: money('70') }));
    const shows = { orders: [], positions: [], trades: [], isWhole: false };
    exposure.restated({ ...shows, at: NOON, since });
    expect(shown(exposure)).toMatchObject({ buys: '70', gross: '70' });
    exposure.restated({ ...shows, at: NOON, since: exposure.reports });
    expect(shown(exposure)).toMatchObject({ buys: '0', gross: '0' });
  });

  it('an order that changed while the account was read stays as it was reported', () => {
    const exposure = new AccountExposure();
    exposure.heard(seenOrder());
    const { reports: since } = exposure;
    exposure.heard(seenOrder({ quantity: quantity('300'), usd: money('300'), at: later(NOON, 1) }));
    exposure.restated({
      at: NOON,
      since,
      isWhole: false,
      orders: [seenOrder()],
      positions: [],
      trades: [],
    });
    expect(shown(exposure)).toMatchObject({ buys: '300', gross: '300' });
  });

  it.each([
    { what: 'shown by the reading', known: [], trades: [seenTrade()], gross: '100' },
    { what: 'known before', known: [seenTrade()], trades: [seenTrade()], gross: '100' },
    { what: 'of yesterday', known: [seenTrade()], trades: [], gross: '60' },
  ])('the trades of a kept order count once: $what', ({ known, trades, gross }) => {
    const exposure = new AccountExposure();
    const { reports: since } = exposure;
    exposure.heard(seenOrder());
    for (const trade of known) exposure.traded(trade);
    const positions = [{ instrument: NAME, quantity: quantity('40') }];
    exposure.restated({ at: NOON, since, isWhole: true, orders: [], positions, trades });
    expect(shown(exposure)).toEqual({ position: '40', buys: '60', sells: '0', gross });
    for (const trade of trades) expect(exposure.traded(trade)).toBe(false);
  });

  it('an option is valued by its coin', () => {
    const exposure = new AccountExposure();
    const instrument = option();
    exposure.traded(seenTrade({ instrument, quantity: quantity('2'), indexPrice: price('90000') }));
    exposure.traded(seenTrade({ tradeId: 't2', instrument, quantity: quantity('1') }));
    expect(text(exposure.grossUsd(''))).toBe('280000');
  });

  it('a twin order is found while the first may be open', () => {
    const exposure = new AccountExposure();
    const child = (slice: number) => ({ portfolio: '7', leg: 0, slice });
    const first = gateOrder({ key: 'one', child: child(3) });
    const second = gateOrder({ key: 'two', child: child(4) });
    const before = later(NOON, -250);
    exposure.reserve(first, NOON);
    expect(exposure.twin(second, before)).toBe(3);
    expect(exposure.twin(second, NOON)).toBeUndefined();
    expect(exposure.twin({ ...second, price: price('99999') }, before)).toBeUndefined();
    expect(exposure.twin({ ...second, side: 'sell' }, before)).toBeUndefined();
    expect(
      exposure.twin({ ...second, child: { ...child(4), portfolio: '8' } }, before),
    ).toBeUndefined();
    exposure.settled('one');
    expect(exposure.twin(second, before)).toBeUndefined();
  });
});

interface ReferenceOrder {
  readonly side: Side;
  quantity: number;
  filled: number;
  /** The number of its latest change. */
  change: number;
}

/** A reference exchange that executes every request and delivers its reports at any later time. */
class ReferenceExchange {
  position = 0;
  readonly open = new Map<string, ReferenceOrder>();
  readonly traded: SeenTrade[] = [];
  readonly unsaid: (() => void)[] = [];
  trades = 0;
  changes = 0;
  /** Trades reported so far. */
  told = 0;
  readonly exposure: AccountExposure;

  constructor(exposure: AccountExposure) {
    this.exposure = exposure;
  }

  worst(side: Side): number {
    const held = side === 'buy' ? this.position : -this.position;
    return [...this.open.values()]
      .filter((order) => order.side === side)
      .reduce((sum, order) => sum + order.quantity - order.filled, held);
  }

  say(key: string, isOpen: boolean): SeenOrder | undefined {
    const order = this.open.get(key);
    if (order === undefined) return undefined;
    this.changes += 1;
    order.change = this.changes;
    const said = orderAs(key, order, isOpen);
    this.unsaid.push(() => this.exposure.heard(said));
    return said;
  }

  /** Executes a request: its answer is on its way too, or lost. */
  execute(key: string, answered: () => void, isLost: boolean): void {
    const said = this.say(key, true);
    if (said === undefined || isLost) return;
    this.unsaid.push(() => {
      answered();
      this.exposure.heard(said);
    });
  }

  /** What it answers at this moment; `index` is the instant at which it is asked. */
  reading(index: number): AccountReading {
    return {
      at: later(NOON, index),
      since: this.exposure.reports,
      isWhole: false,
      orders: [...this.open].map(([key, order]) => orderAs(key, order, true)),
      positions: [{ instrument: NAME, quantity: quantity(String(this.position)) }],
      trades: [...this.traded],
    };
  }

  fill(key: string, size: number): void {
    const order = this.open.get(key);
    if (order === undefined) return;
    const part = Math.min(size, order.quantity - order.filled);
    if (part === 0) return;
    order.filled += part;
    this.position += order.side === 'buy' ? part : -part;
    this.trades += 1;
    const { side } = order;
    const trade = seenTrade({ tradeId: `t${this.trades}`, key, side, quantity: quantityOf(part) });
    this.traded.push(trade);
    this.unsaid.push(() => {
      this.told += 1;
      this.exposure.traded(trade);
    });
    const isDone = order.filled === order.quantity;
    this.say(key, !isDone);
    if (isDone) this.open.delete(key);
  }

  cancel(key: string): void {
    this.say(key, false);
    this.open.delete(key);
  }
}

const orderAs = (key: string, order: ReferenceOrder, isOpen: boolean): SeenOrder =>
  seenOrder({
    key,
    side: order.side,
    isOpen,
    at: later(NOON, order.change),
    quantity: quantityOf(order.quantity),
    filled: quantityOf(order.filled),
  });

describe('PT-8 with orders, edits, fills and cancels reported in any order', () => {
  const LIMIT = 100;
  const positionMax = new Map([['*', quantity(String(LIMIT))]]);
  const act = fc.oneof(
    fc.record({
      kind: fc.constant('place' as const),
      side: fc.constantFrom<Side>('buy', 'sell'),
      size: fc.integer({ min: 1, max: 120 }),
      isRefused: fc.boolean(),
      isLost: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('edit' as const),
      of: fc.nat(),
      size: fc.integer({ min: 1, max: 150 }),
      isRefused: fc.boolean(),
      isLost: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('fill' as const),
      of: fc.nat(),
      size: fc.integer({ min: 1, max: 80 }),
    }),
    fc.record({ kind: fc.constant('cancel' as const), of: fc.nat() }),
    fc.record({ kind: fc.constant('say' as const), which: fc.nat(), isTwice: fc.boolean() }),
    fc.record({ kind: fc.constant('ask' as const) }),
    fc.record({ kind: fc.constant('answer' as const) }),
  );

  it('position and working orders together never exceed the limit, whenever the account is read', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60, size: 'max' }), (acts) => {
        const exposure = new AccountExposure();
        read(exposure);
        const truth = new ReferenceExchange(exposure);
        let asked: { readonly reading: AccountReading; readonly told: number } | undefined;
        const context = gateContext({ positionMax }, { account: exposure });
        const pick = (of: number): string | undefined =>
          [...truth.open.keys()][of % Math.max(1, truth.open.size)];
        acts.forEach((one, index) => {
          if (one.kind === 'say') {
            const [word] = truth.unsaid.splice(one.which % Math.max(1, truth.unsaid.length), 1);
            word?.();
            if (one.isTwice) word?.();
            return;
          }
          if (one.kind === 'ask') {
            asked = { reading: truth.reading(index), told: truth.told };
            return;
          }
          if (one.kind === 'answer') {
            // A reading that a trade has overtaken is not used.
            if (asked?.told === truth.told) exposure.restated(asked.reading);
            asked = undefined;
            return;
          }
          if (one.kind === 'place') {
            const { side } = one;
            const order = gateOrder({ key: `k${index}`, side, quantity: quantityOf(one.size) });
            if (judgeOrder(order, context) !== undefined) return;
            const answered = exposure.reserve(order, later(NOON, index));
            if (one.isRefused) truth.unsaid.push(answered);
            else {
              truth.open.set(order.key, { side, quantity: one.size, filled: 0, change: 0 });
              truth.execute(order.key, answered, one.isLost);
            }
          } else {
            const key = pick(one.of);
            const known = key === undefined ? undefined : truth.open.get(key);
            if (key === undefined || known === undefined) return;
            if (one.kind === 'fill') truth.fill(key, one.size);
            else if (one.kind === 'cancel') truth.cancel(key);
            else {
              const order = gateOrder({ key, side: known.side, quantity: quantityOf(one.size) });
              if (one.size <= known.filled || judgeOrder(order, context) !== undefined) return;
              const answered = exposure.reserve(order, later(NOON, index));
              if (one.isRefused) truth.unsaid.push(answered);
              else {
                known.quantity = one.size;
                truth.execute(key, answered, one.isLost);
              }
            }
          }
          expect(truth.worst('buy')).toBeLessThanOrEqual(LIMIT);
          expect(truth.worst('sell')).toBeLessThanOrEqual(LIMIT);
        });
      }),
      { numRuns: 2_000 },
    );
  });
});
