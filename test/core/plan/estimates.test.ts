// The parts of a verdict, each against figures reckoned by hand.
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
  ])('%s up to %s', (size, limit, fills) => {
    const asked = { side: 'buy', quantity: quantity(size), levels: asks } as const;
    const taken = takenFrom({ ...asked, ...(limit !== undefined && { limit: price(limit) }) });
    expect(taken.fills.map((fill) => `${text(fill.quantity)} @ ${text(fill.price)}`)).toEqual(
      fills,
    );
  });

  test('never more than asked for, nor than is shown', () => {
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
      'its maker rate',
      perpetual({ makerFee: ratioOf(-0.0001) }),
      '100000',
      '10000',
      'maker',
      '-0.00001',
    ],
    ['spot, in what it is quoted in', spot(), '100000', '2', 'taker', '100'],
    ['an option, on the underlying', option(), '0.05', '2', 'taker', '0.001'],
    ['a cheap option, at most an eighth', option(), '0.0001', '2', 'taker', '0.000025'],
  ] as const)('%s', (_what, instrument, at, size, liquidity, fee) => {
    const fill = { price: price(at), quantity: quantity(size), liquidity };
    expect(text(expectedFee(instrument, fill))).toBe(fee);
  });
});

describe('margin', () => {
  const need = (
    ...[instrument, side, at, size]: [ReturnType<typeof spot>, 'buy' | 'sell', string, string]
  ) => {
    const question = { instrument, side, price: price(at), quantity: quantity(size) };
    const found = marginNeed({ ...question, index: price('100000') });
    return found && `${text(found.amount)} ${found.currency}`;
  };

  test.each([
    ['a spot buy pays all of it', spot(), 'buy', '100000', '2', '200000 USDC'],
    ['a spot sale delivers all of it', spot(), 'sell', '100000', '2', '2 BTC'],
    ['a fiftieth of a perpetual', perpetual(), 'buy', '100000', '1000000', '0.2 BTC'],
    ['the premium of a bought option', option(), 'buy', '0.05', '3', '0.15 BTC'],
    ['a sold option at the money', option(), 'sell', '0.05', '1', '0.2 BTC'],
    [
      'a sold option far out of it: the least',
      option({ option: { strike: price('150000'), type: 'call' } }),
      'sell',
      '0.01',
      '1',
      '0.11 BTC',
    ],
  ] as const)('%s', (_what, instrument, side, at, size, expected) => {
    expect(need(instrument, side, at, size)).toBe(expected);
  });

  test('a sold option without a price of the coin is not judged', () => {
    const question = { side: 'sell', price: price('0.05'), quantity: quantity('1') } as const;
    expect(marginNeed({ instrument: option(), ...question })).toBeUndefined();
  });
});

describe('the outlook past quiet windows', () => {
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
    const { slicesLost, residual } = courseOutlook(question);
    return [slicesLost, text(residual)];
  };

  test('what is lost in the middle is made up for, within the cap', () => {
    expect(outlook(60_000, 240_000, 3)).toEqual([3, '0']);
    expect(outlook(60_000, 240_000, 1)).toEqual([3, '300']);
  });

  test('what is lost at the end is not', () => {
    expect(outlook(480_000, 700_000, 3)).toEqual([2, '200']);
  });

  test('a window within a slice loses nothing', () => {
    expect(outlook(70_000, 110_000, 1)).toEqual([0, '0']);
  });

  test('without windows nothing is lost', () => {
    const question = { plan, instrument: perpetual(), execution: DEFAULT_EXECUTION };
    const { residual } = courseOutlook({ ...question, maxCatchUp: ratioOf(1) });
    expect(isMore(residual, quantity('0'))).toBe(false);
  });
});
