import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ARRAY_LENGTH_MAX,
  DEPTH_MAX,
  MalformedJson,
  NumberText,
  parseJson,
  parseJsonText,
} from '../../../src/gateway/wire/json.ts';

const sourceOf = (value: unknown): string =>
  value instanceof NumberText ? value.source : String(value);

describe('reading JSON', () => {
  it('the JSON reader keeps every digit of every number as it was written', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?$/);
    fc.assert(
      fc.property(digits, (text) => {
        const read = parseJsonText(`{"n":${text}}`) as { n: unknown };
        expect(sourceOf(read.n)).toBe(text);
      }),
    );
  });

  const numbers =
    '0 -0 -1 1.5 1.50 1.0 1e3 0.000001 0.0000001 0.00000012 ' +
    '123456789012345 1234567890123456 1234567890123.5 12345678901234.5 1e400';

  it.each(numbers.split(' '))(
    'the JSON reader keeps %s as written, alone, in a list and in an object',
    (text) => {
      expect(sourceOf(parseJsonText(text))).toBe(text);
      expect((parseJsonText(`[7,${text} ]`) as unknown[]).map(sourceOf)).toEqual(['7', text]);
      expect(sourceOf((parseJsonText(`{"n" : ${text}}`) as { n: unknown }).n)).toBe(text);
    },
  );

  it('the JSON reader equals JSON.parse if nothing can be lost', () => {
    const plain = fc.jsonValue({ maxDepth: 5, stringUnit: 'grapheme' }).filter((value) => {
      const text = JSON.stringify(value);
      return !/[.eE]|\d{10}|-0|__proto__|constructor|prototype|\\u0000/.test(text);
    });
    fc.assert(
      fc.property(plain, (value) => {
        const text = JSON.stringify(value);
        expect(parseJsonText(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('the JSON reader gives the same result for short and long text', () => {
    const outcome = (text: string): unknown => {
      try {
        return { read: parseJsonText(text) };
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedJson);
        return 'refused';
      }
    };
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,18})(\.0{0,7}\d{1,12})?([eE][+-]?\d{1,2})?$/);
    const word = fc.oneof(
      fc.constantFrom('a', '__proto__', '\\u0061', '\\ud800', '\ud800', ':1.5'),
    );
    const text = fc
      .array(
        fc.tuple(
          word,
          fc.oneof(
            number,
            fc.json(),
            word.map((one) => `"${one}"`),
          ),
        ),
      )
      .map((pairs) => `{${pairs.map(([key, value]) => `"${key}": ${value}`).join(' , ')}}`);
    fc.assert(
      fc.property(fc.oneof(text, number, fc.string()), (short) => {
        expect(outcome(short)).toEqual(outcome(short + ' '.repeat(2 * ARRAY_LENGTH_MAX)));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['__proto__', 'constructor', 'prototype'])(
    'the JSON reader refuses the key %s at any depth',
    (key) => {
      expect(() => parseJsonText(`{"a":[{"${key}":{"x":1}}]}`)).toThrow(MalformedJson);
      expect(() => parseJsonText(`{"a":[{"\\u${hex(key)}${key.slice(1)}":1}]}`)).toThrow(key);
    },
  );

  it('the JSON reader uses the last of two equal keys', () => {
    expect(parseJsonText('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  it('the JSON reader counts brackets, not brackets in text, for the depth', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parseJsonText(nested(DEPTH_MAX))).toBeInstanceOf(Array);
    expect(() => parseJsonText(nested(DEPTH_MAX + 1))).toThrow('at most 16 levels');
    expect(() => parseJsonText('['.repeat(200_000))).toThrow('at most 16 levels');
    expect(parseJsonText(JSON.stringify('[{"'.repeat(50)))).toBe('[{"'.repeat(50));
  });

  it.each([
    ['a list that is too long', `[${'1,'.repeat(ARRAY_LENGTH_MAX)}1]`, 'at most 1000'],
    ['half a surrogate pair', '{"a":"\\ud800"}', 'Unicode'],
    ['a NUL', '{"a":"\\u0000"}', 'NUL'],
    ['a NUL in a key', '{"\\u0000":1}', 'NUL'],
    ['nothing', '', 'is not JSON'],
    ['half an object', '{"a":1', 'is not JSON'],
    ['a comment', '{} // x', 'is not JSON'],
    ['NaN', '{"a":NaN}', 'is not JSON'],
    ['hexadecimal', '{"a":0x1F}', 'is not JSON'],
  ])('the JSON reader refuses %s', (_what, text, message) => {
    expect(() => parseJsonText(text)).toThrow(message);
  });

  it('the JSON reader refuses bytes that are not UTF-8', () => {
    expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow('is not UTF-8');
  });
});

const hex = (key: string): string => key.charCodeAt(0).toString(16).padStart(4, '0');
