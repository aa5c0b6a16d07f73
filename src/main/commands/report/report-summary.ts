// `report --strategy NAME | --account ID --from T --to T`: what many portfolios cost together.
import { connect } from '../../../gateway/client/client.ts';
import { costSummaryPage } from '../../../gateway/report/cost-summary-page.ts';
import { printableData } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import { jsonText, type Terminal } from '../command.ts';
import { type ConnectionOptions, reachDaemon, valueOrFail } from '../daemon-client.ts';
import { readTime } from '../terminal/read-time.ts';
import type { ZoneName } from '../terminal/time-zone.ts';
import { type OutputOptions, reportOutputs } from './report-outputs.ts';
import { summaryCsv, summaryTables, summaryText } from './summary-text.ts';

export interface SummaryOptions extends ConnectionOptions, OutputOptions {
  readonly strategy?: string;
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly tz: ZoneName;
  readonly csv?: string | true;
}

/** The daemon reads the history of every portfolio. */
const TIMEOUT_MS = 120_000;

/** @throws CommandFailure if the options choose portfolios in addition to an id. */
export function requireNoFilter({ strategy, account, from, to, limit }: SummaryOptions): void {
  if ([strategy, account, from, to, limit].every((one) => one === undefined)) return;
  throw new CommandFailure('usage', [
    '--strategy, --account, --from, --to and --limit choose portfolios; accepted: without an id',
  ]);
}

export async function showSummary(options: SummaryOptions, terminal: Terminal): Promise<void> {
  const { strategy, account, limit, tz } = options;
  if (strategy === undefined && account === undefined) {
    throw new CommandFailure('usage', [
      'which portfolios is missing; accepted: an id, --strategy NAME or --account ID',
    ]);
  }
  if (typeof options.csv === 'string') {
    throw new CommandFailure('usage', [
      `--csv ${options.csv} is a table of one portfolio; accepted: --csv alone`,
    ]);
  }
  const from = readTime('--from', options.from, tz);
  const to = readTime('--to', options.to, tz);
  const outputs = reportOutputs(options, terminal);
  const client = connect({ ...reachDaemon(options).access, timeoutMs: TIMEOUT_MS });
  const found = valueOrFail(
    await client.reportSummary({
      strategy,
      accountId: account,
      limit,
      startTimestamp: from,
      endTimestamp: to,
    }),
  );
  await outputs.write({
    page: () => costSummaryPage(found),
    tables: () => summaryTables(found),
  });
  if (options.json) terminal.print(jsonText(found));
  else if (options.csv) terminal.print(summaryCsv(found));
  else if (outputs.areNone) {
    terminal.print(summaryText(printableData(found), terminal.columns()));
  }
}
