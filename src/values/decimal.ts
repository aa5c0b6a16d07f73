// Decimal numbers. The only importer of decimal.js, which is configured here, with a fast path for nearly all prices
// and amounts: up to 2^53 the digits are one whole number with a scale, and whole numbers are added, multiplied and
// compared exactly at a tenth of the library's cost. The library accounted for a third of the memory of a slice.
// Longer ones, such as the balance of an account to the last decimal of a fee, are added and compared as BigInts, at a
// fifth of its cost. What fits neither uses the library, and returns to the fast path when it fits again. Text is checked against a
// strict grammar and a length cap before it is parsed.

import { Decimal as DecimalJs } from 'decimal.js';
import { cutText } from './text/text-length.ts';
import { bigQuotient, type Rounding, raisedQuotient, wholeQuotient } from './whole-division.ts';

/** 40 significant digits: 18 before and 18 after the point, with room for one product. */
const Configured = DecimalJs.clone({
  precision: 40,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -60,
  toExpPos: 60,
});
type Wide = InstanceType<typeof Configured>;

const MODES = {
  down: DecimalJs.ROUND_FLOOR,
  up: DecimalJs.ROUND_CEIL,
  half_up: DecimalJs.ROUND_HALF_UP,
  half_even: DecimalJs.ROUND_HALF_EVEN,
} as const;

const UNITS_MAX = Number.MAX_SAFE_INTEGER;
/** Powers of ten that a float holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const SCALE_MAX = POWERS.length - 1;
/** The same, and the bound of what the library rounds to, for digits beyond 2^53. */
const BIG_POWERS = POWERS.map((_, exponent) => 10n ** BigInt(exponent));
const BIG_MAX = 10n ** 40n;
/** How many digits a quotient may gain before the whole-number path gives up. */
const QUOTIENT_TRIES = 4;

/** 10^`exponent`, 0 to {@link SCALE_MAX}. */
const power = (exponent: number): number => POWERS[exponent] as number;

/** Longest decimal text that is parsed at all. */
export const DECIMAL_TEXT_LENGTH_MAX = 40;

const TEXT_PLACES_MAX = 18;

/** `-?digits[.digits]`: at most 18 digits on each side, no exponent, no leading zeros, no sign `+`. */
export const DECIMAL_PATTERN = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;

export class DecimalSyntaxError extends Error {
  override readonly name = 'DecimalSyntaxError';
}

/**
 * An immutable decimal number of 40 significant digits, ties to even. Equal numbers have equal fields.
 * Use the branded kinds of `amounts.ts` wherever a unit is known.
 */
export class Decimal {
  /**
   * The number is `units` / 10^`scale`, without trailing zeros; where `wide` is a BigInt, that in place of `units`, which
   * is 0 then; where it is of the library, just that.
   */
  readonly units: number;
  readonly scale: number;
  readonly wide: bigint | Wide | undefined;

  private constructor(units: number, scale: number, wide: bigint | Wide | undefined) {
    this.units = units;
    this.scale = scale;
    this.wide = wide;
  }

  /** `units` must be whole and below 2^53, `scale` at least 0. */
  static ofUnits(units: number, scale: number): Decimal {
    let [digits, places] = [units, scale];
    if (digits === 0) return ZERO;
    while (places > 0 && digits % 10 === 0) {
      digits /= 10;
      places -= 1;
    }
    if (places <= SCALE_MAX) return new Decimal(digits, places, undefined);
    return new Decimal(0, 0, new Configured(`${digits}e-${places}`));
  }

  static ofWide(wide: Wide): Decimal {
    if (!wide.isFinite() || wide.dp() > SCALE_MAX) return new Decimal(0, 0, wide);
    const text = wide.toFixed();
    const narrow = wide.precision() <= 16 ? fromDigits(text) : undefined;
    if (narrow !== undefined) return narrow;
    return Decimal.#ofDigits(BigInt(text.replace('.', '')), wide.dp()) ?? new Decimal(0, 0, wide);
  }

