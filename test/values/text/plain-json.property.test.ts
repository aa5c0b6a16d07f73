// Plain data with decimals as JSON: the same text as JSON.stringify, whatever the data.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalOf } from '../../../src/values/decimal.ts';
import { jsonText, quoted } from '../../../src/values/text/plain-json.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40, size: 'max' }),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40, size: 'max' }),
  fc.constantFrom('', '"', '\\', '\n', '\u001f', '\u007f', '\u2028', '\ud800', '__proto__'),
);
const decimals = fc
  .tuple(fc.maxSafeInteger(), fc.maxSafeInteger(), fc.integer({ min: 0, max: 18 }))
  .map(([a, b, places]) =>
    decimalOf(a)
      .mul(decimalOf(b))
      .div(decimalOf(10 ** places)),
  );
const { data } = fc.letrec((tie) => ({
  data: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(texts, fc.double(), fc.integer(), fc.boolean(), decimals),
    fc.constantFrom(null, undefined),
    fc.array(tie('data'), { maxLength: 5 }),
    fc.dictionary(texts, tie('data'), { maxKeys: 5 }),
  ),
}));

describe('plain data as JSON', () => {
  test('plain data with decimals is written as by JSON.stringify', () => {
    fc.assert(
      fc.property(data, (value) => {
        expect(jsonText([value])).toBe(JSON.stringify([value]));
      }),
      { numRuns: 1_000 },
    );
  });

  test('a text is written in quotes as by JSON.stringify', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(quoted(text)).toBe(JSON.stringify(text));
      }),
    );
  });

  test('a whole number beyond those of JSON is refused', () => {
    expect(() => jsonText({ id: 5n })).toThrow('5 is too large for a number of JSON');
  });
});
