// Decimal text as Deribit writes it, brought to the grammar of `values/decimal.ts`: exponents are expanded, and the noise
// of the venue's own floats is removed. A double is exact to 15 significant digits, so that whatever is beyond them in
// 0.30000000000000004 was never meant.

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
const PLAIN = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,8})?$/;
const TEXT_LENGTH_MAX = 60;
const SIGNIFICANT_MAX = 15;
/** Digits on each side of the point that a decimal may have. */
const PLACES_MAX = 18;

/** `undefined` if it is no number, or beyond what a decimal holds. */
export function decimalDigits(text: string): string | undefined {
  if (text.length <= SIGNIFICANT_MAX && PLAIN.test(text)) return text;
  if (text.length > TEXT_LENGTH_MAX) return undefined;
  const parts = NUMBER.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', places = '', exponent = '0'] = parts;
  const all = `${whole}${places}`;
  const leading = all.length - all.replace(/^0+/, '').length;
  const { digits, carried } = rounded(all.slice(leading));
  // How many digits stand before the point; negative for zeros behind it.
  const before = whole.length + Number(exponent) - leading + carried;
  if (digits === '') return '0';
  if (before > PLACES_MAX) return undefined;
  if (before < -PLACES_MAX) return '0';
  return sign + pointed(digits, before);
}

/** To the significant digits of a double, without trailing zeros. */
function rounded(digits: string): { readonly digits: string; readonly carried: number } {
  if (digits.length <= SIGNIFICANT_MAX) return { digits: digits.replace(/0+$/, ''), carried: 0 };
  const kept = BigInt(digits.slice(0, SIGNIFICANT_MAX));
  const isUp = (digits[SIGNIFICANT_MAX] as string) >= '5';
  const text = String(isUp ? kept + 1n : kept);
  return { digits: text.replace(/0+$/, ''), carried: text.length - SIGNIFICANT_MAX };
}

function pointed(digits: string, before: number): string {
  if (before >= digits.length) return digits.padEnd(before, '0');
  const [whole, places] =
    before > 0
      ? [digits.slice(0, before), digits.slice(before)]
      : ['0', `${'0'.repeat(-before)}${digits}`];
  const kept = places.slice(0, PLACES_MAX).replace(/0+$/, '');
  return kept === '' ? whole : `${whole}.${kept}`;
}
