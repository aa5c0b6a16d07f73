import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Grid } from '../../../src/exchange/book/grid.ts';
import { price, quantity, text } from '../../../src/values/amounts.ts';
import { btcCall, btcPerpetual, btcUsdcPut, everyKind } from '../instruments.ts';

const isValid = (grid: Grid, at: string): boolean => {
  const ticks = grid.ticksOf(price(at));
  return ticks !== undefined && grid.isValid(ticks);
};

describe('the grid of an option with two tick sizes', () => {
  const grid = new Grid(btcCall);

  it.each(['0.0049', '0.005', '0.0055', '0.0125'])('a price of %s is valid', (at) => {
    expect(isValid(grid, at)).toBe(true);
  });

  it.each(['0.0051', '0.0123', '0.00495'])('a price of %s is invalid', (at) => {
    expect(isValid(grid, at)).toBe(false);
  });

  it('rounding down from below 0.0055 gives 0.005, not 0.0054', () => {
    const below = grid.floor((grid.ticksOf(price('0.0055')) ?? 0) - 1);
    expect(text(grid.priceOf(below))).toBe('0.005');
  });

  it('a linear option has a tick of 5 up to 1000 and of 20 above', () => {
    const linear = new Grid(btcUsdcPut);
    expect(['995', '1000', '1020'].map((at) => isValid(linear, at))).toEqual([true, true, true]);
    expect(['1005', '1010', '997'].map((at) => isValid(linear, at))).toEqual([false, false, false]);
  });
});

describe('any grid', () => {
  it('floor and ceil return the nearest valid price below and above', () => {
    const grids = fc.constantFrom(...everyKind.map((instrument) => new Grid(instrument)));
    fc.assert(
      fc.property(grids, fc.integer({ min: 1, max: 5_000 }), (grid, ticks) => {
        const [below, above] = [grid.floor(ticks), grid.ceil(ticks)];
        expect(below <= ticks && ticks <= above).toBe(true);
        expect(grid.isValid(below) && grid.isValid(above)).toBe(true);
        for (let t = below + 1; t < above; t += 1) expect(grid.isValid(t)).toBe(false);
      }),
    );
  });

  it('prices and amounts convert to ticks and lots and back exactly', () => {
    const grids = fc.constantFrom(...everyKind.map((instrument) => new Grid(instrument)));
    const count = fc.integer({ min: 0, max: 1_000_000_000 });
    fc.assert(
      fc.property(grids, count, (grid, n) => {
        expect(grid.ticksOf(grid.priceOf(n))).toBe(n);
        expect(grid.lotsOf(grid.quantityOf(n))).toBe(n);
      }),
    );
  });

  it('an amount between two lots has no number of lots', () => {
    expect(new Grid(btcPerpetual).lotsOf(quantity('15'))).toBeUndefined();
  });
});
