// JSON in ASCII only, every other character escaped (`\u00e9`). It has as many bytes as characters, so its
// length is known before its pieces are concatenated, which HTTP then does once, together with its own header.

declare const isAscii: unique symbol;

/** JSON text in which every character is one byte. */
export type AsciiJson = string & { readonly [isAscii]: true };

/** Characters that JSON leaves unescaped but ASCII lacks; JSON has already escaped control characters. */
const IS_BEYOND = /[^ -~]/;
const BEYOND = /[^ -~]/g;

/** Serialises a value. */
export function asciiJson(value: unknown): AsciiJson {
  const json = JSON.stringify(value);
  return (IS_BEYOND.test(json) ? json.replace(BEYOND, escaped) : json) as AsciiJson;
}

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
