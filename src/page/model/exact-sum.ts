// Sums, products and comparisons of decimal texts without floats: a margin or a position that is shown is the daemon's to the
// last digit, and a size that is sent is exact.

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

interface Scaled {
  readonly units: bigint;
  /** Digits behind the point. */
  readonly scale: number;
}

/** The sum of two decimal texts, without trailing zeros; `undefined` if one is none. */
export function exactSum(one: string, other: string): string | undefined {
  const both = aligned(one, other);
  return both && textOf(both[0] + both[1], both[2]);
}

/** The product of two decimal texts, without trailing zeros; `undefined` if one is none. */
export function exactProduct(one: string, other: string): string | undefined {
  const [a, b] = [scaled(one), scaled(other)];
  if (a === undefined || b === undefined) return undefined;
  return textOf(a.units * b.units, a.scale + b.scale);
}

/** The multiple of `step` nearest to a decimal text that is not negative, halves up; `undefined` if one is none. */
export function nearestMultiple(text: string, step: string): string | undefined {
  const both = aligned(text, step);
  if (both === undefined || both[0] < 0n || both[1] <= 0n) return undefined;
  const [units, stepUnits, scale] = both;
  return textOf(((2n * units + stepUnits) / (2n * stepUnits)) * stepUnits, scale);
}

/** Whether the first is greater than the second; `undefined` if one is no decimal. */
export function isGreater(one: string, other: string): boolean | undefined {
  const both = aligned(one, other);
  return both && both[0] > both[1];
}

function aligned(one: string, other: string): readonly [bigint, bigint, number] | undefined {
  const [a, b] = [scaled(one), scaled(other)];
  if (a === undefined || b === undefined) return undefined;
  const scale = Math.max(a.scale, b.scale);
  const at = ({ units, scale: own }: Scaled): bigint => units * 10n ** BigInt(scale - own);
  return [at(a), at(b), scale];
}

function scaled(text: string): Scaled | undefined {
  const found = DECIMAL.exec(text);
  if (found === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = found;
  return { units: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

function textOf(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
