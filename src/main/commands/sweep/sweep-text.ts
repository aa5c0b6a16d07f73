// A sweep as text: for each leg one line per setting, with means, errors and paired differences. Several settings are numbered, as
// for `--base`: next to their words a terminal has no room for the differences.
import type {
  SweepMeasure,
  SweepTable,
  SweptFigures,
  SweptLeg,
} from '../../../core/report/sweep/sweep-shapes.ts';
import { printable } from '../../../values/printable.ts';
import { notesText } from '../report/report-notes.ts';
import { cut } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';
import { type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn } from '../terminal/sheet-columns.ts';
import { wrapped } from '../terminal/wrapped-lines.ts';

/** The figures of one setting by measure. */
interface Line {
  /** Its number, or its words where there is no other. */
  readonly setting: string;
  readonly of: ReadonlyMap<SweepMeasure, SweptFigures>;
}

export function sweepText(sweep: SweepTable, columns: number): string {
  const { variants, windows, base, legs, notes } = sweep;
  const names = variants.map(({ name }) => name);
  const isNumbered = names.length > 1;
  const settings = isNumbered ? `${names.length} settings` : '1 setting';
  const on = windows === 1 ? '1 window' : `${windows} windows`;
  const head = `${settings} on ${on}; base: ${isNumbered ? names.indexOf(base) + 1 : printable(base)}`;
  return [
    paint.bold(cut(head, columns)),
    ...(isNumbered ? [numberedText(names, columns)] : []),
    ...legs.map((leg) => legText(leg, isNumbered ? names : [], columns)),
    notesText(notes.map(printable), columns),
  ].join('\n\n');
}

/** `  2  execution.randomSize=0.25`, wrapped below itself. */
function numberedText(names: readonly string[], columns: number): string {
  const digits = String(names.length).length;
  const indent = digits + 4;
  return names
    .flatMap((name, at) =>
      wrapped(printable(name), columns - indent).map((line, row) => {
        const number = row === 0 ? String(at + 1) : '';
        return `  ${number.padStart(digits)}  ${line}`;
      }),
    )
    .join('\n');
}

/** `numbered`: the settings in the order of their numbers; none if their words stand in the table. */
function legText(
  { leg, side, instrument, rows }: SweptLeg,
  numbered: readonly string[],
  columns: number,
): string {
  const lines = [...Map.groupBy(rows, ({ variant }) => variant)].map(([variant, own]): Line => {
    const setting = numbered.length === 0 ? variant : String(numbered.indexOf(variant) + 1);
    return { setting, of: new Map(own.map((one) => [one.measure, one])) };
  });
  const title = paint.bold(cut(printable(`leg ${leg + 1}: ${side} ${instrument}`), columns));
  return `${title}\n${sheetTable(COLUMNS, lines, columns)}`;
}

const fixed = (value: number | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : value.toFixed(2);
const percent = (value: number | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : `${(value * 100).toFixed(1)} %`;

type Of = 'mean' | 'standardError' | 'difference' | 'differenceError';

const figure =
  (measure: SweepMeasure, of: Of, shown: typeof percent = fixed) =>
  ({ of: by }: Line): string | undefined =>
    shown(by.get(measure)?.[of]);

/** Mean, its error, the difference from the base, its error. */
const costColumns = (
  measure: SweepMeasure,
  head: string,
  [mean, difference]: readonly [number, number],
): readonly SheetColumn<Line>[] => [
  amountColumn([`${measure}_bps`, `${head} bp`, mean], figure(measure, 'mean')),
  amountColumn([`${measure}_error`, '±', mean], figure(measure, 'standardError')),
  amountColumn([`${measure}_difference`, `Δ ${head}`, difference], figure(measure, 'difference')),
  amountColumn(
    [`${measure}_difference_error`, '±', difference],
    figure(measure, 'differenceError'),
  ),
];

const COLUMNS: readonly SheetColumn<Line>[] = [
  textColumn(['variant', 'setting', 0], ({ setting }) => setting),
  amountColumn(['runs', 'runs', 3], ({ of }) => String(of.get('filled')?.count ?? 0)),
  ...costColumns('arrival', 'arrival', [0, 1]),
  ...costColumns('twap', 'TWAP', [2, 4]),
  ...costColumns('vwap', 'VWAP', [5, 6]),
  amountColumn(['filled', 'filled', 2], figure('filled', 'mean', percent)),
  amountColumn(['maker', 'maker', 3], figure('maker', 'mean', percent)),
];
