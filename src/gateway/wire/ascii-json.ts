// JSON written in ASCII alone, every other character by its number (`\u00e9`): it has as many bytes as characters, so that
// its length is known before its pieces are put together, and HTTP puts them together once with its own header.

declare const isAscii: unique symbol;

/** JSON whose every character is one byte. */
export type AsciiJson = string & { readonly [isAscii]: true };

/** What JSON leaves as it is and ASCII does not have; control characters JSON has escaped already. */
const IS_BEYOND = /[^ -~]/;
const BEYOND = /[^ -~]/g;

/** A value as JSON. */
export function asciiJson(value: unknown): AsciiJson {
  const json = JSON.stringify(value);
  return (IS_BEYOND.test(json) ? json.replace(BEYOND, escaped) : json) as AsciiJson;
}

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
