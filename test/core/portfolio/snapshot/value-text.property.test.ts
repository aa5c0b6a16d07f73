// Values of the core as text, and back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromText, toText } from '../../../../src/core/portfolio/snapshot/value-text.ts';
import { Decimal, decimalOf, writtenDecimal } from '../../../../src/values/decimal.ts';
import { emptyLayeredMap } from '../../../../src/values/layered-map.ts';

const decimals = fc.oneof(
  fc.integer().map(decimalOf),
  fc
    .tuple(fc.bigInt({ min: 10n ** 30n, max: 10n ** 39n }), fc.integer({ min: 1, max: 9 }))
    .map(([whole, places]) => writtenDecimal(`${whole}.${places}`).div(decimalOf(7))),
);

const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.string({ maxLength: 3 }),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    decimals,
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b'), tie('any')), { maxLength: 2 })
      .map((entries) => new Map(entries)),
    fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }).map((entries) => new Set(entries)),
    fc.dictionary(fc.constantFrom('x', '$map', '$$set', '$decimal', '$undefined'), tie('any'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).any;

test('a value that is read from its text is the same in every field, and so are names that look like tags', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(fromText(toText(value))).toStrictEqual(value);
    }),
    { numRuns: 2_000 },
  );
});

test('a decimal with more digits than a client may write keeps all of them', () => {
  const third = Decimal.zero.plus(decimalOf(1)).div(decimalOf(3));
  expect(fromText<Decimal>(toText(third)).toString()).toBe(third.toString());
});

test('a layered map keeps its entries, each once', () => {
  const map = ['c', 'a', 'b', 'a'].reduce((all, key) => all.with(key, key), emptyLayeredMap());
  const read = fromText<typeof map>(toText(map));
  expect(new Map(read.entries())).toEqual(new Map(map.entries()));
  expect(read.size).toBe(3);
});

test('a value with hidden state is refused with its place, and text of another kind cannot be read', () => {
  expect(() => toText({ a: [new Date(0)] })).toThrow(/^\$\.a\[0\] is .*accepted: plain values/);
  expect(() => toText({ a: Number.NaN })).toThrow(/^\$\.a is NaN/);
  expect(() => fromText('{"a":')).toThrow(SyntaxError);
});
