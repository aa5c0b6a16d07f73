// Numbers of the venue's JSON: exact where a double is exact, without the noise beyond, never through a float.
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { decimalDigits } from '../../../src/ports/deribit-wire/decimal-digits.ts';
import { parseExact } from '../../../src/ports/deribit-wire/exact-json.ts';
import { DECIMAL_PATTERN } from '../../../src/values/decimal.ts';
import { rawNumber } from '../../../src/values/text/raw-number.ts';

const Exact = Decimal.clone({ precision: 80, toExpNeg: -100, toExpPos: 100 });

describe('a number of the wire', () => {
  test.each([
    ['100', '100'],
    ['100.0', '100.0'],
    ['0.30000000000000004', '0.3'],
    ['0.7999999999999998', '0.8'],
    ['9999999999999999', '10000000000000000'],
    ['6.4e4', '64000'],
    ['3.2E4', '32000'],
    ['-4.0e-7', '-0.0000004'],
    ['1e-30', '0'],
    ['-0.0', '0'],
    ['0e5', '0'],
    ['00.5', '0.5'],
  ])('%s is read as %s', (text, digits) => {
    expect(new Exact(decimalDigits(text) ?? 'nothing').eq(digits)).toBe(true);
  });

  test.each([
    '',
    'market_price',
    '1.',
    '.5',
    '+1',
    '0x1F',
    '1e99',
    '1e9999999',
    'Infinity',
    '1_000',
    '9'.repeat(61),
  ])('%s is no number', (text) => {
    expect(decimalDigits(text)).toBeUndefined();
  });

  it('a number is within half a unit of the fifteenth digit, and in the grammar of a decimal', () => {
    const text = fc
      .tuple(
        fc.boolean(),
        fc.bigInt(0n, 10n ** 20n),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: -6, max: 6 }),
      )
      .map(([isNegative, units, places, exponent]) => {
        const digits = String(units).padStart(places + 1, '0');
        const whole = digits.slice(0, digits.length - places);
        const rest = places === 0 ? '' : `.${digits.slice(digits.length - places)}`;
        return `${isNegative ? '-' : ''}${whole}${rest}${exponent === 0 ? '' : `e${exponent}`}`;
      });
    fc.assert(
      fc.property(text, (sent) => {
        const meant = new Exact(sent);
        const read = decimalDigits(sent);
        if (meant.abs().gte('1e17')) return;
        expect(read).toMatch(DECIMAL_PATTERN);
        const off = new Exact(read ?? 'nothing').minus(meant).abs();
        const allowed = Exact.max(meant.abs().mul('1e-15'), '1e-18').mul(5);
        expect(off.lte(allowed), `${sent} is read as ${read}`).toBe(true);
      }),
    );
  });

  it('a number keeps every digit that a double is exact to', () => {
    const amount = fc
      .tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 8 }))
      .map(([units, places]) => new Exact(units).div(new Exact(10).pow(places)));
    fc.assert(
      fc.property(amount, (meant) => {
        for (const sent of [meant.toFixed(), meant.toExponential(), String(meant.toNumber())]) {
          expect(new Exact(decimalDigits(sent) ?? 'nothing').eq(meant)).toBe(true);
        }
      }),
    );
  });
});

it('JSON is read and written without a float', () => {
  const sent =
    '{"id":18446744073709551615,"amount":0.10000000000000001,"label":"7","on":true,"none":null,"list":[1.50]}';
  expect(parseExact(sent)).toEqual({
    id: '18446744073709551615',
    amount: '0.10000000000000001',
    label: '7',
    on: true,
    none: null,
    list: ['1.50'],
  });
  const written = JSON.stringify({ amount: rawNumber('0.1234567800000001'), none: undefined });
  expect(written).toBe('{"amount":0.1234567800000001}');
});
