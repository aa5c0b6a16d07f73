// `report compare A B …`: reports on costs side by side, of portfolios of the daemon and of files.
import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  compareReports,
  type NamedReport,
  REPORTS_MAX,
} from '../../../core/report/comparison/compare-reports.ts';
import type { PortfolioReport } from '../../../core/report/report-shapes.ts';
import { reportSchema } from '../../../gateway/portfolios/report-schema.ts';
import { comparisonPage } from '../../../gateway/report/comparison-page.ts';
import { CommandFailure } from '../../command-failure.ts';
import { fromCaller } from '../caller-path.ts';
import { jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { comparisonCsv, comparisonTables, comparisonText } from './compare-text.ts';
import { parquetOption } from './report-folder.ts';
import { type OutputOptions, reportOutputs } from './report-outputs.ts';

interface Options extends ConnectionOptions, OutputOptions {
  readonly csv?: boolean;
}

export const addCompare = (report: Command, terminal: Terminal): void => {
  withConnection(report.command('compare'))
    .description('compare reports slice by slice, such as a backtest with the live run')
    .argument(
      '<reports...>',
      'portfolio ids, and files that backtest --report or report --json wrote; the first is what the others are compared with',
    )
    .option('--html <file>', 'write it as one HTML file that opens from disk')
    .option(...parquetOption)
    .option('--json', 'print the comparison as JSON')
    .option('--csv', 'print the figures of paired slices as CSV')
    .action(async (sources: readonly string[], options: Options) => {
      const outputs = reportOutputs(options, terminal);
      const comparison = compareReports(await readAll(sources, options));
      await outputs.write({
        page: () => comparisonPage(comparison),
        tables: () => comparisonTables(comparison),
      });
      if (options.json) terminal.print(jsonText(comparison));
      else if (options.csv) terminal.print(comparisonCsv(comparison));
      else if (outputs.areNone) terminal.print(comparisonText(comparison, terminal.columns()));
    });
};

async function readAll(
  sources: readonly string[],
  options: Options,
): Promise<readonly NamedReport[]> {
  if (sources.length < 2 || sources.length > REPORTS_MAX) {
    const accepted = `2 to ${REPORTS_MAX} portfolio ids or files`;
    throw new CommandFailure('usage', [`${sources.length} reports; accepted: ${accepted}`]);
  }
  const read: NamedReport[] = [];
  for (const source of sources) {
    const path = fromCaller(source);
    const report = existsSync(path)
      ? fileReport(source, path)
      : valueOrFail(await reachDaemon(options).client.report(portfolioOrFail(source)));
    read.push({ source, report });
  }
  return read;
}

function portfolioOrFail(source: string): string {
  if (/^\d+$/.test(source)) return source;
  throw new CommandFailure('usage', [
    `${JSON.stringify(source)} is no file; accepted: a portfolio id, or a report written as JSON`,
  ]);
}

function fileReport(source: string, path: string): PortfolioReport {
  const { data, error } = reportSchema.safeParse(jsonOrFail(source, readFileSync(path, 'utf8')));
  if (error === undefined) return data;
  const [first] = error.issues;
  throw new CommandFailure('refused', [
    `${source}: ${first?.path.join('.') || 'the document'}: ${first?.message}; accepted: a report that backtest --report or report --json wrote`,
  ]);
}

function jsonOrFail(source: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandFailure('refused', [
      `${source}: ${error.message}; accepted: a report written as JSON`,
    ]);
  }
}
