// Division of whole numbers with a named rounding: remainders are exact where quotients of floats are not.

/** How a result that does not fit its grid is brought onto it; `half_up` rounds ties away from zero. */
export type Rounding = 'down' | 'up' | 'half_up' | 'half_even';

/** `value` / `by` as a whole number. Both whole and below 2^53, `by` > 0. */
export function wholeQuotient(value: number, by: number, rounding: Rounding): number {
  const rest = value % by;
  const toZero = (value - rest) / by;
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
