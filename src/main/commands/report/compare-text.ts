// Reports on costs side by side as text, and as a table.
import type {
  ComparedLeg,
  Comparison,
  PairedFigures,
  WholeLeg,
} from '../../../core/report/comparison/comparison-shapes.ts';
import { type CsvRow, csvText } from '../terminal/csv-text.ts';
import { cut } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';
import { type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn } from '../terminal/sheet-columns.ts';
import { COMPARISON_COLUMNS } from './report-columns.ts';
import type { ReportTableRows } from './report-folder.ts';
import { notesText } from './report-notes.ts';

interface PairedRow extends PairedFigures {
  readonly report: string;
}

export function comparisonText(comparison: Comparison, columns: number): string {
  const { reports, legs, notes } = comparison;
  const heads = reports.map(
    ({ name, source, portfolio, strategy, status, start }) =>
      `${paint.bold(name)}  ${source}  ${strategy ?? `portfolio ${portfolio}`}  ${status}  ${start}`,
  );
  return [
    heads.map((line) => cut(line, columns)).join('\n'),
    ...legs.map((leg) => legText(leg, columns)),
    notesText(notes, columns),
  ].join('\n\n');
}

const legText = ({ leg, side, whole, paired }: ComparedLeg, columns: number): string =>
  [
    paint.bold(cut(`leg ${leg + 1}: ${side} ${whole[0]?.instrument ?? ''}`, columns)),
    sheetTable(WHOLE, whole, columns),
    paint.bold('paired slices, against A'),
    sheetTable(
      PAIRED,
      paired.flatMap(({ report, figures }) => figures.map((one) => ({ report, ...one }))),
      columns,
    ),
  ].join('\n');

const fixed = (value: number | null, places: number): string | undefined =>
  value === null ? undefined : value.toFixed(places);
const percent = (value: number | null): string | undefined =>
  value === null ? undefined : `${(value * 100).toFixed(2)} %`;

const WHOLE: readonly SheetColumn<WholeLeg>[] = [
  textColumn(['report', 'report', 0], ({ report }) => report),
  amountColumn(['filled', 'filled', 0], ({ filled }) => filled),
  amountColumn(['asked', 'of', 4], ({ asked }) => asked),
  amountColumn(['average', 'average', 3], ({ averagePrice }) =>
    fixed(averagePrice === null ? null : Number(averagePrice), 4),
  ),
  amountColumn(['arrival_bps', 'arrival bp', 0], ({ arrivalBps }) => fixed(arrivalBps, 2)),
  amountColumn(['twap_bps', 'TWAP bp', 1], ({ twapBps }) => fixed(twapBps, 2)),
  amountColumn(['vwap_bps', 'VWAP bp', 5], ({ vwapBps }) => fixed(vwapBps, 2)),
  amountColumn(['execution_bps', 'execution bp', 2], ({ executionBps }) => fixed(executionBps, 2)),
  amountColumn(['shortfall_bps', 'shortfall bp', 1], ({ shortfallBps }) => fixed(shortfallBps, 2)),
  amountColumn(['shortfall_usd', 'shortfall USD', 6], ({ shortfallUsd }) => fixed(shortfallUsd, 2)),
  amountColumn(['maker_share', 'maker', 4], ({ makerShare }) => percent(makerShare)),
  amountColumn(['slices', 'slices', 6], ({ slices }) => String(slices)),
];

const SHOWN_AS: Readonly<
  Record<PairedFigures['measure'], readonly [head: string, shown: typeof percent]>
> = {
  cost: ['cost, bp', (value) => fixed(value, 3)],
  price: ['price, bp', (value) => fixed(value, 3)],
  lateness: ['lateness, ms', (value) => fixed(value, 1)],
  filled: ['filled of plan', percent],
  maker: ['maker share', percent],
};

const figure =
  (of: 'first' | 'mean' | 'difference' | 'standardError') =>
  (row: PairedRow): string | undefined =>
    SHOWN_AS[row.measure][1](row[of]);

const PAIRED: readonly SheetColumn<PairedRow>[] = [
  textColumn(['report', 'report', 0], ({ report }) => report),
  textColumn(['measure', 'figure', 0], ({ measure }) => SHOWN_AS[measure][0]),
  amountColumn(['first', 'of A', 1], figure('first')),
  amountColumn(['mean', 'of it', 1], figure('mean')),
  amountColumn(['difference', 'difference', 0], figure('difference')),
  amountColumn(['standard_error', '± error', 0], figure('standardError')),
  amountColumn(['pairs', 'pairs', 0], ({ pairs }) => String(pairs)),
];

/** One row for each leg, report after the first, and figure. */
export const comparisonCsv = (comparison: Comparison): string =>
  csvText(pairedRows(comparison), Object.keys(COMPARISON_COLUMNS.paired));

export const comparisonTables = (comparison: Comparison): readonly ReportTableRows[] => [
  { name: 'paired', columns: COMPARISON_COLUMNS.paired, rows: pairedRows(comparison) },
];

function pairedRows({ reports, legs }: Comparison): readonly CsvRow[] {
  const sources = new Map(reports.map(({ name, source }) => [name, source]));
  return legs.flatMap(({ leg, side, paired }) =>
    paired.flatMap(({ report, pairedBy, unpaired, unpairedFirst, figures }) =>
      figures.map((one) => ({
        leg,
        side,
        report,
        source: sources.get(report),
        measure: one.measure,
        first: one.first,
        mean: one.mean,
        difference: one.difference,
        standard_error: one.standardError,
        pairs: one.pairs,
        paired_by: pairedBy,
        unpaired_first: unpairedFirst,
        unpaired,
      })),
    ),
  );
}
