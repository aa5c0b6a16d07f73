// Fits words into narrow terminals: a word is shown whole or left out, and an ellipsis marks text that had to
// be cut. Colour codes take no columns and are always closed.
import { columnsOf, columnsOfCharacter } from '../../../values/printable.ts';

const ESCAPE = '\u001b';
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOUR = /(\u001b\[[\d;]*m)/;

/** Number of columns that a line takes. */
export const widthOf = columnsOf;

/** Pads the text with spaces to the given number of columns. */
export const padEnd = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));

/** Returns the line, cut to `columns` (at least 1) with a trailing ellipsis if it is longer. */
export function cut(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  let room = columns - 1;
  let kept = '';
  let isFull = false;
  for (const part of line.split(COLOUR)) {
    if (part.startsWith(ESCAPE)) kept += part;
    else if (!isFull) {
      const fitting = beginningOf(part, room);
      isFull = fitting.length < part.length;
      kept += isFull ? `${fitting}…` : fitting;
      room -= widthOf(fitting);
    }
  }
  return kept;
}

/** Never ends within a character. */
function beginningOf(text: string, room: number): string {
  let kept = '';
  let taken = 0;
  for (const character of text) {
    taken += columnsOfCharacter(character);
    if (taken > room) break;
    kept += character;
  }
  return kept;
}

/** Returns the first line that fits, or else the last one, cut. */
export function firstFitting(lines: readonly string[], columns: number): string {
  return lines.find((line) => widthOf(line) <= columns) ?? cut(lines.at(-1) ?? '', columns);
}

/** Wraps words into lines of at most `columns`; a word that fits in no line is left out. */
export function flowed(
  words: readonly string[],
  {
    gap,
    columns,
    linesMax,
  }: { readonly gap: string; readonly columns: number; readonly linesMax: number },
): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    const longer = `${last}${gap}${word}`;
    if (last !== undefined && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else if (lines.length < linesMax) lines.push(cut(word, columns));
  }
  return lines;
}
