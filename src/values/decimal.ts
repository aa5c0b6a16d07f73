// The one configured decimal.js; nobody else imports the package. Text is checked against a strict
// grammar and a length cap before the library sees it: it would accept `0x1F` and `1e9999999`.
import { Decimal as DecimalJs } from 'decimal.js';

/** 40 significant digits: 18 before and 18 after the point, with room for one product. */
const Configured = DecimalJs.clone({
  precision: 40,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -60,
  toExpPos: 60,
});

/** An immutable decimal number. Use the branded kinds of `amounts.ts` wherever a unit is known. */
export type Decimal = InstanceType<typeof Configured>;

/** How a result that does not fit its grid is brought onto it. */
export type Rounding = 'down' | 'up' | 'half_up' | 'half_even';

const MODES = {
  down: DecimalJs.ROUND_FLOOR,
  up: DecimalJs.ROUND_CEIL,
  half_up: DecimalJs.ROUND_HALF_UP,
  half_even: DecimalJs.ROUND_HALF_EVEN,
} as const;

/** Longest decimal text that is read at all. */
export const DECIMAL_TEXT_LENGTH_MAX = 40;

/** `-?digits[.digits]`: at most 18 digits on each side, no exponent, no leading zeros, no sign `+`. */
export const DECIMAL_PATTERN = /^-?(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/;

export class DecimalSyntaxError extends Error {
  override readonly name = 'DecimalSyntaxError';
}

/** True for text that {@link parseDecimal} accepts. */
export function isDecimalText(text: string): boolean {
  return text.length <= DECIMAL_TEXT_LENGTH_MAX && DECIMAL_PATTERN.test(text);
}

/** Reads decimal text. Throws {@link DecimalSyntaxError} for anything outside the grammar. */
export function parseDecimal(text: string): Decimal {
  if (!isDecimalText(text)) {
    throw new DecimalSyntaxError(
      `not a decimal: ${JSON.stringify(text.slice(0, 24))}; accepted: plain digits such as "-12.5", ` +
        'at most 18 before and 18 after the point, no exponent',
    );
  }
  return new Configured(text);
}

/** From a whole number or a computed float whose exact digits do not matter (model output). */
export function decimalOf(value: number): Decimal {
  if (!Number.isFinite(value)) throw new DecimalSyntaxError(`not finite: ${value}`);
  return new Configured(value);
}

/** Plain digits, no exponent, no trailing zeros, never "-0". */
export function formatDecimal(value: Decimal): string {
  return value.isZero() ? '0' : value.toFixed();
}

/** The multiple of `step` (> 0) that `rounding` selects. */
export function toStep<T extends Decimal>(value: T, step: Decimal, rounding: Rounding): T {
  return value.div(step).toDecimalPlaces(0, MODES[rounding]).mul(step) as unknown as T;
}

/** `value` rounded to `places` decimals. */
export function toPlaces<T extends Decimal>(value: T, places: number, rounding: Rounding): T {
  return value.toDecimalPlaces(places, MODES[rounding]) as unknown as T;
}

/** Whole multiple of `step` (> 0). */
export function isOnStep(value: Decimal, step: Decimal): boolean {
  return value.mod(step).isZero();
}
