// Division of whole numbers with a named rounding: remainders are exact where quotients of floats are not.

/** How a result off its grid is rounded onto it; `half_up` rounds ties away from zero. */
export type Rounding = 'down' | 'up' | 'half_up' | 'half_even';

/** `value` / `by` as a whole number. Both must be whole and below 2^53, and `by` > 0. */
export function wholeQuotient(value: number, by: number, rounding: Rounding): number {
  const rest = value % by;
  return settled({ toZero: (value - rest) / by, rest, by }, rounding);
}

const WHOLE_MAX = Number.MAX_SAFE_INTEGER;

/**
 * `value` · 10^`raise` / `by` as a whole number, by long division a few digits at a time, so that no intermediate
 * result exceeds 2^53. Arguments as for {@link wholeQuotient}; `undefined` if the quotient is not below 2^53, or if
 * `by` is too large for one digit at a time.
 */
export function raisedQuotient(
  value: number,
  by: number,
  { raise, rounding }: { readonly raise: number; readonly rounding: Rounding },
): number | undefined {
  const amount = Math.abs(value);
  let rest = amount % by;
  let quotient = (amount - rest) / by;
  for (let left = raise; left > 0; ) {
    let [digits, step] = [1, 10];
    if (by * step > WHOLE_MAX) return undefined;
    while (digits < left && by * step * 10 <= WHOLE_MAX) {
      digits += 1;
      step *= 10;
    }
    const raised = rest * step;
    rest = raised % by;
    quotient = quotient * step + (raised - rest) / by;
    if (quotient >= WHOLE_MAX) return undefined;
    left -= digits;
  }
  const sign = value < 0 ? -1 : 1;
  return settled({ toZero: sign * quotient, rest: sign * rest, by }, rounding);
}

interface Division {
  /** The quotient, truncated towards zero. */
  readonly toZero: number;
  /** The remainder; it has the sign of the dividend. */
  readonly rest: number;
  readonly by: number;
}

function settled({ toZero, rest, by }: Division, rounding: Rounding): number {
  if (rest === 0) return toZero;
  switch (rounding) {
    case 'down':
      return rest < 0 ? toZero - 1 : toZero;
    case 'up':
      return rest > 0 ? toZero + 1 : toZero;
    case 'half_up':
      return Math.abs(rest) * 2 >= by ? toZero + Math.sign(rest) : toZero;
    case 'half_even': {
      const twice = Math.abs(rest) * 2;
      const isAway = twice > by || (twice === by && toZero % 2 !== 0);
      return isAway ? toZero + Math.sign(rest) : toZero;
    }
  }
}

/** The same for big integers, without a bound; `by` must not be zero. */
export function bigQuotient(value: bigint, by: bigint, rounding: Rounding): bigint {
  if (by < 0n) return bigQuotient(-value, -by, rounding);
  const rest = value % by;
  const toZero = value / by;
  if (rest === 0n) return toZero;
  const away = rest < 0n ? toZero - 1n : toZero + 1n;
  switch (rounding) {
    case 'down':
      return rest < 0n ? away : toZero;
    case 'up':
      return rest < 0n ? toZero : away;
    case 'half_up':
      return twice(rest) >= by ? away : toZero;
    case 'half_even':
      return twice(rest) > by || (twice(rest) === by && toZero % 2n !== 0n) ? away : toZero;
  }
}

const twice = (rest: bigint): bigint => (rest < 0n ? -rest : rest) * 2n;
