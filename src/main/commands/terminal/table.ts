// Tables without borders: a painted head, columns two spaces apart, numbers right-aligned.
import Table from 'cli-table3';
import { printableCell } from '../../../values/printable.ts';
import { paint } from './paint.ts';

export interface Column {
  readonly head: string;
  readonly align?: 'left' | 'right';
}

const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

export function tableText(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const table = new Table({
    head: columns.map((column) => paint.bold(column.head)),
    colAligns: columns.map((column) => column.align ?? 'left'),
    chars: NO_LINES,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) table.push(row.map(printableCell));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
