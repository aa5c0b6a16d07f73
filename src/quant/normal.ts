// The standard normal distribution: density, cumulative probability and its inverse, with high relative accuracy far
// into the tails, because option wings depend on nothing but the tails.
import { erfcx, erfNearZero } from './error-function.ts';
import { polynomial } from './polynomial.ts';

const INVERSE_SQRT_TWO_PI = 0.3989422804014327;
/** Below this |x| the error function is the cheaper way to the cumulative probability. */
const CENTRAL_MAX = 0.66;

/**
 * exp(−x²/2) without the rounding error of squaring: x is split into sixteenths, whose square is exact, and a small
 * remainder (a technique of Cody's CALERF).
 */
function expMinusHalfSquare(x: number): number {
  const coarse = Math.trunc(x * 16) / 16;
  const rest = (x - coarse) * (x + coarse);
  return Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * rest);
}

/** Density of the standard normal distribution. */
export const normalDensity = (x: number): number => INVERSE_SQRT_TWO_PI * expMinusHalfSquare(x);

/** Probability of a value at most `x`. Relative error about 1e-15 down to the smallest doubles. */
export function normalCdf(x: number): number {
  const size = Math.abs(x);
  if (size < CENTRAL_MAX) return 0.5 + 0.5 * erfNearZero(x * Math.SQRT1_2);
  const tail = size === Infinity ? 0 : 0.5 * erfcx(size * Math.SQRT1_2) * expMinusHalfSquare(size);
  return x < 0 ? tail : 1 - tail;
}

// Coefficients of M. J. Wichura, "Algorithm AS 241: the percentage points of the normal
// distribution", Applied Statistics 37 (1988), routine PPND16; highest power first.
const CENTRAL_TOP = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946,
  1971.5909503065513, 133.14166789178438, 3.3871328727963665,
];
const CENTRAL_BOTTOM = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751,
  687.1870074920579, 42.31333070160091, 1,
];
const TAIL_TOP = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684,
  3.6478483247632045, 5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const TAIL_BOTTOM = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008,
  0.6897673349851, 1.6763848301838038, 2.053191626637759, 1,
];
const FAR_TAIL_TOP = [
  2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124,
  0.29656057182850487, 1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const FAR_TAIL_BOTTOM = [
  2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133,
  0.014875361290850615, 0.1369298809227358, 0.599832206555888, 1,
];
const CENTRAL_HALF_WIDTH = 0.425;
const FAR_TAIL_FROM = 5;

/** The x whose cumulative probability is `probability`; ±Infinity at 1 and 0, NaN outside [0, 1]. */
export function normalQuantile(probability: number): number {
  const offset = probability - 0.5;
  if (Math.abs(offset) <= CENTRAL_HALF_WIDTH) {
    const r = CENTRAL_HALF_WIDTH * CENTRAL_HALF_WIDTH - offset * offset;
    return (offset * polynomial(CENTRAL_TOP, r)) / polynomial(CENTRAL_BOTTOM, r);
  }
  const tail = offset < 0 ? probability : 1 - probability;
  if (tail === 0) return offset < 0 ? -Infinity : Infinity;
  const depth = Math.sqrt(-Math.log(tail));
  const size =
    depth <= FAR_TAIL_FROM
      ? polynomial(TAIL_TOP, depth - 1.6) / polynomial(TAIL_BOTTOM, depth - 1.6)
      : polynomial(FAR_TAIL_TOP, depth - FAR_TAIL_FROM) /
        polynomial(FAR_TAIL_BOTTOM, depth - FAR_TAIL_FROM);
  return offset < 0 ? -size : size;
}
