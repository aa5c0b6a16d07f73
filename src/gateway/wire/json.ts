// Parses JSON without losing a digit, and refuses what could harm later processing: deep nesting, prototype
// keys, huge arrays, text that no database stores.

/** A number as it was written, used where a JavaScript number could not represent every digit of it. */
export class NumberText {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Not JSON, or JSON of a shape that is never accepted. The message may be shown to the client. */
export class MalformedJson extends Error {
  override readonly name = 'MalformedJson';
}

export const DEPTH_MAX = 16;
export const ARRAY_LENGTH_MAX = 1_000;

/** Up to this many characters, a number that is parsed and serialised is the same text or visibly different. */
const EXACT_TEXT_LENGTH = 15;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** @throws MalformedJson when `bytes` are not UTF-8 JSON within the limits above. */
export function parseJson(bytes: Uint8Array): unknown {
  return parseJsonText(decode(bytes));
}

/** @throws MalformedJson when `text` is not JSON within the limits above. */
export function parseJsonText(text: string): unknown {
  boundDepth(text);
  try {
    if (isPlain(text)) return JSON.parse(text);
    return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
  } catch (error) {
    if (error instanceof MalformedJson) throw error;
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    throw new MalformedJson(
      `is not JSON${at === undefined ? '' : ` (character ${at})`}; accepted: one JSON object`,
    );
  }
}

/** Shorter text cannot contain an array that is too long. */
const PLAIN_LENGTH_MAX = 2 * ARRAY_LENGTH_MAX;
/** Escapes, which may hide a forbidden key or half a surrogate pair, and the forbidden keys themselves. */
const SUSPECT_TEXT = /\\|__proto__|constructor|prototype/;
/**
 * A number that JavaScript may not write as it was sent: negative, with an exponent, with a zero at its end, below
 * 1e-6, or of more than 15 characters.
 */
const INEXACT_NUMBER =
  /(?:^|[[:,\s])(?=[-\d])(?!(?=[\d.]{1,15}(?:[\s,\]}]|$))(?!0\.0{6})\d+(?:\.\d*[1-9])?(?:[\s,\]}]|$))/;

/**
 * Whether `JSON.parse` returns the same with and without the reviver, which costs a call for every value; most
 * requests are such text. It may be false for plain text too, as strings are searched like numbers.
 */
function isPlain(text: string): boolean {
  return (
    text.length < PLAIN_LENGTH_MAX &&
    !SUSPECT_TEXT.test(text) &&
    !INEXACT_NUMBER.test(text) &&
    text.isWellFormed()
  );
}

/** Text that survives UTF-8 and SQL: no lone surrogate, no NUL. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Skips a byte order mark. */
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    // Unexamined: the decoder throws a TypeError for bytes that are not UTF-8, and nothing else.
    throw new MalformedJson('is not UTF-8; accepted: JSON in UTF-8');
  }
}

const DEPTH_OPENINGS = new RegExp(`(?:[[{][^[{]*){${DEPTH_MAX + 1}}`);

/** The reviver of `JSON.parse` is recursive, so the depth is bounded before it runs. */
function boundDepth(text: string): void {
  if (!DEPTH_OPENINGS.test(text)) return;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > DEPTH_MAX) {
        throw new MalformedJson(`nests too deep; accepted: at most ${DEPTH_MAX} levels`);
      }
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}

function revive(key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (FORBIDDEN_KEYS.has(key)) throw new MalformedJson(`has the key "${key}", which is refused`);
  if (!isStorable(key) || (typeof value === 'string' && !isStorable(value))) {
    throw new MalformedJson('has text with a NUL or half a surrogate pair; accepted: Unicode text');
  }
  if (typeof value === 'number') return exactNumber(value, context.source ?? String(value));
  if (Array.isArray(value) && value.length > ARRAY_LENGTH_MAX) {
    throw new MalformedJson(
      `has an array of ${value.length}; accepted: at most ${ARRAY_LENGTH_MAX}`,
    );
  }
  return value;
}

function exactNumber(value: number, source: string): number | NumberText {
  return source.length <= EXACT_TEXT_LENGTH && String(value) === source
    ? value
    : new NumberText(source);
}
