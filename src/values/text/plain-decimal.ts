// Decimals as other programs write them: `8.609e-05` as well as `0.00008609`.
import { isDecimalText } from '../decimal.ts';

const EXPONENTIAL = /^(-?)(\d{1,20})(?:\.(\d{1,20}))?[eE]([+-]?\d{1,2})$/;

/** The same number without an exponent, digit for digit; `undefined` if it is no decimal, or has too many digits. */
export function plainDecimal(text: string): string | undefined {
  if (isDecimalText(text)) return text;
  const match = EXPONENTIAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = ''] = match;
  const point = whole.length + Number(exponent);
  const digits = `${whole}${fraction}`.padEnd(point, '0');
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), '0');
  const at = Math.max(1, point);
  const [integer, rest] = [padded.slice(0, at).replace(/^0+(?=\d)/, ''), padded.slice(at)];
  const shown = `${sign}${integer}${rest === '' ? '' : `.${rest}`}`;
  return isDecimalText(shown) ? shown : undefined;
}

/** A fee as a fraction of the value, negative for a rebate: below a tenth. `undefined` for anything else. */
export function writtenFee(text: string): string | undefined {
  const fee = plainDecimal(text);
  return fee !== undefined && Math.abs(Number(fee)) < 0.1 ? fee : undefined;
}

export const FEE_ACCEPTED = 'a fraction of the value below 0.1, such as 0.0005, or -0.0001';
