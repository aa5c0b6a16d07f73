// Checks the parts of a verdict against manually computed figures.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { courseOutlook } from '../../../src/core/plan/course.ts';
import { expectedFee } from '../../../src/core/plan/fee-estimate.ts';
import { marginNeed } from '../../../src/core/plan/margin-estimate.ts';
import { takenFrom } from '../../../src/core/plan/taking-cost.ts';
import { legPlan } from '../../../src/core/schedule/slice-plan.ts';
import { DEFAULT_EXECUTION } from '../../../src/core/terms/execution.ts';
import {
  isMore,
  price,
  quantity,
  quantityOf,
  ratioOf,
  text,
  toNumber,
} from '../../../src/values/amounts.ts';
import { NOON, option, perpetual, spot } from '../../support/engine/markets.ts';

const level = (at: string, size: string) => ({ price: price(at), quantity: quantity(size) });

describe('taking from a book', () => {
  const asks = [level('100', '5'), level('101', '5'), level('103', '50')];

  test.each([
    ['3', undefined, ['3 @ 100']],
    ['7', undefined, ['5 @ 100', '2 @ 101']],
    ['20', '101', ['5 @ 100', '5 @ 101']],
    ['20', '99', []],
    ['100', undefined, ['5 @ 100', '5 @ 101', '50 @ 103']],
  ])('a quantity of %s with limit %s takes the expected levels', (size, limit, fills) => {
    const asked = { side: 'buy', quantity: quantity(size), levels: asks } as const;
    const taken = takenFrom({ ...asked, ...(limit !== undefined && { limit: price(limit) }) });
    expect(taken.fills.map((fill) => `${text(fill.quantity)} @ ${text(fill.price)}`)).toEqual(
      fills,
    );
  });

  test('no more is taken than requested or shown', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 8 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 200 }), (shown, asked) => {
        const levels = shown.map((size, index) => level(String(100 - index), String(size)));
        const taken = takenFrom({ side: 'sell', quantity: quantityOf(asked), levels });
        const total = shown.reduce((a, b) => a + b, 0);
        expect(toNumber(taken.quantity)).toBe(Math.min(total, asked));
      }),
    );
  });
});

describe('fees', () => {
  test.each([
    ['an inverse perpetual, in coin', perpetual(), '100000', '10000', 'taker', '0.00005'],
    [
      'the maker rate of a perpetual',
      perpetual({ makerFee: ratioOf(-0.0001) }),
      '100000',
      '10000',
      'maker',
      '-0.00001',
    ],
    ['spot, in the quote currency', spot(), '100000', '2', 'taker', '100'],
    ['an option, on the underlying', option(), '0.05', '2', 'taker', '0.001'],
    [
      'a cheap option, at most an eighth of the premium',
      option(),
      '0.0001',
      '2',
      'taker',
      '0.000025',
    ],
  ] as const)('the expected fee is right for %s', (_what, instrument, at, size, liquidity, fee) => {
    const fill = { price: price(at), quantity: quantity(size), liquidity };
    expect(text(expectedFee(instrument, fill))).toBe(fee);
  });
});

describe('margin', () => {
  const need = (
    instrument: ReturnType<typeof spot>,
    side: 'buy' | 'sell',
    at: string,
    size: string,
  ) => {
    const question = { instrument, side, price: price(at), quantity: quantity(size) };
    const found = marginNeed({ ...question, index: price('100000') });
    return found && `${text(found.amount)} ${found.currency}`;
  };

  test.each([
    ['a spot buy, which pays the full value', spot(), 'buy', '100000', '2', '200000 USDC'],
    ['a spot sale, which delivers the full quantity', spot(), 'sell', '100000', '2', '2 BTC'],
    ['a perpetual, a fiftieth of its notional', perpetual(), 'buy', '100000', '1000000', '0.2 BTC'],
    ['a bought option, its premium', option(), 'buy', '0.05', '3', '0.15 BTC'],
    ['a sold option at the money', option(), 'sell', '0.05', '1', '0.2 BTC'],
    [
      'a sold option far out of the money, the minimum',
      option({ option: { strike: price('150000'), type: 'call' } }),
      'sell',
      '0.01',
      '1',
      '0.11 BTC',
    ],
  ] as const)('the margin need is right for %s', (_what, instrument, side, at, size, expected) => {
    expect(need(instrument, side, at, size)).toBe(expected);
  });

  test('the margin of a sold option is unknown without a price of the coin', () => {
    const question = { side: 'sell', price: price('0.05'), quantity: quantity('1') } as const;
    expect(marginNeed({ instrument: option(), ...question })).toBeUndefined();
  });
});

const BEGINNING = { slice: 0, filled: quantity('0') };

describe('the outlook with blackout windows', () => {
  const plan = legPlan(
    { startAt: NOON, durationMs: 600_000, frequencyMs: 60_000, phase: 0 },
    quantity('1000'),
    perpetual(),
  );
  const noon = 12 * 3_600_000;
  const outlook = (fromMs: number, toMs: number, maxCatchUp: number) => {
    const execution = {
      ...DEFAULT_EXECUTION,
      quiet: [{ fromMs: noon + fromMs, toMs: noon + toMs }],
    };
    const question = { plan, instrument: perpetual(), execution, maxCatchUp: ratioOf(maxCatchUp) };
    const { slicesLost, residual } = courseOutlook({ ...question, from: BEGINNING });
    return [slicesLost, text(residual)];
  };

  test('a slice lost in the middle is caught up within the cap', () => {
    expect(outlook(60_000, 240_000, 3)).toEqual([3, '0']);
    expect(outlook(60_000, 240_000, 1)).toEqual([3, '300']);
  });

  test('a slice lost at the end is not caught up', () => {
    expect(outlook(480_000, 700_000, 3)).toEqual([2, '200']);
  });

  test('a window within a slice loses nothing', () => {
    expect(outlook(70_000, 110_000, 1)).toEqual([0, '0']);
  });

  test('without windows nothing is lost', () => {
    const question = { plan, instrument: perpetual(), execution: DEFAULT_EXECUTION };
    const maxCatchUp = ratioOf(1);
    const { residual } = courseOutlook({ ...question, maxCatchUp, from: BEGINNING });
    expect(isMore(residual, quantity('0'))).toBe(false);
  });
});
