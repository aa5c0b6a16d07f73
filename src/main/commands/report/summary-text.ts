// What many portfolios cost, as text and as a table.

import type {
  CostSummary,
  Distribution,
  GroupCosts,
  LegFigures,
} from '../../../core/report/summary/cost-summary-shapes.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { type CsvRow, csvText } from '../terminal/csv-text.ts';
import { cut } from '../terminal/fitted-lines.ts';
import { paint } from '../terminal/paint.ts';
import { type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn } from '../terminal/sheet-columns.ts';
import { SUMMARY_COLUMNS } from './report-columns.ts';
import type { ReportTableRows } from './report-folder.ts';
import { notesText } from './report-notes.ts';

export function summaryText(summary: CostSummary, columns: number): string {
  const { portfolios, all, groups, trend, worst, notes } = summary;
  const change =
    trend.bpsPerWeek === null
      ? ''
      : `\nchange a week: ${fixed(trend.bpsPerWeek)} ± ${fixed(trend.standardError)} bp`;
  const title = (words: string, table: string): string => `${paint.bold(words)}\n${table}`;
  return [
    cut(`${counted(portfolios, 'portfolio')}, execution in basis points`, columns),
    sheetTable(GROUP, [all], columns),
    ...groups.map(({ by, rows }) => title(`by ${by}`, sheetTable(GROUP, rows, columns))),
    title('by week', sheetTable(GROUP, trend.weeks, columns)) + change,
    title('worst legs', sheetTable(WORST, worst, columns)),
    notesText(notes, columns),
  ].join('\n\n');
}

const fixed = (value: number | null): string | undefined => value?.toFixed(2);

const executionColumn = (
  name: string,
  head: string,
  rank: number,
  of: (distribution: Distribution) => number | null,
): SheetColumn<GroupCosts> =>
  amountColumn([name, head, rank], ({ execution }) => fixed(of(execution)));

const GROUP: readonly SheetColumn<GroupCosts>[] = [
  textColumn(['name', '', 0], ({ name }) => name),
  amountColumn(['legs', 'legs', 0], ({ legs }) => String(legs)),
  amountColumn(['usd', 'USD', 1], ({ usd }) => fixed(usd)),
  executionColumn('mean', 'mean', 0, ({ mean }) => mean),
  executionColumn('standard_error', '± error', 0, ({ standardError }) => standardError),
  executionColumn('least', 'least', 3, ({ least }) => least),
  executionColumn('lower_quartile', 'quartile', 2, ({ lowerQuartile }) => lowerQuartile),
  executionColumn('median', 'median', 1, ({ median }) => median),
  executionColumn('upper_quartile', 'quartile', 2, ({ upperQuartile }) => upperQuartile),
  executionColumn('greatest', 'greatest', 3, ({ greatest }) => greatest),
  amountColumn(['shortfall', 'shortfall', 4], ({ shortfall }) => fixed(shortfall.mean)),
  amountColumn(['arrival', 'arrival', 5], ({ arrival }) => fixed(arrival.mean)),
];

const WORST: readonly SheetColumn<LegFigures>[] = [
  textColumn(['portfolio', 'portfolio', 0], ({ portfolio }) => portfolio),
  amountColumn(['leg', 'leg', 0], ({ leg }) => String(leg + 1)),
  textColumn(['strategy', 'strategy', 3], ({ strategy }) => strategy ?? undefined),
  textColumn(['side', 'side', 2], ({ side }) => side),
  textColumn(['instrument', 'instrument', 1], ({ instrument }) => instrument),
  textColumn(['start', 'start', 4], ({ start }) => start.slice(0, 16)),
  amountColumn(['usd', 'USD', 0], ({ usd }) => fixed(usd)),
  amountColumn(['shortfall_bps', 'shortfall bp', 2], ({ shortfallBps }) => fixed(shortfallBps)),
];

const distributionCells = (name: string, of: Distribution) => ({
  [`${name}_count`]: of.count,
  [`${name}_mean`]: of.mean,
  [`${name}_standard_error`]: of.standardError,
  [`${name}_least`]: of.least,
  [`${name}_lower_quartile`]: of.lowerQuartile,
  [`${name}_median`]: of.median,
  [`${name}_upper_quartile`]: of.upperQuartile,
  [`${name}_greatest`]: of.greatest,
});

/** One row for each group of each kind, and for each week. */
export const summaryCsv = (summary: CostSummary): string =>
  csvText(groupRows(summary), Object.keys(SUMMARY_COLUMNS.groups));

export const summaryTables = (summary: CostSummary): readonly ReportTableRows[] => [
  { name: 'groups', columns: SUMMARY_COLUMNS.groups, rows: groupRows(summary) },
];

function groupRows({ all, groups, trend }: CostSummary): readonly CsvRow[] {
  const kinds = [{ by: 'all', rows: [all] }, ...groups, { by: 'week', rows: trend.weeks }];
  return kinds.flatMap(({ by, rows }) =>
    rows.map(({ name, legs, usd, legsWithoutUsd, execution, shortfall, arrival }) => ({
      by,
      name,
      legs,
      usd,
      legs_without_usd: legsWithoutUsd,
      ...distributionCells('execution_bps', execution),
      ...distributionCells('shortfall_bps', shortfall),
      ...distributionCells('arrival_bps', arrival),
    })),
  );
}
