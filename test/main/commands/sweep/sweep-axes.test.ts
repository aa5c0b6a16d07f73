// The values that a field of a sweep takes, and their combinations.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { variantsOf } from '../../../../src/main/commands/sweep/sweep-axes.ts';

const settings = (...written: readonly string[]) =>
  variantsOf(written).map((variant) => variant.settings);

test('a list and a range are combined, the last field changing fastest', () => {
  expect(settings('a=1,2', 'b=10..30/10')).toEqual(
    ['1', '2'].flatMap((a) => ['10', '20', '30'].map((b) => [`a=${a}`, `b=${b}`])),
  );
});

test('only the fields that differ are in the names', () => {
  expect(variantsOf(['a=1', 'b=x,y']).map(({ name }) => name)).toEqual(['b=x', 'b=y']);
  expect(variantsOf(['a=1']).map(({ name }) => name)).toEqual(['as written']);
  expect(variantsOf([])).toEqual([{ name: 'as written', settings: [] }]);
});

test('commas in brackets or quotation marks separate no values', () => {
  expect(settings('a=[1,2],[3]', 'b="x,y"')).toEqual([
    ['a=[1,2]', 'b="x,y"'],
    ['a=[3]', 'b="x,y"'],
  ]);
});

test('a range of decimals has exact values, the upper bound among them if a step ends there', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(40), fc.integer({ min: 1, max: 30 }), (low, count, step) => {
      const text = (hundredths: number): string => String(hundredths / 100);
      const high = low + count * step;
      const given = settings(`a=${text(low)}..${text(high)}/${text(step)}`);
      expect(given).toEqual(
        Array.from({ length: count + 1 }, (_, k) => [`a=${text(low + k * step)}`]),
      );
    }),
  );
});

test.each(['a=5..1/1', 'a=1..5/0', 'a=1..5/x.', 'a=1..5', 'a=1,1'])('%s is refused', (written) => {
  expect(() => settings(written)).toThrow(/--set/);
});

test('more than a thousand combinations are refused', () => {
  expect(() => settings('a=1..40/1', 'b=1..40/1')).toThrow(/at most 1000/);
});
