// Decimal arithmetic of the checker: integers of 10^-30, so that nothing is rounded and nothing of `src` is used.

const PLACES = 30;
const ONE = 10n ** BigInt(PLACES);
const TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Converts a decimal of at most 30 places to an integer of 10^-30. */
export function units(text: string): bigint {
  const match = TEXT.exec(text);
  if (match === null) throw new Error(`not a decimal: "${text}"`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = PLACES + Number(exponent) - fraction.length;
  if (shift < 0) throw new Error(`more than ${PLACES} places: "${text}"`);
  const value = BigInt(whole + fraction) * 10n ** BigInt(shift);
  return sign === '-' ? -value : value;
}

/** The product of two numbers of units, in units; digits below 10^-30 are dropped. */
export const times = (a: bigint, b: bigint): bigint => (a * b) / ONE;

/** The quotient of two numbers of units, in units; digits below 10^-30 are dropped. */
export const over = (a: bigint, b: bigint): bigint => (a * ONE) / b;

export function decimalText(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '');
  const whole = digits.slice(0, -PLACES);
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export const sum = (values: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const value of values) total += value;
  return total;
};

/** Whether both are equal up to rounding of the last place that `text` shows. */
export function agrees(text: string, exact: bigint): boolean {
  const places = text.split('.')[1]?.length ?? 0;
  const step = 10n ** BigInt(Math.max(0, PLACES - places));
  const apart = units(text) - exact;
  return (apart < 0n ? -apart : apart) <= step;
}
