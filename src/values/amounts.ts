// Price, Quantity, Money and Ratio: branded decimals that cannot be mixed up, with the operations that make sense
// between them. Every division names its rounding.
import {
  type Decimal,
  decimalOf,
  formatDecimal,
  isOnStep,
  parseDecimal,
  type QuotientGrid,
  quotientOnPlaces,
  stepsBelow,
  toStep,
  unitsAt,
  writtenDecimal,
} from './decimal.ts';
import type { Rounding } from './whole-division.ts';

declare const unit: unique symbol;
type Amount<U extends string> = Decimal & { readonly [unit]: U };

/** In the instrument's quote unit (USD, USDC, or coin for inverse options). */
export type Price = Amount<'price'>;
/** In the instrument's amount unit: USD for inverse perpetuals and futures, base coin otherwise. */
export type Quantity = Amount<'quantity'>;
/** An amount of one currency; the currency is stored next to it. */
export type Money = Amount<'money'>;
/** Dimensionless: rates, fractions, volatilities (0.65 = 65 %). */
export type Ratio = Amount<'ratio'>;
/** A share as a fraction of whole numbers, with a denominator above zero. */
interface Part {
  readonly numerator: number;
  readonly denominator: number;
}
type AnyAmount = Price | Quantity | Money | Ratio;

/** @throws DecimalSyntaxError outside the decimal grammar. */
export const price = (text: string): Price => parseDecimal(text) as Price;
/** @throws DecimalSyntaxError outside the decimal grammar. */
export const quantity = (text: string): Quantity => parseDecimal(text) as Quantity;
/** @throws DecimalSyntaxError outside the decimal grammar. */
export const money = (text: string): Money => parseDecimal(text) as Money;
/** @throws DecimalSyntaxError outside the decimal grammar. */
export const ratio = (text: string): Ratio => parseDecimal(text) as Ratio;

/** Converts a model's float to a price; the caller must round it to a tick before it leaves the process. */
export const modelPrice = (value: number): Price => decimalOf(value) as Price;
export const ratioOf = (value: number): Ratio => decimalOf(value) as Ratio;
/** A share given in hundredths of a percent, exactly as its digits are written. */
export const basisPoints = (bps: number): Ratio => decimalOf(bps).div(10_000) as Ratio;
/** Converts a whole count of lots or a computed amount; the caller keeps it on the lot grid. */
export const quantityOf = (value: number): Quantity => decimalOf(value) as Quantity;

export const ZERO_QUANTITY = quantity('0');
export const ZERO_MONEY = money('0');

export const plus = <T extends Quantity | Money | Ratio>(a: T, b: T): T => a.plus(b) as T;
export const minus = <T extends Quantity | Money | Ratio>(a: T, b: T): T => a.minus(b) as T;
export const negated = <T extends Quantity | Money>(a: T): T => a.negated() as T;
export const absolute = <T extends AnyAmount>(a: T): T => a.abs() as T;
export const compare = <T extends AnyAmount>(a: T, b: T): number => a.comparedTo(b);
export const equals = <T extends AnyAmount>(a: T, b: T): boolean => a.eq(b);
export const isLess = <T extends AnyAmount>(a: T, b: T): boolean => a.lt(b);
export const isMore = <T extends AnyAmount>(a: T, b: T): boolean => a.gt(b);
export const isZero = (a: AnyAmount): boolean => a.isZero();
export const isPositive = (a: AnyAmount): boolean => a.gt(0);
export const smaller = <T extends AnyAmount>(a: T, b: T): T => (a.lte(b) ? a : b);
export const larger = <T extends AnyAmount>(a: T, b: T): T => (a.gte(b) ? a : b);

/** A price moved by a signed offset in the same unit. */
export const shifted = (at: Price, by: Price): Price => at.plus(by) as Price;
/** A price scaled by a ratio, for example a collar of 1 ± bps. Off the tick grid. */
export const scaled = (at: Price, by: Ratio): Price => at.mul(by) as Price;
/** The signed distance b − a between two prices. */
export const distance = (a: Price, b: Price): Price => b.minus(a) as Price;
export const midpoint = (a: Price, b: Price): Price => a.plus(b).div(2) as Price;
/**
 * a / b as the nearest float: for ratios that are displayed or compared, never for money. At one scale both are whole
 * numbers that a float holds, and IEEE division rounds their quotient once. Rounding to 40 digits first, as the library
 * does, makes no difference: such a quotient is never that near to the middle between two floats without being it.
 */
