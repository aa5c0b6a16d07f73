// Compares Decimal with decimal.js, operation by operation.
import { Decimal as DecimalJs } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fraction, quantity } from '../../src/values/amounts.ts';
import {
  type Decimal,
  decimalOf,
  formatDecimal,
  isOnStep,
  parseDecimal,
  quotientOnPlaces,
  stepsBelow,
  toStep,
} from '../../src/values/decimal.ts';
import type { Rounding } from '../../src/values/whole-division.ts';

const Library = DecimalJs.clone({
  precision: 40,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -60,
  toExpPos: 60,
});
type Library = InstanceType<typeof Library>;
/** Enough digits that a quotient is not rounded before the final rounding. */
const Exact = Library.clone({ precision: 140 });

const MODES: Readonly<Record<Rounding, DecimalJs.Rounding>> = {
  down: DecimalJs.ROUND_FLOOR,
  up: DecimalJs.ROUND_CEIL,
  half_up: DecimalJs.ROUND_HALF_UP,
  half_even: DecimalJs.ROUND_HALF_EVEN,
};
const roundings = fc.constantFrom(...(Object.keys(MODES) as Rounding[]));

/** Short and long numbers, numbers at the limit of whole-number arithmetic, and ties. */
const texts = fc.oneof(
  fc.integer({ min: -999_999, max: 999_999 }).map((n) => plain(new Library(n).div(100))),
  fc
    .tuple(
      fc.bigInt({ min: 1n - 10n ** 30n, max: 10n ** 30n - 1n }),
      fc.integer({ min: 12, max: 18 }),
    )
    .map(([digits, places]) => plain(new Library(`${digits}e-${places}`))),
  fc
    .tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 0, max: 15 }))
    .map(([off, places]) => plain(new Library(`${2n ** 53n + BigInt(off)}e-${places}`))),
  fc
    .tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 0, max: 18 }))
    .map(([digits, places]) => plain(new Library(`${digits}5e-${places}`))),
  fc.constantFrom('0', '1', '-1', '0.000000000000000001', '999999999999999999'),
);
const positive = texts.map((text) => text.replace('-', '')).filter((text) => text !== '0');

/** In Decimal's notation. */
const plain = (value: Library): string => (value.isZero() ? '0' : value.toFixed());

/** Equal numbers must have equal fields, however they were computed. */
function expectSame(got: Decimal, wanted: Library): void {
  expect(formatDecimal(got)).toBe(plain(wanted));
  expect(got.toNumber() + 0).toBe(wanted.toNumber() + 0);
  expect(got.dp()).toBe(wanted.dp());
  expect(got.isZero()).toBe(wanted.isZero());
  const isWritable = wanted.dp() <= 18 && wanted.abs().lt('1e18');
  if (isWritable) expect(got).toEqual(parseDecimal(plain(wanted)));
}

describe('Decimal compared with decimal.js', () => {
  test('parsing, negation and absolute value agree', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [own, library] = [parseDecimal(text), new Library(text)];
        expectSame(own, library);
        expectSame(own.negated(), library.negated());
        expectSame(own.abs(), library.abs());
        expect(JSON.stringify({ own })).toBe(JSON.stringify({ own: text }));
      }),
    );
  });

  test('addition, subtraction, multiplication and division agree', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const [ownA, ownB] = [parseDecimal(a), parseDecimal(b)];
        const [libA, libB] = [new Library(a), new Library(b)];
        expectSame(ownA.plus(ownB), libA.plus(libB));
        expectSame(ownA.minus(ownB), libA.minus(libB));
        expectSame(ownA.mul(ownB), libA.mul(libB));
        if (libB.isZero()) return;
        expectSame(ownA.div(ownB), libA.div(libB));
        expectSame(ownA.mod(ownB), libA.mod(libB));
        expect(fraction(quantity(a), quantity(b))).toBe(libA.div(libB).toNumber() + 0);
      }),
      { numRuns: 1_000 },
    );
  });

  test('longer calculations agree, with results used as operands', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(texts, positive), { maxLength: 12, size: 'max' }), (fills) => {
        let [own, library] = [parseDecimal('0'), new Library(0)];
        for (const [a, b] of fills) {
          own = own.plus(parseDecimal(a).div(b)).mul('0.5');
          library = library.plus(new Library(a).div(b)).mul('0.5');
        }
        expectSame(own, library);
        expectSame(own.mul(own), library.mul(library));
        expectSame(own.minus(own), new Library(0));
        expectSame(own.toDecimalPlaces(16, 'half_up'), library.toDecimalPlaces(16, 4));
      }),
    );
  });

  test('comparisons agree', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const own = parseDecimal(a);
        const library = new Library(a);
        for (const [mine, theirs] of [
          [parseDecimal(b), new Library(b)],
          [parseDecimal(a).plus(parseDecimal('0')), library],
        ] as const) {
          expect(own.comparedTo(mine)).toBe(library.comparedTo(theirs));
          expect(own.eq(mine)).toBe(library.eq(theirs));
          expect(own.lt(mine)).toBe(library.lt(theirs));
          expect(own.lte(mine)).toBe(library.lte(theirs));
          expect(own.gt(mine)).toBe(library.gt(theirs));
          expect(own.gte(mine)).toBe(library.gte(theirs));
        }
      }),
    );
  });

  test('rounding to places and to steps agrees', () => {
    const place = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(texts, positive, place, roundings, (text, step, places, rounding) => {
        const [own, library] = [parseDecimal(text), new Library(text)];
        expectSame(
          own.toDecimalPlaces(places, rounding),
          library.toDecimalPlaces(places, MODES[rounding]),
        );
        const [by, libraryBy] = [parseDecimal(step), new Library(step)];
        const count = library.div(libraryBy).toDecimalPlaces(0, MODES[rounding]);
        expectSame(toStep(own, by, rounding), count.mul(libraryBy));
        expect(stepsBelow(own, by) + 0).toBe(library.div(libraryBy).floor().toNumber() + 0);
        expect(isOnStep(own, by)).toBe(library.mod(libraryBy).isZero());
      }),
      { numRuns: 1_000 },
    );
  });

  test('division with a single rounding agrees', () => {
    const place = fc.integer({ min: 0, max: 18 });
    fc.assert(
      fc.property(texts, positive, place, roundings, (text, by, places, rounding) => {
        // The second has more digits than whole-number arithmetic allows, as sums of quotients have.
        for (const divisor of [parseDecimal(by), parseDecimal(by).div(7)]) {
          const exact = new Exact(text).div(formatDecimal(divisor));
          expectSame(
            quotientOnPlaces(parseDecimal(text), divisor, { places, rounding }),
            exact.toDecimalPlaces(places, MODES[rounding]),
          );
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('conversion from a float agrees', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e17, max: 1e17, noNaN: true }), (value) => {
        expectSame(decimalOf(value), new Library(value));
      }),
    );
  });
});
