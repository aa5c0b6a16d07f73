// The judge of the option formulas: the same definitions in 70-digit arithmetic, by series that the code under test does
// not use. It answers a call out of the money; the other options follow by symmetry and parity.
import { BigNumber } from 'bignumber.js';
import type { OptionTerms } from '../../src/quant/black-76.ts';

/** Significant digits carried; at most ten of them are lost to cancellation. */
const DIGITS = 70;
const Big = BigNumber.clone({ DECIMAL_PLACES: DIGITS + 10, EXPONENTIAL_AT: 1 });

const LN_10 = new Big(
  '2.3025850929940456840179914546843642076011014886287729760333279009675726096773524802',
);
const PI = new Big(
  '3.1415926535897932384626433832795028841971693993751058209749445923078164062862089986',
);
const INVERSE_SQRT_TWO_PI = new Big(1).div(PI.times(2).sqrt());
const HALVINGS = 8;
const NEGLIGIBLE = new Big(1).shiftedBy(-DIGITS - 8);
/** Below this the cumulative probability is a continued fraction, above it a power series. */
const TAIL_FROM = -6;

/** The double itself, not the shortest decimal number that reads as it. */
export const big = (value: number): BigNumber => new Big(value.toPrecision(100));

const product = (...factors: readonly BigNumber[]): BigNumber =>
  factors.reduce((all, factor) => all.times(factor).precision(DIGITS + 8));

/** The sum of terms that end by becoming negligible. */
function sumOf(first: BigNumber, next: (term: BigNumber, n: number) => BigNumber): BigNumber {
  let [sum, term] = [first, first];
  for (let n = 1; term.abs().isGreaterThan(NEGLIGIBLE); n += 1) {
    term = next(term, n).precision(DIGITS + 8);
    sum = sum.plus(term);
  }
  return sum;
}

/** e^x, by powers of ten, halving and the Taylor series. */
function preciseExp(x: BigNumber): BigNumber {
  const tens = x.div(LN_10).integerValue().toNumber();
  const rest = x.minus(LN_10.times(tens)).div(2 ** HALVINGS);
  let power = sumOf(new Big(1), (term, n) => term.times(rest).div(n));
  for (let times = 0; times < HALVINGS; times += 1) power = product(power, power);
  return power.shiftedBy(tens);
}

/** ln v: the double nearest to it, corrected by the series of ln(1 + ε), whose terms fall by 1e-16 each. */
function preciseLog(v: BigNumber): BigNumber {
  const guess = big(Math.log(v.toNumber()));
  const excess = product(v, preciseExp(guess.negated())).minus(1);
  const powers = [1, 2, 3, 4, 5].map((n) => excess.pow(n).div(n % 2 === 0 ? -n : n));
  return powers.reduce((sum, term) => sum.plus(term), guess).precision(DIGITS + 8);
}

/** φ(d); a product, because divisions keep a number of places and not of digits. */
const preciseDensity = (d: BigNumber): BigNumber =>
  product(preciseExp(product(d, d).div(-2)), INVERSE_SQRT_TWO_PI);

/** Φ(d)/φ(d) = 1/(|d| + 1/(|d| + 2/(|d| + …))), for d well below 0: P. S. de Laplace. */
export function millsRatio(d: BigNumber): BigNumber {
  const size = d.abs();
  let fraction = size;
  for (let n = 60 + Math.ceil(6_000 / size.toNumber() ** 2); n > 0; n -= 1) {
    fraction = size.plus(new Big(n).div(fraction));
  }
  return new Big(1).div(fraction);
}

/** By the continued fraction, for d well below 0. */
export const byFraction = (d: BigNumber): BigNumber => product(preciseDensity(d), millsRatio(d));

/** ½ + φ(d)·(d + d³/3 + d⁵/15 + …). */
export function bySeries(d: BigNumber): BigNumber {
  const square = product(d, d);
  const sum = sumOf(d, (term, n) => term.times(square).div(2 * n + 1));
  return product(preciseDensity(d), sum).plus(0.5);
}

const cumulative = (d: BigNumber): BigNumber =>
  d.isLessThan(TAIL_FROM) ? byFraction(d) : bySeries(d);

/** The time value in USD, to 55 digits or more where it exceeds 1e-300 of the forward. */
export function preciseTimeValue(terms: OptionTerms, volatility: number): BigNumber {
  const low = big(Math.min(terms.forward, terms.strike));
  const high = big(Math.max(terms.forward, terms.strike));
  const deviation = product(big(terms.years).sqrt(), big(volatility));
  const x = preciseLog(low.div(high));
  const centre = x.div(deviation);
  const half = deviation.div(2);
  return low
    .times(cumulative(centre.plus(half)))
    .minus(high.times(cumulative(centre.minus(half))))
    .precision(DIGITS);
}

/** The price in USD. */
export function precisePrice(terms: OptionTerms, volatility: number): BigNumber {
  const { type, forward, strike } = terms;
  const inside = big(type === 'call' ? forward : strike).minus(
    big(type === 'call' ? strike : forward),
  );
  return preciseTimeValue(terms, volatility).plus(BigNumber.max(0, inside));
}

/** |actual − expected| over expected, judged in high precision. */
export const errorAgainst = (expected: BigNumber, actual: number): number =>
  big(actual).minus(expected).div(expected).abs().toNumber();
