// JSON whose numbers stay as they were written, against the parser of the language reading the source of each number.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseExact } from '../../../src/ports/deribit-wire/exact-json.ts';

type WithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

const byReviver = (text: string): unknown =>
  (JSON.parse as WithSource)(text, (_key, value, { source }) =>
    typeof value === 'number' ? source : value,
  );

const outcome = (parse: (text: string) => unknown, text: string): unknown => {
  try {
    return { value: parse(text) };
  } catch (error) {
    return (error as Error).name;
  }
};

describe('exact JSON', () => {
  it('equals what the language parses, with the source of each number in its place', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4, noUnicodeString: false }), (text) => {
        expect(parseExact(text)).toEqual(byReviver(text));
      }),
    );
  });

  it('rejects exactly the texts that the language rejects', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '"a"',
      '\\"',
      '-',
      '0',
      '1',
      '.',
      'e',
      '+',
      ' ',
      '-1.5e-7',
      '01',
      'null',
      'true',
      '"\\\\"',
      '"9"',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
        const text = pieces.join('');
        expect(outcome(parseExact, text)).toEqual(outcome(byReviver, text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('A number keeps its digits, its exponent and its zeros, and a text keeps its numbers', () => {
    const text =
      '{"a":0.30000000000000004,"b":[6.4e4,-4.0e-7,10.0],"c":123456789012345678,"d":"at 5, \\"6\\""}';
    expect(parseExact(text)).toEqual({
      a: '0.30000000000000004',
      b: ['6.4e4', '-4.0e-7', '10.0'],
      c: '123456789012345678',
      d: 'at 5, "6"',
    });
  });
});
