// What the controls make of orders of combos: worth what their legs are, priced below zero if need be, and without a
// position of their own.
import { describe, expect, it } from 'vitest';
import { AccountExposure } from '../../../../src/core/risk/gate/account-exposure.ts';
import { SnapshotView, withOrder } from '../../../../src/core/risk/gate/account-snapshot.ts';
import type {
  AccountView,
  GateContext,
  GateOrder,
} from '../../../../src/core/risk/gate/gate-order.ts';
import { judgeOrder } from '../../../../src/core/risk/gate/judge-order.ts';
import { positionLimit } from '../../../../src/core/risk/gate/position-limit.ts';
import { checkOrder, orderUsd } from '../../../../src/core/risk/order-check.ts';
import { comboInstrument } from '../../../../src/exchange/combos/combo-terms.ts';
import { money, price, quantity, text } from '../../../../src/values/amounts.ts';
import { must } from '../../../../src/values/assert.ts';
import { instrumentName } from '../../../../src/values/ids.ts';
import type { Instrument } from '../../../../src/values/instrument.ts';
import { gateContext, gateOrder, WIDE_LIMITS } from '../../../support/engine/gate-orders.ts';
import { NOON, option, perpetual, quote } from '../../../support/engine/markets.ts';

const high = option({ name: instrumentName('BTC-27MAR26-110000-C') });
const future = perpetual({ name: instrumentName('BTC-27MAR26'), kind: 'future' });
const callSpread = comboInstrument('BTC-CS-27MAR26-100000_110000', [
  { of: option(), ratio: 1 },
  { of: high, ratio: -1 },
]);
const ratioSpread = comboInstrument('BTC-CSR12-27MAR26-100000_110000', [
  { of: option(), ratio: 1 },
  { of: high, ratio: -2 },
]);
const straddle = comboInstrument('BTC-CC-27MAR26-1', [
  { of: option(), ratio: 1 },
  { of: high, ratio: 1 },
]);
const futureSpread = comboInstrument('BTC-FS-27MAR26_PERP', [
  { of: future, ratio: 1 },
  { of: perpetual(), ratio: -1 },
]);
const coin = { index: price('100000'), underlying: price('100000') };

describe('the value of an order of a combo', () => {
  it.each([
    ['2', '400000', callSpread],
    ['2', '600000', ratioSpread],
    ['500', '1000', futureSpread],
  ])('an order of %s is worth %s USD by its legs, whatever its price', (size, usd, instrument) => {
    for (const at of ['-0.5', '0', '0.5']) {
      const order = { instrument, quantity: quantity(size), price: price(at) };
      const worth = orderUsd(order, quote(instrument, [0.01, 0.02], coin));
      expect(text(must(worth, 'a value'))).toBe(usd);
    }
  });

  it('an order of a combo is limited like any order', () => {
    const order = { instrument: callSpread, quantity: quantity('2'), price: price('-0.001') };
    const seen = quote(callSpread, [0.01, 0.02], coin);
    expect(checkOrder(order, seen, { orderUsdMax: money('400000') })).toEqual({ kind: 'passed' });
    expect(checkOrder(order, seen, { orderUsdMax: money('399999') })).toMatchObject({
      control: 'order_value',
    });
  });
});

describe('the price of an order of a combo', () => {
  it('a price may be zero or below if a leg is sold, and only then', () => {
    const verdict = (instrument: typeof callSpread, at: string): string =>
      checkOrder({ instrument, quantity: quantity('1'), price: price(at) }, undefined, {}).kind;
    expect(['-0.001', '0', '0.001'].map((at) => verdict(callSpread, at))).toEqual(
      Array(3).fill('passed'),
    );
    expect(['-0.001', '0', '0.001'].map((at) => verdict(straddle, at))).toEqual([
      'blocked',
      'blocked',
      'passed',
    ]);
    expect(verdict(callSpread, '0.00005')).toBe('blocked');
    // Each of the two bought legs costs at least one tick.
    expect(['0.0001', '0.0002'].map((at) => verdict(straddle, at))).toEqual(['blocked', 'passed']);
  });

  const collar = {
    ...must(WIDE_LIMITS.collar, 'a collar'),
    bps: 100,
    optionShare: 1,
    optionTicks: 10,
  };
  const controlOf = (order: Partial<GateOrder>, context: Partial<GateContext>): string =>
    judgeOrder(gateOrder(order), gateContext({ collar }, context))?.control ?? 'passes';

  it.each([
    ['0.0010', 'passes'],
    ['0.0011', 'price_collar'],
  ])('a price may be twenty ticks beyond a mark of −0.001 of two options: %s', (at, expected) => {
    const seen = quote(callSpread, [undefined, undefined], { mark: price('-0.001'), ...coin });
    const order = { instrument: callSpread, price: price(at) };
    expect(controlOf(order, { quote: seen })).toBe(expected);
  });

  it.each([
    ['1500', 'passes'],
    ['1500.5', 'price_collar'],
  ])(
    'a price may be as far beyond a mark of −500 of two futures as both together: %s',
    (at, expected) => {
      const seen = quote(futureSpread, [-501, -499], { mark: price('-500'), ...coin });
      const order = { instrument: futureSpread, price: price(at) };
      expect(controlOf(order, { quote: seen })).toBe(expected);
    },
  );
});

