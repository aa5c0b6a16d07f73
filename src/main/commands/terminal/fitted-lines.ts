// Words on a terminal that may be too narrow for all of them: a word is there whole or not at all, and where
// there is no choice an ellipsis says that something is missing. Colours do not count, and are closed.
import { columnsOf, columnsOfCharacter } from '../../../values/printable.ts';

const ESCAPE = '\u001b';
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOUR = /(\u001b\[[\d;]*m)/;

/** Columns that a line takes. */
export const widthOf = columnsOf;

/** The text with spaces behind it, so that it takes so many columns. */
export const padEnd = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - widthOf(text)));

/** The line, or as much of it as `columns` (at least 1) hold, with an ellipsis in place of the rest. */
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

/** Without half a character at its end. */
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

/** The first of the lines that fits; the last one, cut, where none does. */
export function firstFitting(lines: readonly string[], columns: number): string {
  return lines.find((line) => widthOf(line) <= columns) ?? cut(lines.at(-1) ?? '', columns);
}

/** Words in lines of at most so many columns; a word for which no line has room is left out. */
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