  /** `scale` at most {@link SCALE_MAX}; `undefined` if there are more digits than the library keeps. */
  static #ofDigits(digits: bigint, scale: number): Decimal | undefined {
    const units = Number(digits);
    if (Math.abs(units) <= UNITS_MAX) return Decimal.ofUnits(units, scale);
    if (digits >= BIG_MAX || digits <= -BIG_MAX) return undefined;
    let [left, places] = [digits, scale];
    while (places > 0 && left % 10n === 0n) {
      left /= 10n;
      places -= 1;
    }
    return places < scale ? Decimal.#ofDigits(left, places) : new Decimal(0, places, left);
  }

  /** The sum with `other`, or the difference; `undefined` if the library has to round it. */
  static #bigSum(a: Decimal, b: Decimal, isMinus: boolean): Decimal | undefined {
    const scale = Math.max(a.scale, b.scale);
    const [one, other] = [digitsAt(a, scale), digitsAt(b, scale)];
    if (one === undefined || other === undefined) return undefined;
    return Decimal.#ofDigits(isMinus ? one - other : one + other, scale);
  }

  static readonly zero = new Decimal(0, 0, undefined);

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    const [a, b] = [unitsAt(this, scale), unitsAt(other, scale)];
    const sum = a + b;
    return Math.abs(sum) <= UNITS_MAX
      ? Decimal.ofUnits(sum, scale)
      : (Decimal.#bigSum(this, other, false) ?? Decimal.ofWide(wideOf(this).plus(wideOf(other))));
  }

  minus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    const [a, b] = [unitsAt(this, scale), unitsAt(other, scale)];
    const difference = a - b;
    return Math.abs(difference) <= UNITS_MAX
      ? Decimal.ofUnits(difference, scale)
      : (Decimal.#bigSum(this, other, true) ?? Decimal.ofWide(wideOf(this).minus(wideOf(other))));
  }

  mul(other: Operand): Decimal {
    const by = operand(other);
    const product = this.units * by.units;
    return isNarrow(this) && isNarrow(by) && Math.abs(product) <= UNITS_MAX
      ? Decimal.ofUnits(product, this.scale + by.scale)
      : Decimal.ofWide(wideOf(this).mul(wideOf(by)));
  }

  div(other: Operand): Decimal {
    const by = operand(other);
    return shortQuotient(this, by) ?? Decimal.ofWide(wideOf(this).div(wideOf(by)));
  }

  /** Remainder of the division truncated towards zero; it has the sign of this number. */
  mod(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    const rest = unitsAt(this, scale) % unitsAt(other, scale);
    return Number.isNaN(rest)
      ? Decimal.ofWide(wideOf(this).mod(wideOf(other)))
      : Decimal.ofUnits(rest, scale);
  }

  negated(): Decimal {
    return isNarrow(this) ? Decimal.ofUnits(-this.units, this.scale) : this.mul(-1);
  }

  abs(): Decimal {
    return this.lt(0) ? this.negated() : this;
  }

  /** Negative, zero or positive if this number is below, equal to or above the other. */
  comparedTo(other: Operand): number {
    if (other === 0 && this.wide === undefined) return Math.sign(this.units);
    const that = operand(other);
    const scale = Math.max(this.scale, that.scale);
    const difference = unitsAt(this, scale) - unitsAt(that, scale);
    if (!Number.isNaN(difference)) return Math.sign(difference);
    const [one, another] = [digitsAt(this, scale), digitsAt(that, scale)];
    if (one === undefined || another === undefined) return wideOf(this).comparedTo(wideOf(that));
    return one === another ? 0 : one < another ? -1 : 1;
  }

  eq(other: Operand): boolean {
    return this.comparedTo(other) === 0;
  }

  lt(other: Operand): boolean {
    return this.comparedTo(other) < 0;
  }

  lte(other: Operand): boolean {
    return this.comparedTo(other) <= 0;
  }

  gt(other: Operand): boolean {
    return this.comparedTo(other) > 0;
  }

  gte(other: Operand): boolean {
    return this.comparedTo(other) >= 0;
  }

  isZero(): boolean {
    return this.units === 0 && isNarrow(this);
  }

  /** Digits after the point. */
  dp(): number {
    return typeof this.wide === 'object' ? this.wide.dp() : this.scale;
  }

  toDecimalPlaces(places: number, rounding: Rounding = 'half_even'): Decimal {
    if (this.wide !== undefined) {
      return Decimal.ofWide(wideOf(this).toDecimalPlaces(places, MODES[rounding]));
    }
    if (this.scale <= places) return this;
    return Decimal.ofUnits(wholeQuotient(this.units, power(this.scale - places), rounding), places);
  }

  toNumber(): number {
    return this.wide === undefined ? this.units / power(this.scale) : wideOf(this).toNumber();
  }

  /** Plain digits, no exponent, no trailing zeros, never "-0". */
  toString(): string {
    if (typeof this.wide === 'object') return this.wide.toFixed();
    const whole = this.wide ?? this.units;
    if (this.scale === 0) return String(whole);
    const digits = String(whole < 0 ? -whole : whole).padStart(this.scale + 1, '0');
    const point = digits.length - this.scale;
    return `${whole < 0 ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  /** Text that can be parsed again: at most 18 digits after the point. */
  toJSON(): string {
    return this.toDecimalPlaces(TEXT_PLACES_MAX).toString();
  }
}

const ZERO = Decimal.zero;

type Operand = Decimal | number | string;

function operand(of: Operand): Decimal {
  if (typeof of === 'object') return of;
  return typeof of === 'number' ? decimalOf(of) : parseDecimal(of);
}

const isNarrow = ({ wide }: Decimal): boolean => wide === undefined;

const wideOf = (value: Decimal): Wide =>
  typeof value.wide === 'object' ? value.wide : new Configured(value.toString());

/** The digits at a scale not below the number's own; `undefined` if only the library has them. */
function digitsAt({ units, scale, wide }: Decimal, at: number): bigint | undefined {
  if (typeof wide === 'object') return undefined;
  return (wide ?? BigInt(units)) * (BIG_POWERS[at - scale] as bigint);
}

/** The units at a scale not below the number's own; NaN if they are not exact. */
export function unitsAt({ units, scale, wide }: Decimal, at: number): number {
  if (wide !== undefined) return Number.NaN;
  if (at === scale) return units;
  const raised = units * power(at - scale);
  return Math.abs(raised) <= UNITS_MAX ? raised : Number.NaN;
}

/** The quotient, if it terminates after a few digits. */
function shortQuotient(a: Decimal, b: Decimal): Decimal | undefined {
  if (!isNarrow(a) || !isNarrow(b) || b.units === 0) return undefined;
  const first = Math.max(0, b.scale - a.scale);
  for (let raise = first; raise <= Math.min(first + QUOTIENT_TRIES, SCALE_MAX); raise += 1) {
    const raised = a.units * power(raise);
    if (Math.abs(raised) > UNITS_MAX) return undefined;
    if (raised % b.units === 0) return Decimal.ofUnits(raised / b.units, a.scale - b.scale + raise);
  }
  return undefined;
}

/** Reads plain digits; `undefined` if they do not fit. */
function fromDigits(text: string): Decimal | undefined {
  const point = text.indexOf('.');
  if (point < 0) {
    const units = Number(text);
    return Math.abs(units) <= UNITS_MAX ? Decimal.ofUnits(units, 0) : undefined;
  }
  const units = Number(text.slice(0, point) + text.slice(point + 1));
  const scale = text.length - point - 1;
  return Math.abs(units) <= UNITS_MAX ? Decimal.ofUnits(units, scale) : undefined;
}

/** True for text that {@link parseDecimal} accepts. */
export function isDecimalText(text: string): boolean {
  return text.length <= DECIMAL_TEXT_LENGTH_MAX && DECIMAL_PATTERN.test(text);
}

/** Reads decimal text. Throws {@link DecimalSyntaxError} for anything outside the grammar. */
export function parseDecimal(text: string): Decimal {
  if (!isDecimalText(text)) {
    throw new DecimalSyntaxError(
      `not a decimal: ${JSON.stringify(cutText(text, 24))}; accepted: plain digits such as "-12.5", ` +
        'at most 18 before and 18 after the point, no exponent',
    );
  }
  return fromDigits(text) ?? Decimal.ofWide(new Configured(text));
}

const WRITTEN = /^-?\d{1,400}(?:\.\d{1,400})?$/;

/** Reads what {@link formatDecimal} wrote, of any length that a number can have. */
export function writtenDecimal(text: string): Decimal {
  if (!WRITTEN.test(text)) {
    throw new DecimalSyntaxError(`not a written decimal: ${JSON.stringify(cutText(text, 24))}`);
  }
  return fromDigits(text) ?? Decimal.ofWide(new Configured(text));
}

/** Converts a whole number, or a computed float whose exact digits do not matter (model output). */
export function decimalOf(value: number): Decimal {
  if (Number.isSafeInteger(value)) return Decimal.ofUnits(value, 0);
  if (!Number.isFinite(value)) throw new DecimalSyntaxError(`not finite: ${value}`);
  const text = String(value);
  const short = text.includes('e') ? undefined : fromDigits(text);
  return short ?? Decimal.ofWide(new Configured(value));
}

/** Plain digits, no exponent, no trailing zeros, never "-0". */
export const formatDecimal = (value: Decimal): string => value.toString();

/** The multiple of `step` (> 0) that `rounding` selects. */
export function toStep<T extends Decimal>(value: T, step: Decimal, rounding: Rounding): T {
  const count = stepCount(value, step, rounding);
  return (
    count === undefined ? value.div(step).toDecimalPlaces(0, rounding).mul(step) : step.mul(count)
  ) as T;
}

/** Number of whole steps (> 0) that fit; exact below 2^53. */
export const stepsBelow = (value: Decimal, step: Decimal): number =>
  stepCount(value, step, 'down') ?? value.div(step).toDecimalPlaces(0, 'down').toNumber();

/** The count of steps, if it can be computed in whole numbers. */
function stepCount(value: Decimal, step: Decimal, rounding: Rounding): number | undefined {
  const scale = Math.max(value.scale, step.scale);
  const [units, stepUnits] = [unitsAt(value, scale), unitsAt(step, scale)];
  return Number.isNaN(units + stepUnits) || stepUnits <= 0
    ? undefined
    : wholeQuotient(units, stepUnits, rounding);
}

/** Whether `value` is a whole multiple of `step` (> 0). */
export function isOnStep(value: Decimal, step: Decimal): boolean {
  return value.mod(step).isZero();
}

export interface QuotientGrid {
  readonly places: number;
  readonly rounding: Rounding;
}

/**
 * `a` / `b` on `places` decimals, rounded once. Uses whole numbers because a division by the library costs more than
 * the rest of booking a fill.
 */
export function quotientOnPlaces(
  a: Decimal,
  b: Decimal,
  { places, rounding }: QuotientGrid,
): Decimal {
  const raise = places + b.scale - a.scale;
  const [top, bottom] = [a.units * power(Math.max(0, raise)), b.units * power(Math.max(0, -raise))];
  if (isNarrow(a) && isNarrow(b) && bottom > 0 && bottom <= UNITS_MAX) {
    const units =
      Math.abs(top) <= UNITS_MAX
        ? wholeQuotient(top, bottom, rounding)
        : raisedQuotient(a.units, bottom, { raise, rounding });
    if (units !== undefined) return Decimal.ofUnits(units, places);
  }
  return longQuotient(a, b, { places, rounding });
}

function longQuotient(a: Decimal, b: Decimal, { places, rounding }: QuotientGrid): Decimal {
  const [over, under] = [digitsOf(a), digitsOf(b)];
  if (over === undefined || under === undefined || under.digits === 0n) {
    return a.div(b).toDecimalPlaces(places, rounding);
  }
  const raise = places + under.scale - over.scale;
  const quotient = bigQuotient(
    raise > 0 ? over.digits * 10n ** BigInt(raise) : over.digits,
    raise < 0 ? under.digits * 10n ** BigInt(-raise) : under.digits,
    rounding,
  );
  const units = Number(quotient);
  return Number.isSafeInteger(units)
    ? Decimal.ofUnits(units, places)
    : Decimal.ofWide(new Configured(`${quotient}e-${places}`));
}

/** `undefined` if there are no digits, as after a division by zero. */
function digitsOf({ units, scale, wide }: Decimal) {
  if (typeof wide !== 'object') return { digits: wide ?? BigInt(units), scale };
  return wide.isFinite()
    ? { digits: BigInt(wide.toFixed().replace('.', '')), scale: wide.dp() }
    : undefined;
}
