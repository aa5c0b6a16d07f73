// The lines of all legs together, computed from courses and reports.
import { describe, expect, test } from 'vitest';
import type { LegCourse } from '../../src/page/model/portfolio/course-data.ts';
import {
  deltaLine,
  type PackageLeg,
  profitLine,
  profitUnit,
} from '../../src/page/model/portfolio/package-course.ts';

const TIMES = { start: 0, now: 4_000 };
const NO_INDEX = (): undefined => undefined;

const row = (at: number, mid: number | null): LegCourse['market'][number] =>
  mid === null ? { at, bid: null, ask: '1' } : { at, bid: String(mid - 1), ask: String(mid + 1) };

function leg(change: Partial<LegCourse>, record: Partial<PackageLeg['record']> = {}): PackageLeg {
  return {
    course: {
      leg: 0,
      instrument: 'BTC-PERPETUAL',
      side: 'buy',
      hedge: false,
      quantity: '1000',
      filled: '0',
      plan: [],
      fills: [],
      children: [],
      market: [],
      ...change,
    },
    record: {
      instrumentType: 'PERPETUAL',
      quantityIn: 'USD',
      defaultPvCcy: 'BTC',
      ...record,
    },
  };
}

const fill = (at: number, filled: string, price: string): LegCourse['fills'][number] => ({
  at,
  filled,
  price,
  quantity: '1',
  liquidity: 'taker',
});

/** Instant and value of each point. */
const points = ({ at, value }: { readonly at: number[]; readonly value: (number | null)[] }) =>
  at.map((instant, index) => [instant, value[index]]);

describe('the profit line', () => {
  test('profit of a linear leg is size times the move, with the sign of its side', () => {
    const linear = { quantityIn: 'BTC', defaultPvCcy: 'USDC' };
    const market = [row(0, 100), row(2_000, 110)];
    const fills = [fill(1_000, '2', '101'), fill(2_000, '3', '108')];
    // 2 bought at 101 are worth 2 × 100 at once; then 3 × 110 against 2 × 101 + 1 × 108.
    const bought = [
      [0, 0],
      [1_000, -2],
      [2_000, 20],
      [4_000, 20],
    ];
    expect(
      points(
        profitLine([leg({ market, fills }, linear)], TIMES, { unit: 'USDC', indexOf: NO_INDEX }),
      ),
    ).toEqual(bought);
    expect(
      points(
        profitLine([leg({ market, fills, side: 'sell' }, linear)], TIMES, {
          unit: 'USDC',
          indexOf: NO_INDEX,
        }),
      ),
    ).toEqual(bought.map(([at, value]) => [at, 0 - (value ?? 0)]));
  });

  test('profit of contracts sized in dollars is in coin, by the reciprocal of the price', () => {
    const fills = [fill(1_000, '1000', '100')];
    const market = [row(0, 100), row(2_000, 125)];
    // 1000 / 100 − 1000 / 125 = 10 − 8 coins.
    expect(
      points(profitLine([leg({ market, fills })], TIMES, { unit: 'BTC', indexOf: NO_INDEX })),
    ).toEqual([
      [0, 0],
      [1_000, 0],
      [2_000, 2],
      [4_000, 2],
    ]);
  });

  test('profit is not known while a leg with fills has no mid, and zero before its first fill', () => {
    const market = [row(0, null), row(2_000, 100), row(3_000, null)];
    const fills = [fill(1_000, '1000', '100')];
    expect(
      points(profitLine([leg({ market, fills })], TIMES, { unit: 'BTC', indexOf: NO_INDEX })),
    ).toEqual([
      [0, 0],
      [1_000, null],
      [2_000, 0],
      [3_000, null],
      [4_000, null],
    ]);
  });

  test('profit of legs that settle in coin and in dollars is in dollars at the index, and not known without one', () => {
    const coin = leg({ market: [row(0, 125)], fills: [fill(0, '1000', '100')] });
    const linear = leg(
      { market: [row(0, 90)], fills: [fill(0, '1', '100')] },
      { quantityIn: 'BTC', defaultPvCcy: 'USDC' },
    );
    const both = [coin, linear];
    expect(profitUnit(both)).toBe('USD');
    const now = { start: 0, now: 0 };
    // 2 coins at 120 dollars, less 10 dollars.
    expect(profitLine(both, now, { unit: 'USD', indexOf: () => 120 }).value).toEqual([230]);
    expect(profitLine(both, now, { unit: 'USD', indexOf: NO_INDEX }).value).toEqual([null]);
  });

  test('profit has the unit of the legs if they settle alike, and none if one is a combo', () => {
    expect(profitUnit([leg({}), leg({})])).toBe('BTC');
    expect(profitUnit([leg({}, { instrumentType: 'FUTURE_COMBO' })])).toBeUndefined();
  });
});

describe('the delta line', () => {
  const delta = (coins: readonly (readonly [number, number])[]) => ({
    greatest: 0,
    mean: 0,
    final: 0,
    points: coins.map(([at, value]) => ({ at: new Date(at).toISOString(), coins: value })),
  });

  test('delta is zero until the first fill, and its last value holds until now', () => {
    expect(
      points(
        deltaLine(
          delta([
            [1_000, 0.5],
            [2_000, -0.25],
          ]),
          TIMES,
        ),
      ),
    ).toEqual([
      [0, 0],
      [1_000, 0.5],
      [2_000, -0.25],
      [4_000, -0.25],
    ]);
  });

  test('delta is zero without a fill', () => {
    expect(points(deltaLine(null, TIMES))).toEqual([
      [0, 0],
      [4_000, 0],
    ]);
  });
});
