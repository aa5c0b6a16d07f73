// Plain data with decimals as JSON text, written by concatenation: for records of a few fields that takes less time than
// `JSON.stringify`, which calls back for each decimal.
import { Decimal } from '../decimal.ts';

/** How values are written for which JSON has no word of its own, or a text could be mistaken for one of them. */
export interface JsonWords {
  readonly text: (value: string) => string;
  readonly decimal: (value: Decimal) => string;
  readonly whole: (value: bigint) => string;
  /** An element of a list that is undefined; an undefined field is left out. */
  readonly nothing: string;
}

const SPACE = 0x20;
const TILDE = 0x7e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Text in quotes, as `JSON.stringify` writes it. */
export function quoted(text: string): string {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < SPACE || code > TILDE || code === QUOTE || code === BACKSLASH) {
      return JSON.stringify(text);
    }
  }
  return `"${text}"`;
}

/** Field names with their quotes and colon; code writes a few hundred of them, clients may choose others. */
const NAMES_MAX = 2_000;
const names = new Map<string, string>();

function nameText(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= NAMES_MAX) names.clear();
  const text = `${quoted(name)}:`;
  names.set(name, text);
  return text;
}

/** Writes numbers, records, lists and null as `JSON.stringify` does, and the rest in the given words. */
export function jsonWriter(words: JsonWords): (value: unknown) => string {
  const write = (value: unknown): string => {
    switch (typeof value) {
      case 'string':
        return words.text(value);
      case 'number':
        return Number.isFinite(value) ? String(value) : 'null';
      case 'boolean':
        return value ? 'true' : 'false';
      case 'undefined':
        return words.nothing;
      case 'bigint':
        return words.whole(value);
      default:
        return value === null ? 'null' : writeObject(value as object);
    }
  };
  const writeObject = (value: object): string => {
    if (value instanceof Decimal) return words.decimal(value);
    if (Array.isArray(value)) return writeList(value);
    let text = '';
    const fields = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(fields)) {
      const field = fields[name];
      if (field === undefined) continue;
      text += `${text === '' ? '{' : ','}${nameText(name)}${write(field)}`;
    }
    return text === '' ? '{}' : `${text}}`;
  };
  const writeList = (list: readonly unknown[]): string => {
    let text = '[';
    for (let at = 0; at < list.length; at += 1) {
      text += `${at === 0 ? '' : ','}${write(list[at])}`;
    }
    return `${text}]`;
  };
  return write;
}

/** The same text as `JSON.stringify` writes of plain data with decimals. */
export const jsonText: (value: unknown) => string = jsonWriter({
  text: quoted,
  decimal: (value) => `"${value.toJSON()}"`,
  whole: (value) => {
    throw new TypeError(`${value} is too large for a number of JSON`);
  },
  nothing: 'null',
});
