import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DecimalSyntaxError,
  formatDecimal,
  isDecimalText,
  isOnStep,
  parseDecimal,
  toStep,
} from '../../src/values/decimal.ts';

const digits = fc.string({
  unit: fc.constantFrom(...'0123456789'),
  minLength: 1,
  maxLength: 18,
  size: 'max',
});

/** Canonical decimal text: no leading or trailing zeros. */
const canonical = fc
  .record({ sign: fc.constantFrom('', '-'), whole: digits, part: fc.option(digits) })
  .map(({ sign, whole, part }) => {
    const left = whole.replace(/^0+(?=\d)/, '');
    const right = (part ?? '').replace(/0+$/, '');
    const text = right === '' ? left : `${left}.${right}`;
    return text === '0' ? '0' : `${sign}${text}`;
  });

describe('decimals', () => {
  test('decimal text is returned digit by digit', () => {
    fc.assert(
      fc.property(canonical, (text) => {
        expect(formatDecimal(parseDecimal(text))).toBe(text);
      }),
    );
  });

  test.each([
    '0x1F',
    '0b101',
    '1_000',
    '+1',
    '.5',
    '5.',
    '01',
    '1e3',
    '1E9999999',
    'Infinity',
    'NaN',
    '',
    ' 1',
    '1 ',
    '1,5',
    '--1',
    '1.2.3',
    '١',
    '9'.repeat(19),
    `0.${'1'.repeat(19)}`,
    `0.${'0'.repeat(200_000)}1`,
  ])('parseDecimal refuses %j', (text) => {
    expect(isDecimalText(text)).toBe(false);
    expect(() => parseDecimal(text)).toThrow(DecimalSyntaxError);
  });

  test('toStep returns a multiple on the named side, less than a step away', () => {
    const small = fc.integer({ min: -1_000_000, max: 1_000_000 });
    fc.assert(
      fc.property(small, fc.integer({ min: 1, max: 9_999 }), (value, step) => {
        const of = parseDecimal((value / 1_000).toFixed(3));
        const by = parseDecimal((step / 1_000).toFixed(3));
        const [down, up] = [toStep(of, by, 'down'), toStep(of, by, 'up')];
        expect(isOnStep(down, by) && isOnStep(up, by)).toBe(true);
        expect(down.lte(of) && up.gte(of)).toBe(true);
        expect(of.minus(down).lt(by) && up.minus(of).lt(by)).toBe(true);
      }),
    );
  });

  test('formatting never shows an exponent or a negative zero', () => {
    expect(formatDecimal(parseDecimal('0.000000000000000001'))).toBe('0.000000000000000001');
    expect(formatDecimal(parseDecimal('-0'))).toBe('0');
  });
});
