// `report ID`: shows what one portfolio cost.
import { type Command, Option } from 'commander';
import { reportPage } from '../../../gateway/report/report-page.ts';
import type { AddCommand } from '../command.ts';
import { jsonText } from '../command.ts';
import { reachDaemon, valueOrFail, withConnection } from '../daemon-client.ts';
import { withTimeZone } from '../terminal/time-zone.ts';
import { addCompare } from './compare.ts';
import { REPORT_TABLES, type ReportTable, reportCsv, reportTables } from './report-csv.ts';
import { parquetOption } from './report-folder.ts';
import { reportOutputs } from './report-outputs.ts';
import { requireNoFilter, type SummaryOptions, showSummary } from './report-summary.ts';
import { reportText } from './report-text.ts';

interface Options extends SummaryOptions {
  /** True without the name of a table. */
  readonly csv?: ReportTable | true;
}

export const addReport: AddCommand = (program, terminal) => {
  // Its subcommand has options of the same names.
  const report = program.command('report').enablePositionalOptions();
  withCsv(withTimeZone(withConnection(report)))
    .argument('[id]', 'portfolio id')
    .option('--strategy <name>', 'many: only portfolios of this strategy')
    .option('--account <id>', 'many: only portfolios of this account')
    .option('--from <time>', 'many: submitted then or later: ISO 8601, in the zone of --tz')
    .option('--to <time>', 'many: submitted then or earlier')
    .option('--limit <count>', 'many: read at most this many, the newest')
    .option('--html <file>', 'write it as one HTML file that opens from disk')
    .option(...parquetOption)
    .option('--json', 'print the report as JSON')
    .action(async (id: string | undefined, options: Options) => {
      if (id === undefined) return await showSummary(options, terminal);
      requireNoFilter(options);
      const outputs = reportOutputs(options, terminal);
      const found = valueOrFail(await reachDaemon(options).client.report(id));
      await outputs.write({ page: () => reportPage(found), tables: () => reportTables(found) });
      if (options.json) terminal.print(jsonText(found));
      else if (options.csv !== undefined) {
        terminal.print(reportCsv(found, options.csv === true ? 'legs' : options.csv));
      } else if (outputs.areNone) {
        terminal.print(reportText(found, terminal.columns()));
      }
    });
  addCompare(report, terminal);
};

const withCsv = (command: Command): Command =>
  command.addOption(
    new Option('--csv [table]', 'print one of its tables as CSV; without a name: legs').choices([
      ...REPORT_TABLES,
    ]),
  );
