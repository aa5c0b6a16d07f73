// The report of `doctor` for people: a line for each thing looked at, with its mark, that reads in any width.
import { printableCell } from '../../../values/printable.ts';
import type { Judged, Level, Line } from '../../doctor/judge-venue.ts';
import { flowed, padEnd, widthOf } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';

const MARKS: Readonly<Record<Level, string>> = {
  fine: paint.green('✓'),
  note: paint.yellow('!'),
  fault: paint.red('✗'),
};

const NAME_COLUMNS = 14;
const INDENT = '  ';
/** Below it the name of a longer text has a line of its own. */
const NARROW = 60;
const COLUMNS_MAX = 120;
const LINES_MAX = 12;

export function doctorText(name: string, { parts }: Judged, columns: number): readonly string[] {
  const width = Math.min(columns, COLUMNS_MAX);
  return [
    paint.bold(name),
    ...parts.flatMap(({ title, lines }) => [
      '',
      paint.bold(title),
      // The venue chose some of the words.
      ...lines.flatMap((line) => lineText({ ...line, text: printableCell(line.text) }, width)),
    ]),
  ];
}

function lineText({ level, name, text }: Line, columns: number): readonly string[] {
  const mark = `${INDENT}${MARKS[level]} `;
  const isNarrow = columns < NARROW && widthOf(text) > columns - 4 - NAME_COLUMNS;
  const indent = isNarrow ? 4 : 4 + NAME_COLUMNS;
  const room = { gap: ' ', columns: Math.max(1, columns - indent), linesMax: LINES_MAX };
  const [first = '', ...rest] = flowed(text.split(' '), room);
  const further = rest.map((one) => `${' '.repeat(indent)}${one}`);
  if (isNarrow) return [`${mark}${name}`, `${' '.repeat(indent)}${first}`, ...further];
  return [`${mark}${padEnd(name, NAME_COLUMNS)}${first}`, ...further];
}