describe('the trade of a combo', () => {
  it('a trade fills its order, and moves the account only by its legs', () => {
    const exposure = new AccountExposure();
    const order = gateOrder({ key: 'a', instrument: callSpread, quantity: quantity('2') });
    exposure.reserve(order, NOON);
    const trade = {
      key: 'a',
      label: '',
      side: 'buy',
      at: NOON,
      indexPrice: price('100000'),
    } as const;
    const of = { ...trade, price: price('0.01'), quantity: quantity('2') };
    exposure.traded({ ...of, tradeId: '1', instrument: callSpread });
    exposure.traded({ ...of, tradeId: '2', key: 'a-L1', instrument: option() });
    exposure.traded({ ...of, tradeId: '3', key: 'a-L2', side: 'sell', instrument: high });
    expect(text(exposure.working(callSpread.name, 'buy', ''))).toBe('0');
    expect(text(exposure.position(callSpread.name))).toBe('0');
    expect(text(exposure.position(option().name))).toBe('2');
    expect(text(exposure.position(high.name))).toBe('-2');
    expect(text(exposure.grossUsd(''))).toBe('400000');
  });
});

describe('the position that an order of a combo leads to', () => {
  const limits = { positionMax: new Map([['*', quantity('5')]]) };
  const why = (order: Partial<GateOrder>, account: AccountView): string | undefined =>
    positionLimit(gateOrder(order), gateContext(limits, { account }))?.why;
  const views = (exposure: AccountExposure, instrument: Instrument): readonly AccountView[] => {
    const scope = { instruments: new Map([[instrument.name, instrument]]), orders: new Map() };
    return [exposure, new SnapshotView(exposure.snapshot(scope), NOON)];
  };

  it('a position is limited in each leg, on the side that the combo trades there', () => {
    const exposure = new AccountExposure();
    for (const account of views(exposure, ratioSpread)) {
      const of = (side: 'buy' | 'sell', size: string) =>
        why({ instrument: ratioSpread, side, quantity: quantity(size) }, account);
      expect(of('buy', '2.5')).toBeUndefined();
      expect(of('buy', '2.6')).toContain(`5.2 short of ${high.name} with all orders filled`);
      expect(of('sell', '2.6')).toContain(`5.2 long of ${high.name}`);
    }
  });

  it('a position counts the working orders of combos and of their legs together', () => {
    const exposure = new AccountExposure();
    const spread = { key: 'a', instrument: callSpread, quantity: quantity('2') };
    const cancelled = exposure.reserve(gateOrder(spread), NOON);
    exposure.reserve(gateOrder({ key: 'b', instrument: option(), quantity: quantity('1') }), NOON);
    for (const account of views(exposure, callSpread)) {
      expect(text(account.working(option().name, 'buy', ''))).toBe('3');
      expect(text(account.working(option().name, 'sell', ''))).toBe('0');
      expect(text(account.working(high.name, 'sell', ''))).toBe('2');
      const of = (key: string, size: string) =>
        why({ key, instrument: callSpread, quantity: quantity(size) }, account);
      expect(of('c', '2')).toBeUndefined();
      expect(of('c', '2.1')).toContain(`5.1 long of ${option().name}`);
    }
    // An edit replaces its own order.
    expect(text(exposure.working(option().name, 'buy', 'a'))).toBe('1');
    expect(why({ ...spread, quantity: quantity('4') }, exposure)).toBeUndefined();
    cancelled();
    expect(text(exposure.working(high.name, 'sell', ''))).toBe('0');
    expect([...exposure.ordersOn(high.name, 'sell')]).toEqual([]);
  });

  it('a position counts the combos that a turn has just cleared', () => {
    const scope = { instruments: new Map([[callSpread.name, callSpread]]), orders: new Map() };
    const spread = gateOrder({ key: 'a', instrument: callSpread, quantity: quantity('2') });
    const snapshot = withOrder(new AccountExposure().snapshot(scope), spread);
    const view = new SnapshotView(snapshot, NOON);
    expect(text(view.working(high.name, 'sell', ''))).toBe('2');
    expect(text(view.working(high.name, 'sell', 'a'))).toBe('0');
    const more = { key: 'b', instrument: callSpread, quantity: quantity('3.1') };
    expect(why(more, view)).toContain('5.1 long');
  });
});
