// How figures and counts are written for people: thousands in groups, decimals of a tick, one noun or several. Decimals are
// text and stay exact. The page in a browser has it too, so it imports nothing.

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** With its thousands in groups, such as 1,234,567.5; text that is no decimal stays as it is. */
export function grouped(decimal: string): string {
  const found = DECIMAL.exec(decimal);
  if (found === null) return decimal;
  const [, sign, whole = '', fraction] = found;
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign}${groups}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Decimals that a tick size has: 1 of 0.5, 4 of 0.0005, 0 of 10. */
export const placesOf = (tick: string): number => {
  const [, , , fraction = ''] = DECIMAL.exec(tick) ?? [];
  return fraction.replace(/0+$/, '').length;
};

/** Rounded half away from zero to so many decimals, exactly, and grouped. `places` absent: as it is. */
export function atPlaces(decimal: string, places: number | undefined): string {
  const found = DECIMAL.exec(decimal);
  if (found === null || places === undefined) return grouped(decimal);
  const [, sign = '', whole = '', fraction = ''] = found;
  const kept = BigInt(whole + fraction.slice(0, places).padEnd(places, '0'));
  const units = String(fraction.charAt(places) >= '5' ? kept + 1n : kept).padStart(places + 1, '0');
  const split = units.length - places;
  const text = places === 0 ? units : `${units.slice(0, split)}.${units.slice(split)}`;
  return grouped(/[1-9]/.test(units) ? `${sign}${text}` : text);
}

/** `1 order`, `2,000 orders`. `many` is given where it is not the singular with an s. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(String(count))} ${count === 1 ? one : many}`;
