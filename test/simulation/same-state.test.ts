import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quantity } from '../../src/values/amounts.ts';
import { emptyLayeredMap } from '../../src/values/layered-map.ts';
import { isSameState } from './world/same-state.ts';

/** As a state is made: plain values, lists, maps and numbers of ours. */
const state = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.string({ maxLength: 3 }),
    fc.integer({ min: -3, max: 3 }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
    fc.integer({ min: 0, max: 20 }).map((value) => quantity(`${value / 10}`)),
    fc.array(tie('any'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b'), tie('any')), { maxLength: 2 })
      .map((entries) => new Map(entries)),
    fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('any'), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  ),
})).any;

/** The same question asked of texts, with names in order and the kind of each thing in front. */
const told = (value: unknown): string =>
  JSON.stringify(value, (_name, one: unknown) => {
    if (one instanceof Map) return ['map', ...one.entries()];
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one;
    return ['record', ...Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))];
  });

describe('the same state', () => {
  test('the same state is recognised in values that read the same', () => {
    fc.assert(
      fc.property(state, state, (one, other) => {
        expect(isSameState(one, structured(one))).toBe(true);
        expect(isSameState(one, other)).toBe(told(one) === told(other));
      }),
      { numRuns: 2000 },
    );
  });

  test('the same state treats an absent field as undefined, and nothing else as absent', () => {
    expect(isSameState({ a: undefined, b: 1 }, { b: 1 })).toBe(true);
    expect(isSameState({ b: 1 }, { a: undefined, b: 1 })).toBe(true);
    expect(isSameState({ b: 1 }, { a: null, b: 1 })).toBe(false);
    expect(isSameState({ b: 1 }, { a: 0, b: 1 })).toBe(false);
  });

  test('the same state compares the entries and their order in layered maps', () => {
    const one = emptyLayeredMap<string, number>().with('a', 1).with('b', 2);
    expect(isSameState(one, emptyLayeredMap<string, number>().with('a', 1).with('b', 2))).toBe(
      true,
    );
    expect(isSameState(one, emptyLayeredMap<string, number>().with('a', 1).with('b', 3))).toBe(
      false,
    );
    expect(isSameState(one, emptyLayeredMap<string, number>().with('b', 2).with('a', 1))).toBe(
      false,
    );
    expect(isSameState(new Map([['a', 1]]), { a: 1 })).toBe(false);
    expect(isSameState({ a: 1 }, new Map([['a', 1]]))).toBe(false);
    expect(isSameState(new Map(), [])).toBe(false);
    expect(isSameState([], new Map())).toBe(false);
    expect(isSameState(new Map([[0, 'a']]), ['a'])).toBe(false);
  });

  test('the same state treats equal decimals as equal, however they were computed', () => {
    expect(isSameState(quantity('1.5'), quantity('1').plus(quantity('0.50')))).toBe(true);
    expect(isSameState(quantity('1.5'), quantity('1.6'))).toBe(false);
    expect(isSameState(quantity('1.5'), '1.5')).toBe(false);
  });
});

/** A copy that shares nothing but texts and numbers of ours. */
function structured(value: unknown): unknown {
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, structured(one)]));
  if (Array.isArray(value)) return value.map(structured);
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, structured(one)]));
}
