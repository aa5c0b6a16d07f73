// What passes between two engines as text: plain data arrives equal, with every digit, and a failure that callers tell
// apart arrives as what it was.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  argsOf,
  argsText,
  failureText,
  resultOf,
  resultText,
} from '../../../src/engine/link/call-codec.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { MarketUnanswered } from '../../../src/ports/market-reads.ts';
import { Decimal, decimalOf, formatDecimal, parseDecimal } from '../../../src/values/decimal.ts';

/** What the codec itself writes in place of decimals and the like. */
const WORDS = ['$d1', '$n5', '$u', '$', '$$', '$$d1', '$x'] as const;

/** Of 1 to 36 digits, with up to 18 of them after the point. */
const parsed = fc
  .tuple(
    fc.bigInt({ min: 1n - 10n ** 18n, max: 10n ** 18n - 1n }),
    fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
  )
  .map(([whole, part]) => parseDecimal(`${whole}.${String(part).padStart(18, '0')}`));
const short = fc
  .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, places]) => decimalOf(digits).div(decimalOf(10 ** places)));
/** Products have up to 36 digits after the point, quotients 40 significant digits. */
const computed = fc
  .tuple(fc.constantFrom('plus', 'minus', 'mul', 'div'), parsed, fc.oneof(parsed, short))
  .map(([how, a, b]) => (how === 'div' && b.isZero() ? a : a[how](b)));
const models = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e18, max: 1e18 })
  .filter((value) => value === 0 || Math.abs(value) > 1e-40)
  .map(decimalOf);
const decimals = fc.oneof(
  parsed,
  short,
  computed,
  models,
  fc.constantFrom(Decimal.zero, parseDecimal('-0'), parseDecimal('0.000000000000000001')),
  // 40 digits, all of them after the point.
  fc.constant(parseDecimal('0.000000000000000001').div(3)),
);

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40, size: 'max' }),
  // Halves of surrogate pairs alone, as a client may send them.
  fc.constantFrom('\ud800', 'a\udfffb', '\u0000', '\u2028"\\', '{"$d":"1"}', ...WORDS),
);
const numbers = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .map((value) => (value === 0 ? 0 : value));
const leaves = fc.oneof(
  decimals,
  texts,
  numbers,
  fc.bigInt(),
  fc.boolean(),
  fc.integer(),
  fc.constantFrom(null, undefined),
);

/** Plain data with names from `names`. */
const plainData = (names: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    data: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaves,
      fc.array(tie('data'), { maxLength: 5 }),
      fc.dictionary(names, tie('data'), { maxKeys: 5 }),
    ),
  })).data;

const NAMES = fc.oneof(
  texts,
  fc.constantFrom('__proto__', 'constructor', 'failure', 'result', 'message', ''),
);

function failureOf(text: string): unknown {
  try {
    return { result: resultOf(text) };
  } catch (error) {
    return error;
  }
}

describe('plain data', () => {
  test('plain data arrives equal at the other engine, as an argument and as a result', () => {
    fc.assert(
      fc.property(fc.array(plainData(NAMES), { maxLength: 4 }), (args) => {
        expect(argsOf(argsText(args))).toEqual(args);
        for (const result of args) expect(resultOf(resultText(result))).toEqual(result);
      }),
      { numRuns: 500 },
    );
  });

  test('a decimal arrives with every digit and computes like the one that was sent', () => {
    fc.assert(
      fc.property(decimals, parsed, (sent, other) => {
        const [arrived] = argsOf(argsText([sent])) as [Decimal];
        expect(arrived).toBeInstanceOf(Decimal);
        expect(formatDecimal(arrived)).toBe(formatDecimal(sent));
        expect(arrived.eq(sent)).toBe(true);
        expect(arrived.plus(other)).toEqual(sent.plus(other));
        expect(arrived.mul(other)).toEqual(sent.mul(other));
      }),
      { numRuns: 500 },
    );
  });

  test('an undefined argument keeps its place, and an undefined member is absent', () => {
    const text = argsText([undefined, { a: undefined, b: [undefined, null] }, undefined]);
    const args = argsOf(text);
    expect(args).toHaveLength(3);
    expect(args).toStrictEqual([undefined, { b: [undefined, null] }, undefined]);
    expect(resultOf(resultText(undefined))).toBeUndefined();
    expect(resultOf(resultText(null))).toBeNull();
  });

  test('a record of a client with text like a word of the codec arrives as it was sent', () => {
    const impostors = [
      { price: '$d1' },
      { $d: '$done', price: '0.031' },
      { label: '$n5', $u: '$u' },
      { label: '$$n5' },
      { label: '$five' },
    ];
    for (const record of impostors) {
      const text = argsText([{ legs: [{ priceSnapshot: [record] }] }]);
      expect(argsOf(text), JSON.stringify(record)).toEqual([
        { legs: [{ priceSnapshot: [record] }] },
      ]);
    }
  });

  test('a quotient of forty digits arrives whatever its exponent', () => {
    const tiny = parseDecimal('0.000000000000000001').div(parseDecimal('333333333333333333'));
    const [arrived] = argsOf(argsText([tiny])) as [Decimal];
    expect(formatDecimal(arrived)).toBe(formatDecimal(tiny));
  });

  test('a result that looks like a failure is a result', () => {
    for (const result of [{ failure: 'ledger', message: 'no', maybe: true }, { result: 1 }]) {
      expect(resultOf(resultText(result))).toEqual(result);
    }
  });

  test('a text that is not a list of arguments is refused', () => {
    for (const text of ['', '{', 'null', '1', '{"0":1}', '"[]"', '[1', '[] []']) {
      expect(() => argsOf(text), text).toThrow(SyntaxError);
    }
  });
});

describe('failures', () => {
  test('a failure of the ledger arrives as one, and says whether the commit may have happened', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (message, maybe) => {
        const arrived = failureOf(failureText(new LedgerFailure(message, maybe, new Error('why'))));
        expect(arrived).toBeInstanceOf(LedgerFailure);
        expect(arrived).toMatchObject({ message, maybe });
      }),
    );
  });

  test('a venue that did not answer about its market arrives as that', () => {
    fc.assert(
      fc.property(texts, (message) => {
        const arrived = failureOf(failureText(new MarketUnanswered(message)));
        expect(arrived).toBeInstanceOf(MarketUnanswered);
        expect(arrived).toMatchObject({ message });
      }),
    );
  });

  test('any other failure arrives with its message alone, without its stack and cause', () => {
    class Own extends Error {
      readonly secret = 'kept here';
    }
    fc.assert(
      fc.property(texts, (message) => {
        for (const thrown of [new Own(message, { cause: 'inner' }), new TypeError(message)]) {
          const text = failureText(thrown);
          expect(JSON.parse(text)).toEqual({ failure: 'other', message });
          const arrived = failureOf(text);
          expect(arrived).toBeInstanceOf(Error);
          expect(arrived).not.toBeInstanceOf(LedgerFailure);
          expect(arrived).not.toBeInstanceOf(MarketUnanswered);
          expect(arrived).toMatchObject({ message });
        }
        expect(failureOf(failureText(message))).toMatchObject({ message });
      }),
    );
  });

  test('a text that is no answer is a failure, and never a result', () => {
    for (const text of ['', '{', 'null', '[', '{}', '1', '{"failure":"strange","message":"x"}']) {
      expect(failureOf(text), text).toBeInstanceOf(Error);
    }
  });
});
