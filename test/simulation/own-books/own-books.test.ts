// The referee's own arithmetic against values calculated manually, and against an independent
// formula.
import { describe, expect, test } from 'vitest';
import { exposureOf } from '../../../src/core/mmp/mmp-exposure.ts';
import { price, quantity, toNumber } from '../../../src/values/amounts.ts';
import { utcInstant } from '../../../src/values/instant.ts';
import { liveGreeks, livePrice } from '../../support/live-option.ts';
import type { ShownTouch } from '../world/shown-touch.ts';
import { INSTRUMENTS } from '../world/simulated-market.ts';
import { courseOf } from './course.ts';
import { admits, type GuardTerms } from './guards.ts';
import { optionUsd, volatilityAt } from './option-value.ts';
import { dividedLots, largestOrders } from './order-cap.ts';
import { dueMinutes } from './own-cron.ts';
import { ownExposure, ownGreeks } from './own-greeks.ts';
import { clockSlice, hedgeLots, orderablePart } from './sizes.ts';
import { optionCase } from './unit-price.ts';

const PLAIN = { startAt: 0, frequencyMs: 1_000, phase: 0, aim: undefined } as const;

describe('the own account of the simulation referee', () => {
  test('plans ten lots over four seconds as 3, 2, 3 and 2', () => {
    const terms = { ...PLAIN, durationMs: 4_000, randomSize: 0, randomTime: 0, lots: 10, least: 1 };
    const course = courseOf(terms);
    const targets = [-1, 0, 1, 2, 3].map((slice) => course.target(slice).low);
    expect([course.slices, targets]).toEqual([4, [0, 3, 5, 8, 10]]);
  });

  test('the own account catches up by a share of the shortfall, within the cap', () => {
    const of = { total: 40, least: 1, planned: 10, left: 3, maxCatchUp: 3, isFront: false };
    expect(clockSlice({ ...of, committed: 10, before: 10 })).toBe(10);
    expect(clockSlice({ ...of, committed: 0, before: 10 })).toBe(14);
    expect(clockSlice({ ...of, committed: 0, before: 10, isFront: true })).toBe(20);
    expect(clockSlice({ ...of, committed: 0, before: 10, maxCatchUp: 1 })).toBe(10);
  });

  test('the own account lets a hedge follow the least filled leg', () => {
    const others = [
      { filled: 5, total: 10 },
      { filled: 3, total: 10 },
    ];
    expect(hedgeLots(7, others)).toBe(2);
  });

  test('orders no part that would leave less than the minimum order', () => {
    expect([orderablePart(4, 5, 2), orderablePart(3, 5, 2), orderablePart(1, 5, 2)]).toEqual([
      3, 3, 0,
    ]);
  });

  test('allows orders of a million USD: 99 lots of an option at a coin of 101,000, and 10 coins of spot', () => {
    const most = { orderUsdMax: 1_000_000, controls: undefined, startAt: 0 };
    const order = { side: 'sell', price: 100_000, lots: 131, at: 0 } as const;
    const lots = (limits = most) =>
      Object.values(INSTRUMENTS).map((instrument) =>
        largestOrders({ ...order, instrument }, limits),
      );
    expect(lots()).toEqual([[100_000], [100_000], [99]]);
    expect(lots({ ...most, orderUsdMax: 99_999 })).toEqual([[9_999], [9_999], [9]]);
  });

  test('allows an order either size while limits change, and past a limit with an override of its size', () => {
    const numbers = { orderUsdMax: 200, quantityMax: { usd: 150, coins: 0.0004 } };
    const later = { atMs: 10_000, numbers: {} };
    const override = { atMs: 0, daemon: 0, side: 'buy', usd: 300, isBySame: false } as const;
    const overrides = [{ ...override, control: 'order_volume' as const }];
    const controls = { numbers, later, overrides, isOfStrategy: false };
    const limits = { orderUsdMax: 250, controls, startAt: 0 };
    const order = { instrument: INSTRUMENTS.perpetual, price: 100_000 };
    const most = (side: 'buy' | 'sell', lots: number, at: number) =>
      largestOrders({ ...order, side, lots, at }, limits);
    expect(most('sell', 30, 5_000)).toEqual([15]);
    expect(most('sell', 30, 9_500)).toEqual([15, 25]);
    expect(most('sell', 30, 15_000)).toEqual([25]);
    expect(most('buy', 30, 5_000)).toEqual([15, 20]);
    expect(most('buy', 31, 5_000)).toEqual([15]);
    const spot = { ...order, instrument: INSTRUMENTS.spot, side: 'buy' as const, lots: 30, at: 0 };
    expect(largestOrders(spot, limits)).toEqual([4]);
  });

  test('divides what is wanted so that the rest can be ordered as well, where it can', () => {
    const divided = (wanted: number) => dividedLots(wanted, 5, 2);
    expect([1, 4, 5, 6, 7, 12].map(divided)).toEqual([0, 4, 5, 4, 5, 5]);
    expect([dividedLots(3, 2, 2), dividedLots(4, 1, 2)]).toEqual([2, 0]);
  });

  test.each([
    [true, 100_000],
    [true, 140_000],
    [false, 100_000],
    [false, 80_000],
  ])('values an option as the engine does (call %s, strike %s)', (isCall, strike) => {
    const of = { isCall, forward: 101_000, strike, years: 0.1 };
    const type = isCall ? 'call' : 'put';
    const usd = optionUsd(of, 0.6);
    expect(usd).toBeCloseTo(livePrice({ ...of, type }, 0.6), 6);
    expect(volatilityAt(of, usd)).toBeCloseTo(0.6, 9);
  });

  test.each([true, false])(
    'the own account has the greeks of an option as the engine has them (call %s)',
    (isCall) => {
      const of = { isCall, forward: 101_000, strike: 100_000, years: 0.1 };
      const meant = liveGreeks({ ...of, type: isCall ? 'call' : 'put' }, 0.4);
      const { delta, vega } = ownGreeks(of, 0.4);
      expect(delta).toBeCloseTo(meant.delta, 6);
      expect(vega).toBeCloseTo(meant.vega, 4);
    },
  );

  /** Marked at 200 000 ticks, two ticks from either side; users may have taken the best level. */
  const TOUCH: ShownTouch = {
    at: utcInstant({ year: 2026, month: 11, day: 20, hour: 12 }),
    bid: 199_998,
    ask: 200_002,
    mark: 200_000,
    unit: 1,
    isDeep: true,
    isDrained: false,
    forward: 0,
    markIv: 0,
  };
  const UNGUARDED: GuardTerms = {
    side: 'buy',
    instrument: INSTRUMENTS.perpetual,
    worst: undefined,
    arrival: undefined,
    spreadMaxBps: undefined,
    spreadMaxVol: undefined,
    bandBps: undefined,
    slippageMaxBps: undefined,
  };

  test.each<
    readonly ['price_band' | 'slippage_cap' | 'worst_price' | 'wide_spread', object, boolean]
  >([
    ['price_band', {}, true],
    ['price_band', { bandBps: 0.16 }, true],
    ['price_band', { bandBps: 0.14 }, false],
    ['price_band', { bandBps: 0.14, side: 'sell' }, false],
    ['slippage_cap', { slippageMaxBps: 0.3, arrival: 199_998 }, true],
    ['slippage_cap', { slippageMaxBps: 0.3, arrival: 199_996 }, false],
    ['slippage_cap', { slippageMaxBps: 0.3, arrival: 200_004, side: 'sell' }, false],
    ['slippage_cap', { slippageMaxBps: 0.18 }, true],
    ['worst_price', { worst: 200_003 }, true],
    ['worst_price', { worst: 200_002 }, false],
    ['wide_spread', { spreadMaxBps: 0.31 }, true],
    ['wide_spread', { spreadMaxBps: 0.29 }, false],
  ])(
    'knows when the guard %s with %o certainly lets an order through: %s',
    (guard, terms, lets) => {
      expect(admits(guard, TOUCH, TOUCH.at, { ...UNGUARDED, ...terms })).toBe(lets);
      expect(admits(guard, { ...TOUCH, isDrained: true }, TOUCH.at, UNGUARDED)).toBe(false);
    },
  );

  test('takes the vega of an option near its intrinsic value at the volatility that was reported', () => {
    const { option } = INSTRUMENTS;
    const at = utcInstant({ year: 2026, month: 11, day: 20, hour: 12 });
    const [mark, forward] = [price('0.01'), price('101000')];
    const exact = volatilityAt(optionCase(option, toNumber(forward), at), 1_010);
    const iv = Math.round(exact * 10_000) / 10_000;
    const amounts = { side: 'buy', quantity: quantity('1'), price: mark, iv, at } as const;
    const told = exposureOf(option, { ...amounts, mark, underlying: forward });
    const trade = { ...amounts, markPrice: mark, underlyingPrice: forward };
    const { vega } = ownExposure(option, trade, { touches: [], hasGreeks: false });
    expect(vega.low).toBe(vega.high);
    expect(vega.low).toBeCloseTo(toNumber(told.vega), 2);
    // At the exact volatility it is another.
    const other = ownGreeks(optionCase(option, toNumber(forward), at), exact);
    expect(Math.abs(other.vega - toNumber(told.vega))).toBeGreaterThan(0.01);
  });

  test.each([
    // Back from 3:00 to 2:00 at 01:00 UTC: a fixed time comes at its first showing, each hour at both.
    ['30 2 * * *', '2026-10-25', ['00:30']],
    ['30 */1 25 10 *', '2026-10-25', ['22:30', '23:30', '00:30', '01:30', '02:30', '03:30']],
    // Forward from 2:00 to 3:00 at 01:00 UTC: a time in the gap comes at once after it, once.
    ['15,45 2 * * SUN', '2026-03-29', ['01:00']],
    ['0 * 29 3 *', '2026-03-29', ['23:00', '00:00', '01:00', '02:00', '03:00']],
    // Of the two fields that name days one is enough; neither the first of the month nor a Monday.
    ['0 3 1 * 1', '2026-03-29', []],
  ])(
    'the own account finds when "%s" is due around midnight UTC of %s in Berlin',
    (cron, date, times) => {
      const midnight = Date.parse(`${date}T00:00Z`);
      const due = dueMinutes(
        { cron, zone: 'Europe/Berlin' },
        midnight - 7_200_000,
        midnight + 12_600_000,
      );
      expect(due.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(times);
    },
  );
});
