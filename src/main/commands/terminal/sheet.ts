// A list as a table that fits the terminal, or as CSV with every column. What is the same in every row stands once in a line
// above the table, where its column may repeat. Columns that do not fit are left out, the least important ones first, and
// named below the table. A cell is never shortened: where even the columns that are always shown do not
// fit, each row is a block of lines instead.
import { printableCell } from '../../../values/printable.ts';
import { csvText } from './csv-text.ts';
import { widthOf } from './fitted-lines.ts';
import { paint } from './paint.ts';
import { tableText } from './table.ts';
import { type Fact, factLines, wrapped } from './wrapped-lines.ts';

export interface SheetColumn<T> {
  /** In CSV: `average_price`. */
  readonly name: string;
  /** In the table. */
  readonly head: string;
  readonly align?: 'left' | 'right';
  /** 0: always in the table; otherwise the larger ones are left out first, those of one rank together; CSV_ONLY: never. */
  readonly rank: number;
  /** What its rows mostly share, such as an instrument: the same in all of several rows, it stands once above the table. */
  readonly mayRepeat?: true;
  /** Absent or empty = not known, or does not apply. A column that is empty in every row is left out of the table. */
  readonly cell: (row: T) => string | undefined;
  /** In the table, where it differs from `cell`; may be coloured. */
  readonly shown?: (row: T) => string;
}

export const sheetCsv = <T>(columns: readonly SheetColumn<T>[], rows: readonly T[]): string =>
  csvText(
    rows.map((row) => Object.fromEntries(columns.map(({ name, cell }) => [name, cell(row)]))),
    columns.map(({ name }) => name),
  );

export const CSV_ONLY = Number.POSITIVE_INFINITY;

interface Shown {
  readonly column: Pick<SheetColumn<never>, 'head' | 'align' | 'rank'>;
  readonly cells: readonly string[];
  readonly width: number;
}

const GAP = 2;
const UNKNOWN = '–';

/** `width` in columns of the terminal. */
export function sheetTable<T>(
  columns: readonly SheetColumn<T>[],
  rows: readonly T[],
  width: number,
): string {
  const [shared, own] = sharedOf(columns, rows);
  const all = own.flatMap((column) => shownOf(column, rows));
  let kept = all;
  for (;;) {
    const last = Math.max(...kept.map(({ column }) => column.rank));
    if (last === 0 || totalWidth(kept) <= width) break;
    kept = kept.filter(({ column }) => column.rank < last);
  }
  const table =
    totalWidth(kept) <= width
      ? tableText(
          kept.map(({ column }) => column),
          rows.map((_, row) => kept.map(({ cells }) => cells[row] ?? '')),
        )
      : rows.map((_, row) => block(kept, row, width)).join('\n\n');
  const head = shared.length === 0 ? [] : wrapped(shared.join(', '), width).map(paint.bold);
  if (kept.length === all.length) return [...head, table].join('\n');
  const names = all.filter((one) => !kept.includes(one)).map(({ column }) => column.head);
  return [...head, table, ...leftOut(names, width)].join('\n');
}

/** The cells that are the same in all of several rows, with their heads, and the columns that remain. */
function sharedOf<T>(
  columns: readonly SheetColumn<T>[],
  rows: readonly T[],
): readonly [shared: readonly string[], own: readonly SheetColumn<T>[]] {
  const [first] = rows;
  const isShared = ({ mayRepeat, cell }: SheetColumn<T>): boolean => {
    if (mayRepeat === undefined || first === undefined || rows.length < 2) return false;
    const value = cell(first);
    return Boolean(value) && rows.every((row) => cell(row) === value);
  };
  const shared = columns
    .filter(isShared)
    .map(({ head, cell }) => `${head} ${printableCell((first && cell(first)) ?? '')}`);
  return [shared, columns.filter((column) => !isShared(column))];
}

const block = (shown: readonly Shown[], row: number, width: number): string =>
  factLines(
    shown.map(({ column, cells }): Fact => [column.head, cells[row] ?? '']),
    width,
  );

function shownOf<T>(column: SheetColumn<T>, rows: readonly T[]): Shown[] {
  if (column.rank === CSV_ONLY) return [];
  const { cell, shown = (row: T) => cell(row) ?? '' } = column;
  const cells = rows.map((row) => (cell(row) ? printableCell(shown(row)) : paint.dim(UNKNOWN)));
  if (column.rank > 0 && rows.every((row) => !cell(row))) return [];
  const width = Math.max(widthOf(column.head), ...cells.map(widthOf));
  return [{ column, cells, width }];
}

const totalWidth = (shown: readonly Shown[]): number =>
  shown.reduce((sum, { width }) => sum + width + GAP, -GAP);

/** Wrapped between names. */
function leftOut(names: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const [at, name] of names.entries()) {
    const word = at < names.length - 1 ? `${name},` : name;
    const longer = `${lines.at(-1) ?? 'too narrow for:'} ${word}`;
    if (widthOf(longer) <= width) lines[Math.max(0, lines.length - 1)] = longer;
    else if (lines.length === 0) lines.push('too narrow for:', `  ${word}`);
    else lines.push(`  ${word}`);
  }
  return lines.map((line) => paint.dim(line));
}
