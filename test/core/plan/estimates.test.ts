// Checks the parts of a verdict against manually computed figures.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { courseOutlook } from '../../../src/core/plan/course.ts';
import { expectedFee, feeCurrency } from '../../../src/core/plan/fee-estimate.ts';
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
import { currency } from '../../../src/values/ids.ts';
import { btcUsdcPerpetual, btcUsdcPut } from '../../exchange/instruments.ts';
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

  test('a sale takes the bids down to its limit', () => {
    const bids = [level('100', '5'), level('99', '5'), level('97', '50')];
    const sold = (limit: string) =>
      takenFrom({ side: 'sell', quantity: quantity('20'), levels: bids, limit: price(limit) });
    expect(text(sold('101').quantity)).toBe('0');
    expect(text(sold('99').quantity)).toBe('10');
    expect(text(sold('98').quantity)).toBe('10');
    expect(text(sold('97').quantity)).toBe('20');
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

  const put = { ...btcUsdcPut, makerFee: ratioOf(0.0001), takerFee: ratioOf(0.0003) };
  test.each([
    ['on the underlying', '500', 'taker', '100000', '60'],
    ['as a maker', '500', 'maker', '100000', '20'],
    ['that is cheap, at most an eighth of the premium', '100', 'taker', '100000', '25'],
    ['without a price of the coin, an eighth of the premium', '500', 'taker', undefined, '125'],
  ] as const)(
    'the expected fee of an option in USDC is right %s',
    (_what, at, liquidity, of, fee) => {
      const index = of === undefined ? undefined : price(of);
      const fill = { price: price(at), quantity: quantity('2'), liquidity, index };
      expect(text(expectedFee(put, fill))).toBe(fee);
    },
  );

  test('fees are in the currency of the settlement, of spot in the quote currency', () => {
    const all = [perpetual(), option(), put, spot({ settlement: currency('BTC') })];
    expect(all.map(feeCurrency)).toEqual(['BTC', 'BTC', 'USDC', 'USDC']);
  });
});

const call = (strike: string) => option({ option: { strike: price(strike), type: 'call' } });
const put = (strike: string) => option({ option: { strike: price(strike), type: 'put' } });
const dollarPut = (strike: string) => ({
  ...btcUsdcPut,
  option: { strike: price(strike), type: 'put' as const },
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
    ['a sold call 3 % out of the money', call('103000'), 'sell', '0.04', '1', '0.16 BTC'],
    ['a sold call in the money', call('80000'), 'sell', '0.22', '1', '0.37 BTC'],
    ['a sold put at the money', put('100000'), 'sell', '0.05', '1', '0.2 BTC'],
    ['a sold put 4 % out of the money', put('96000'), 'sell', '0.03', '2', '0.28 BTC'],
    ['a sold put far out of the money, the minimum', put('50000'), 'sell', '0.01', '1', '0.11 BTC'],
    ['a sold put in the money', put('120000'), 'sell', '0.2', '1', '0.35 BTC'],
    ['a bought put, its premium', put('120000'), 'buy', '0.2', '1', '0.2 BTC'],
    ['a sold put in USDC', dollarPut('96000'), 'sell', '3000', '2', '28000 USDC'],
    ['a sold put in USDC in the money', dollarPut('120000'), 'sell', '20000', '1', '35000 USDC'],
    ['a linear perpetual', btcUsdcPerpetual, 'sell', '100000', '0.5', '1000 USDC'],
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
