import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterFill, costOf, FLAT } from '../../../src/exchange/model/position.ts';
import {
  type Money,
  plus,
  price,
  quantityOf,
  text,
  ZERO_MONEY,
} from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { btcPerpetual, btcUsdcPerpetual } from '../instruments.ts';

interface Fill {
  readonly lots: number;
  readonly at: string;
}

/** A lot is one unit of the amount here, regardless of the instrument's own lot. */
function trade(instrument: Instrument, fills: readonly Fill[]) {
  let holding = FLAT;
  let realised: Money = ZERO_MONEY;
  for (const { lots, at } of fills) {
    const value = costOf(instrument, price(at), quantityOf(Math.abs(lots)));
    const change = afterFill(instrument, holding, lots, value);
    holding = change.after;
    realised = plus(realised, change.profitLoss);
  }
  return { holding, realised: text(realised), cost: text(holding.cost) };
}

describe('profit and loss', () => {
  it('a USD-sized long earns S · (1/E − 1/X) in coin', () => {
    const { realised, cost } = trade(btcPerpetual, [
      { lots: 10_000, at: '10000' },
      { lots: -10_000, at: '12500' },
    ]);
    expect([realised, cost]).toEqual(['0.2', '0']);
  });

  it('a USD-sized short earns the opposite', () => {
    const fills = [
      { lots: -10_000, at: '10000' },
      { lots: 5_000, at: '12500' },
    ];
    expect(trade(btcPerpetual, fills)).toMatchObject({ realised: '-0.1', cost: '0.5' });
  });

  it('a linear position earns size · (X − E), on average cost', () => {
    const fills = [
      { lots: 1, at: '100' },
      { lots: 3, at: '200' },
      { lots: -2, at: '250' },
    ];
    expect(trade(btcUsdcPerpetual, fills)).toMatchObject({ realised: '150', cost: '350' });
  });

  it('a fill that reverses the position realises the closed part only', () => {
    const fills = [
      { lots: 2, at: '100' },
      { lots: -5, at: '110' },
    ];
    const { holding, realised, cost } = trade(btcUsdcPerpetual, fills);
    expect([holding.lots, realised, cost]).toEqual([-3, '20', '330']);
  });
});

const fills = fc.array(
  fc.record({
    lots: fc.integer({ min: -50, max: 50 }).filter((lots) => lots !== 0),
    at: fc.integer({ min: 100, max: 200_000 }).map((cents) => `${cents / 100}`),
  }),
  { minLength: 1, maxLength: 30, size: 'max' },
);

describe('any sequence of fills', () => {
  it.each([btcPerpetual, btcUsdcPerpetual])(
    'a sequence that ends flat realises the net cash flow: $name',
    (instrument) => {
      fc.assert(
        fc.property(fills, (list) => {
          const open = list.reduce((sum, { lots }) => sum + lots, 0);
          const all = open === 0 ? list : [...list, { lots: -open, at: '150' }];
          const { holding, realised, cost } = trade(instrument, all);
          expect([holding.lots, cost]).toEqual([0, '0']);
          const sign = instrument.amountUnit === 'usd' ? 1 : -1;
          const moved = all.reduce(
            (sum, { lots, at }) =>
              sum +
              sign *
                Math.sign(lots) *
                costOf(instrument, price(at), quantityOf(Math.abs(lots))).toNumber(),
            0,
          );
          // Each closing fill rounds once, to 8 decimals of coin or 6 of a dollar.
          const unit = instrument.amountUnit === 'usd' ? 1e-8 : 1e-6;
          expect(Math.abs(Number(realised) - moved)).toBeLessThanOrEqual(unit * all.length);
        }),
      );
    },
  );

  it('the cost never falls below zero', () => {
    fc.assert(
      fc.property(fills, (list) => {
        expect(trade(btcPerpetual, list).holding.cost.lt(0)).toBe(false);
      }),
    );
  });
});
