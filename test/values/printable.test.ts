import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  columnsOf,
  printable,
  printableCell,
  printableData,
  printableDrawing,
  printableJson,
  printableLines,
} from '../../src/values/printable.ts';

/** Every control, format, separator and invisible character, by Unicode's own classes. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}/u;
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code)),
  }),
);

describe('printable text', () => {
  test.each([
    ['a\nb\r\tc', 'a\\nb\\r\\tc'],
    ['\u001b[2J\u0000\u007f\u009b', '\\x1b[2J\\x00\\x7f\\x9b'],
    ['\u202a\u202e\u2066\u2069\u200e\u200f', '\\u202a\\u202e\\u2066\\u2069\\u200e\\u200f'],
    ['\u200b\u200d\ufeff\u2028\u2029', '\\u200b\\u200d\\ufeff\\u2028\\u2029'],
    ['\ud800x\udc00', '\\ud800x\\udc00'],
    ['\u{e0041}\ufe0f', '\\u{e0041}\\ufe0f'],
    ['Zürich 東京 😀 é', 'Zürich 東京 😀 é'],
  ])('%j is displayed as %s', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  test('printable text has no unsafe characters and is not changed by a second conversion', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = printable(text);
        expect(shown).not.toMatch(UNSAFE);
        expect(printable(shown)).toBe(shown);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: movements and colours begin with one.
        expect(printableCell(text).replaceAll(/\u001b\[[\d;]*m/g, '')).not.toMatch(UNSAFE);
      }),
    );
  });

  test('cells keep colours, text keeps lines, drawings keep cursor movements, and nothing else is kept', () => {
    expect(printableCell('\u001b[31mred\u001b[39m\n')).toBe('\u001b[31mred\u001b[39m\\n');
    expect(printableLines('\u001b[31mred\u001b[39m\n\u001b[2J')).toBe(
      '\u001b[31mred\u001b[39m\n\\x1b[2J',
    );
    expect(printableDrawing('\u001b[3A\u001b[2Kx\r\n\u001b]0;t\u0007')).toBe(
      '\u001b[3A\u001b[2Kx\r\n\\x1b]0;t\\x07',
    );
  });

  test('printableData is a copy in which every text and field name is printable', () => {
    const data = { a: ['\n', 1, null], 'b\u001b': { c: '\u202e' } };
    expect(printableData(data)).toEqual({ a: ['\\n', 1, null], 'b\\x1b': { c: '\\u202e' } });
  });

  test('printable JSON parses to the same value and has no unsafe characters', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyText), (value) => {
        const shown = printableJson(JSON.stringify(value, null, 2));
        expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(shown.replaceAll('\n', '')).not.toMatch(UNSAFE);
      }),
    );
  });

  test.each([
    ['plain', 5],
    ['\u001b[31mred\u001b[39m', 3],
    ['東京', 4],
    ['e\u0301', 1],
    ['😀', 2],
    ['━█…', 3],
  ])('%j takes %i columns', (text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });
});
