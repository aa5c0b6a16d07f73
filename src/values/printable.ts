// The one place that makes text safe to display: whatever could move a cursor, recolour or clear a terminal, start a
// new line, or reorder or hide characters is replaced by a visible escape. It also computes how many columns a text
// takes, so that tables cut and pad correctly.

/**
 * Control and format characters (C0, C1, ESC, bidirectional marks, zero-width characters, BOM), line and paragraph
 * separators, lone surrogates, and everything else that is invisible by definition, such as variation selectors.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Most text is plain ASCII, and testing for that is much cheaper. */
const IS_BEYOND_ASCII = /[^ -~]/;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** `\n`, `\x1b`, `\u202e`, `\u{e0001}`. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xff_ff) return `\\u{${hex}}`;
  if (code > 0xff) return `\\u${hex.padStart(4, '0')}`;
  return SHORT[character] ?? `\\x${hex.padStart(2, '0')}`;
}

/** One line of text with everything unsafe made visible. Safe text is returned unchanged. */
export const printable = (text: string): string =>
  IS_BEYOND_ASCII.test(text) ? text.replace(UNSAFE, visible) : text;

/** A copy of plain data in which every string is printable, field names included. */
export function printableData<T>(data: T): T {
  return made(data) as T;
}

function made(data: unknown): unknown {
  if (typeof data === 'string') return printable(data);
  if (Array.isArray(data)) return data.map(made);
  if (typeof data !== 'object' || data === null || !isPlain(data)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, one]) => [printable(name), made(one)]),
  );
}

function isPlain(data: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(data);
  return prototype === Object.prototype || prototype === null;
}

/** The colours this program emits. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOUR = /(\u001b\[[\d;]*m)/;
/** The colours and cursor movements that `watch` and `top` draw with. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: movements begin with one.
const DRAWING = /(\u001b\[[\d;]*[mAHJK]|\u001b\[\?(?:1049|25)[hl]|\r|\n)/;

/** Several lines of text that this program coloured itself: its colours and line ends are kept. */
export const printableLines = (text: string): string => keeping(/(\n)/, text, printableCell);

/** One line of text, such as a table cell, that this program coloured itself: its colours are kept. */
export const printableCell = (text: string): string => keeping(COLOUR, text, printable);

/** A screen drawn by this program: its own cursor movements are kept. */
export const printableDrawing = (text: string): string => keeping(DRAWING, text, printable);

/** `kept` has one capturing group, so that `split` returns its matches at every odd index. */
function keeping(kept: RegExp, text: string, rest: (part: string) => string): string {
  if (!IS_BEYOND_ASCII.test(text)) return text;
  return text
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : rest(part)))
    .join('');
}

/**
 * JSON, on one or several lines, with unsafe characters escaped by code point: parsers read the same value, and it is
 * harmless on a terminal.
 */
export function printableJson(json: string): string {
  if (!IS_BEYOND_ASCII.test(json)) return json;
  return json.replace(UNSAFE, (character) =>
    character === '\n' ? character : byNumber(character),
  );
}

function byNumber(character: string): string {
  let numbers = '';
  for (let at = 0; at < character.length; at += 1) {
    numbers += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }
  return numbers;
}

const NO_COLUMN = /[\p{Mn}\p{Me}]/u;
/** East Asian wide and full-width characters, and emoji. */
const TWO_COLUMNS =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1aff0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** Columns taken by one printable character. */
export function columnsOfCharacter(character: string): 0 | 1 | 2 {
  if (!IS_BEYOND_ASCII.test(character)) return 1;
  if (NO_COLUMN.test(character)) return 0;
  return TWO_COLUMNS.test(character) ? 2 : 1;
}

/** Columns taken by printable text; colours take none. */
export function columnsOf(text: string): number {
  if (!IS_BEYOND_ASCII.test(text)) return text.length;
  let columns = 0;
  for (const [index, part] of text.split(COLOUR).entries()) {
    if (index % 2 === 1) continue;
    for (const character of part) columns += columnsOfCharacter(character);
  }
  return columns;
}
