// Tables of the report on costs: one row per thing.
import type { PortfolioReport } from '../../../core/report/report-shapes.ts';
import { type CsvRow, csvText } from '../terminal/csv-text.ts';
import { markoutColumn, REPORT_COLUMNS } from './report-columns.ts';
import type { ReportTableRows } from './report-folder.ts';

export type ReportTable = keyof typeof REPORT_COLUMNS;
export const REPORT_TABLES = Object.keys(REPORT_COLUMNS) as readonly ReportTable[];

export const reportCsv = (report: PortfolioReport, table: ReportTable): string =>
  csvText(rowsOf(report, table), Object.keys(REPORT_COLUMNS[table]));

/** All of them, for files. */
export const reportTables = (report: PortfolioReport): readonly ReportTableRows[] =>
  REPORT_TABLES.map((name) => ({
    name,
    columns: REPORT_COLUMNS[name],
    rows: rowsOf(report, name),
  }));

function rowsOf(report: PortfolioReport, table: ReportTable): readonly CsvRow[] {
  const { portfolio } = report;
  switch (table) {
    case 'legs':
      return report.legs.map((leg) => ({ portfolio, ...legRow(leg) }));
    case 'slices':
      return report.slices.map(({ reasons, lateMs, isSent, costBps, ...one }) => ({
        portfolio,
        ...one,
        late_ms: lateMs,
        is_sent: isSent,
        reasons: reasons.join(' '),
        cost_bps: costBps,
      }));
    case 'children':
      return report.children.map(({ timeInForce, isBlock, prices, ...one }) => ({
        portfolio,
        ...one,
        time_in_force: timeInForce,
        is_block: isBlock,
        price: prices.at(-1)?.price ?? null,
        edits: prices.length - 1,
      }));
    case 'fills':
      return report.fills.map((fill) => ({ portfolio, ...fillRow(fill) }));
    case 'markouts':
      return report.legs.flatMap(({ leg, markouts }) =>
        markouts.map(({ perUnit, makerBps, takerBps, standardError, ...one }) => ({
          portfolio,
          leg,
          ...one,
          standard_error: standardError,
          per_unit: perUnit,
          maker_bps: makerBps,
          taker_bps: takerBps,
        })),
      );
  }
}

const legRow = (one: PortfolioReport['legs'][number]): CsvRow => ({
  leg: one.leg,
  instrument: one.instrument,
  kind: one.kind,
  side: one.side,
  unit: one.unit,
  hedge: one.hedge,
  asked: one.asked,
  filled: one.filled,
  residual: one.residual,
  average: one.averagePrice,
  decision: one.benchmarks.decision,
  arrival: one.benchmarks.arrival,
  twap: one.benchmarks.twap,
  vwap: one.benchmarks.vwap,
  final: one.benchmarks.final,
  twap_coverage: one.benchmarks.twapCoverage,
  decision_bps: one.slippage.decisionBps,
  arrival_bps: one.slippage.arrivalBps,
  twap_bps: one.slippage.twapBps,
  vwap_bps: one.slippage.vwapBps,
  participation: one.participation,
  volume: one.volume,
  shortfall_currency: one.shortfall?.currency,
  total: one.shortfall?.total,
  delay: one.shortfall?.delay,
  market: one.shortfall?.market,
  schedule: one.shortfall?.schedule,
  spread: one.shortfall?.spread,
  unsplit: one.shortfall?.unsplit,
  opportunity: one.shortfall?.residual,
  fees: one.shortfall?.fees,
  total_bps: one.shortfall?.bps,
  total_usd: one.shortfall?.usd,
  execution_bps: one.shortfall?.executionBps,
  expected_bps: one.expected?.bps,
  effective_bps: one.spread.effectiveBps,
  quoted_bps: one.spread.quotedBps,
  realised_bps: one.spread.realisedBps,
  improvement_bps: one.improvement?.bps,
  maker_share: one.liquidity.makerShare,
  taker_share: one.liquidity.takerShare,
  fill_rate: one.resting.fillRate,
  adverse_bps: one.resting.adverseBps,
  funding_paid: one.funding?.paid,
  funding_currency: one.funding?.currency,
  deviation_greatest: one.schedule?.greatest,
  deviation_mean: one.schedule?.mean,
  late_p50_ms: one.lateness.decidedMs?.p50,
  late_p99_ms: one.lateness.decidedMs?.p99,
  usd_rate: one.shortfall?.rate,
  underlying_bps: one.shortfall?.underlyingBps,
  ...optionRow(one, 'mid'),
  ...optionRow(one, 'mark'),
});

function optionRow({ option }: PortfolioReport['legs'][number], reference: 'mid' | 'mark'): CsvRow {
  const found = option.find((one) => one.reference === reference);
  return {
    [`over_${reference}_premium`]: found?.premium,
    [`over_${reference}_usd`]: found?.usd,
    [`over_${reference}_underlying_bps`]: found?.bpsOfUnderlying,
    [`over_${reference}_vol_points`]: found?.volPoints,
    [`over_${reference}_vega_usd`]: found?.vegaUsd,
  };
}

function fillRow({ markouts, ...fill }: PortfolioReport['fills'][number]): CsvRow {
  const { tradeId, feeCurrency, markIv, isBlock, at, ...plain } = fill;
  return {
    trade_id: tradeId,
    traded_at: at,
    ...plain,
    fee_currency: feeCurrency,
    mark_iv: markIv,
    is_block: isBlock,
    ...Object.fromEntries(
      Object.entries(markouts).map(([horizon, of]) => [markoutColumn(horizon), of]),
    ),
  };
}
