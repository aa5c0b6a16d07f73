// Plain values of the core as text, and back, exactly: maps, sets, decimals and undefined fields are tagged, everything
// else is JSON. Anything that text cannot hold, such as a function or an object with hidden state, is an error.
import { Decimal, formatDecimal, writtenDecimal } from '../../../values/decimal.ts';
import { emptyLayeredMap, type LayeredMap } from '../../../values/layered-map.ts';

export const toText = (value: unknown): string => JSON.stringify(plain(value, '$'));

/** Reads what {@link toText} wrote; throws for other text. The caller knows what was written. */
export const fromText = <T>(text: string): T => revived(JSON.parse(text)) as T;

function plain(value: unknown, path: string): unknown {
  if (value === undefined) return { $undefined: 1 };
  if (typeof value === 'number' && !Number.isFinite(value)) throw unfit(path, value);
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  if (typeof value !== 'object') throw unfit(path, value);
  if (Array.isArray(value)) return value.map((one, index) => plain(one, `${path}[${index}]`));
  if (value instanceof Decimal) return { $decimal: formatDecimal(value) };
  if (value instanceof Map) return { $map: plain([...value], path) };
  if (value instanceof Set) return { $set: plain([...value], path) };
  // The newest layer comes first; it has to be added last.
  if (isLayered(value)) return { $layered: plain([...value.entries()].reverse(), path) };
  if (Object.getPrototypeOf(value) !== Object.prototype) throw unfit(path, value);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [escaped(name), plain(one, `${path}.${name}`)]),
  );
}

const unfit = (path: string, value: unknown): Error =>
  new Error(`${path} is ${String(value)}; accepted: plain values, maps, sets and decimals`);

export const isLayered = (value: unknown): value is LayeredMap<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) === Object.getPrototypeOf(emptyLayeredMap());

function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [tag, content] = entries[0] ?? [];
  switch (tag) {
    case '$undefined':
      return undefined;
    case '$decimal':
      return writtenDecimal(String(content));
    case '$map':
      return new Map(entriesOf(content));
    case '$set':
      return new Set(revived(content) as unknown[]);
    case '$layered':
      return entriesOf(content).reduce((map, [key, one]) => map.with(key, one), emptyLayeredMap());
    default:
      return Object.fromEntries(entries.map(([name, one]) => [unescaped(name), revived(one)]));
  }
}

const entriesOf = (content: unknown): [unknown, unknown][] =>
  revived(content) as [unknown, unknown][];

/** Clients name fields as they like: none may pass for a tag. */
const escaped = (name: string): string => (name.startsWith('$') ? `$${name}` : name);
const unescaped = (name: string): string => (name.startsWith('$$') ? name.slice(1) : name);
