// Plain values of the core as text, and back: maps, sets and decimals are tagged, everything else is JSON. Anything
// that text cannot hold, such as a function or an object with hidden state, is an error.
import { Decimal } from '../../src/values/decimal.ts';
import { emptyLayeredMap, type LayeredMap } from '../../src/values/layered-map.ts';

export const toText = (value: unknown): string => JSON.stringify(plain(value, '$'));

export const fromText = <T>(text: string): T =>
  JSON.parse(text, (_name, value: unknown) => revived(value)) as T;

function plain(value: unknown, path: string): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw unfit(path, value);
  if (value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)) {
    return value;
  }
  if (typeof value !== 'object') throw unfit(path, value);
  if (Array.isArray(value)) return value.map((one, index) => plain(one, `${path}[${index}]`));
  if (value instanceof Decimal) return { $decimal: value.toString() };
  if (value instanceof Map) return { $map: plain([...value], path) };
  if (value instanceof Set) return { $set: plain([...value], path) };
  // The newest layer comes first; it has to be added last.
  if (isLayered(value)) return { $layered: plain([...value.entries()].reverse(), path) };
  if (Object.getPrototypeOf(value) !== Object.prototype) throw unfit(path, value);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, plain(one, `${path}.${name}`)]),
  );
}

const unfit = (path: string, value: unknown): Error =>
  new Error(`${path} is ${String(value)}; accepted: plain values, maps, sets and decimals`);

const isLayered = (value: object): value is LayeredMap<unknown, unknown> =>
  Object.getPrototypeOf(value) === Object.getPrototypeOf(emptyLayeredMap());

/** Exact, also beyond the places that a decimal text of the interface may have. */
function decimalOf(text: string): Decimal {
  const [whole = '', places = ''] = text.replace('-', '').split('.');
  let value: Decimal = Decimal.zero;
  for (const [digits] of (whole + places).matchAll(/\d{1,15}/g)) {
    value = value.mul(10 ** digits.length).plus(Decimal.ofUnits(Number(digits), 0));
  }
  for (let left = places.length; left > 0; left -= 15) value = value.div(10 ** Math.min(left, 15));
  const signed = text.startsWith('-') ? value.negated() : value;
  if (signed.toString() === text) return signed;
  throw new Error(`${text} was read as ${signed.toString()}`);
}

function revived(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$decimal' in value) return decimalOf(String(value.$decimal));
  if ('$map' in value) return new Map(value.$map as [unknown, unknown][]);
  if ('$set' in value) return new Set(value.$set as unknown[]);
  if ('$layered' in value) {
    const entries = value.$layered as [unknown, unknown][];
    return entries.reduce((map, [key, one]) => map.with(key, one), emptyLayeredMap());
  }
  return value;
}
