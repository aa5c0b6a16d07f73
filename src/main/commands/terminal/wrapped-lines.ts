// Text in lines of a terminal, with nothing left out: wrapped between words, and within a word that is longer than a line.
import { stripVTControlCharacters } from 'node:util';
import { columnsOfCharacter } from '../../../values/printable.ts';
import { padEnd, widthOf } from './fitted-lines.ts';
import { paint } from './paint.ts';

/** Narrower than this nothing can be shown. */
const LEAST = 8;

/** A text that fits keeps its colours; a longer one loses them. */
export function wrapped(text: string, columns: number): readonly string[] {
  const room = Math.max(LEAST, columns);
  if (widthOf(text) <= room) return [text];
  const lines: string[] = [];
  for (const word of stripVTControlCharacters(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= room) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(...pieces(word, room));
  }
  return lines;
}

function pieces(word: string, room: number): readonly string[] {
  const found = [''];
  let taken = 0;
  for (const character of word) {
    const width = columnsOfCharacter(character);
    if (taken + width > room) {
      found.push('');
      taken = 0;
    }
    found[found.length - 1] += character;
    taken += width;
  }
  return found;
}

export type Fact = readonly [name: string, value: string];

const GAP = 1;

/** Each name, at least as wide as `least`, next to its value, which is wrapped below itself. */
export function factLines(facts: readonly Fact[], columns: number, least = 10): string {
  const beside = Math.max(least, ...facts.map(([name]) => widthOf(name))) + GAP;
  // Long names leave no room next to them.
  const isBelow = columns - beside < LEAST * 2;
  const indent = isBelow ? 2 : beside;
  return facts
    .flatMap(([name, value]) => {
      const [first = '', ...rest] = wrapped(value, columns - indent);
      const below = rest.map((line) => `${' '.repeat(indent)}${line}`);
      if (isBelow) {
        return [
          ...wrapped(name, columns).map(paint.dim),
          `${' '.repeat(indent)}${first}`,
          ...below,
        ];
      }
      return [`${paint.dim(padEnd(name, beside - GAP))} ${first}`, ...below];
    })
    .map((line) => line.trimEnd())
    .join('\n');
}
