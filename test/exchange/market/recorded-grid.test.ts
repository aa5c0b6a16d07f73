// Recorded decimals in ticks and lots. The judge divides whole numbers of its own, made from the digits as written.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordedGrid } from '../../../src/exchange/market/recorded-grid.ts';
import { price, quantity } from '../../../src/values/amounts.ts';

const SCALE = 10n ** 9n;

/** In units of 10^-9. */
function units(digits: string): bigint {
  const [whole = '', part = ''] = digits.replace('-', '').split('.');
  const bare = BigInt(whole) * SCALE + BigInt(part.padEnd(9, '0'));
  return digits.startsWith('-') ? -bare : bare;
}

function floored(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b > a ? quotient - 1n : quotient;
}

const decimal = fc
  .tuple(fc.boolean(), fc.nat({ max: 99_999 }), fc.nat({ max: 9_999 }), fc.nat({ max: 4 }))
  .map(([isNegative, whole, part, places]) => ({
    number: (isNegative ? -1 : 1) * Number(`${whole}${tail(part, places)}`),
    places,
    text: `${isNegative ? '-' : ''}${whole}${places === 0 ? '' : `.${tail(part, places)}`}`,
  }));
const tail = (part: number, places: number): string =>
  places === 0 ? '' : String(part).padStart(places, '0').slice(0, places);

test('a bid is rounded down and an offer up to the tick, below zero as above', () => {
  const tick = fc.constantFrom('0.5', '0.05', '0.0005', '2.5', '1', '10');
  fc.assert(
    fc.property(decimal, tick, ({ text, number, places }, step) => {
      const grid = new RecordedGrid(price(step), quantity('1'));
      const bid = Number(floored(units(text), units(step)));
      const ask = -Number(floored(-units(text), units(step)));
      expect(grid.restingTicks(text, 'buy')).toBe(bid);
      expect(grid.restingTicks(text, 'sell')).toBe(ask + 0);
      expect(grid.restingTicksOf(number, places, 'buy')).toBe(bid);
      expect(grid.restingTicksOf(number, places, 'sell')).toBe(ask + 0);
    }),
    { numRuns: 2_000 },
  );
});