export function fraction<T extends AnyAmount>(a: T, b: T): number {
  const scale = Math.max(a.scale, b.scale);
  const quotient = unitsAt(a, scale) / unitsAt(b, scale);
  // Adding zero makes of "-0" what the library makes of it.
  return Number.isFinite(quotient) ? quotient + 0 : a.div(b).toNumber();
}

/** As {@link inverseNotional}, on a grid of decimals. */
export const inverseNotionalOn = (at: Price, of: Quantity, grid: QuotientGrid): Money =>
  quotientOnPlaces(of, at, grid) as Money;

/** price × quantity, in the quote unit (linear instruments and options). */
export const notional = (at: Price, of: Quantity): Money => at.mul(of) as unknown as Money;
/** quantity / price: coin value of a USD quantity (inverse perpetuals and futures). */
export const inverseNotional = (at: Price, of: Quantity): Money => of.div(at) as unknown as Money;
/** value / quantity: the average price of what was bought for `value`. */
export const averagePrice = (value: Money, of: Quantity): Price =>
  value.div(of) as unknown as Price;
export const averagePriceOn = (value: Money, of: Quantity, grid: QuotientGrid): Price =>
  quotientOnPlaces(value, of, grid) as unknown as Price;
/** quantity / coin value: the average price of inverse contracts, harmonic by nature. */
export const averageInversePrice = (of: Quantity, coin: Money): Price =>
  of.div(coin) as unknown as Price;
export const averageInversePriceOn = (of: Quantity, coin: Money, grid: QuotientGrid): Price =>
  quotientOnPlaces(of, coin, grid) as unknown as Price;
export const share = <T extends Quantity | Money>(of: T, by: Ratio): T =>
  of.mul(by) as unknown as T;
/** `of` × numerator / denominator, on a grid of decimals. */
export const proportionOn = <T extends Quantity | Money>(
  of: T,
  { numerator, denominator, ...grid }: Part & QuotientGrid,
): T => quotientOnPlaces(of.mul(numerator), decimalOf(denominator), grid) as T;
/** `of` × numerator / denominator as a multiple of `step`. */
export const proportionOnStep = <T extends Quantity | Money>(
  of: T,
  step: T,
  { numerator, denominator, rounding }: Part & { readonly rounding: Rounding },
): T =>
  step.mul(
    quotientOnPlaces(of.mul(numerator), step.mul(denominator), { places: 0, rounding }),
  ) as unknown as T;
/** `of` × numerator / denominator in exact decimal arithmetic; off the lot grid. */
export const proportion = <T extends Quantity | Money>(
  of: T,
  numerator: number,
  denominator: number,
): T => of.mul(numerator).div(denominator) as unknown as T;

export const onStep = <T extends AnyAmount>(value: T, step: T, rounding: Rounding): T =>
  toStep(value, step, rounding);
export const isMultiple = <T extends AnyAmount>(value: T, step: T): boolean =>
  isOnStep(value, step);
export const rounded = <T extends AnyAmount>(value: T, places: number, rounding: Rounding): T =>
  value.toDecimalPlaces(places, rounding) as T;

/** Number of whole steps (lots, ticks) that fit; exact as long as the count is below 2^53. */
export const stepsIn = <T extends AnyAmount>(value: T, step: T): number => stepsBelow(value, step);
/** `count` steps of `step`. */
export const steps = <T extends AnyAmount>(step: T, count: number): T =>
  step.mul(count) as unknown as T;

/** The same of a count that may be beyond 2^53. */
export const manySteps = <T extends AnyAmount>(step: T, count: bigint): T =>
  step.mul(writtenDecimal(String(count))) as unknown as T;

/** Plain digits for JSON, SQL and logs. */
export const text = (value: AnyAmount): string => formatDecimal(value);
/** A float for models and metrics only. */
export const toNumber = (value: AnyAmount): number => value.toNumber();
