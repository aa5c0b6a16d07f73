// A sweep as text: for each leg one line per setting, with means, errors and paired differences.
import type {
  Sweep,
  SweepMeasure,
  SweptFigures,
  SweptLeg,
} from '../../../core/report/sweep/sweep-shapes.ts';
import { printable } from '../../../values/printable.ts';
import { notesText } from '../report/report-notes.ts';
import { cut } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';
import { type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn } from '../terminal/sheet-columns.ts';

/** The figures of one setting by measure. */
interface Line {
  readonly variant: string;
  readonly of: ReadonlyMap<SweepMeasure, SweptFigures>;
}

export function sweepText(sweep: Sweep, columns: number): string {
  const { variants, windows, base, legs, notes } = sweep;
  const settings = variants.length === 1 ? '1 setting' : `${variants.length} settings`;
  const head = `${settings} on ${windows === 1 ? '1 window' : `${windows} windows`}; base: ${printable(base)}`;
  return [
    paint.bold(cut(head, columns)),
    ...legs.map((leg) => legText(leg, columns)),
    notesText(notes.map(printable), columns),
  ].join('\n\n');
}

function legText({ leg, side, instrument, rows }: SweptLeg, columns: number): string {
  const lines = [...Map.groupBy(rows, ({ variant }) => variant)].map(
    ([variant, own]): Line => ({ variant, of: new Map(own.map((one) => [one.measure, one])) }),
  );
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
  textColumn(['variant', 'setting', 0], ({ variant }) => variant),
  amountColumn(['runs', 'runs', 3], ({ of }) => String(of.get('filled')?.count ?? 0)),
  ...costColumns('arrival', 'arrival', [0, 1]),
  ...costColumns('twap', 'TWAP', [2, 4]),
  ...costColumns('vwap', 'VWAP', [5, 6]),
  amountColumn(['filled', 'filled', 2], figure('filled', 'mean', percent)),
  amountColumn(['maker', 'maker', 3], figure('maker', 'mean', percent)),
];
