// `report --strategy NAME | --account ID --from T --to T`: what many portfolios cost together.
import { writeFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { connect } from '../../../gateway/client/client.ts';
import { costSummaryPage } from '../../../gateway/report/cost-summary-page.ts';
import { INSTANT_MAX, type Instant, instant, parseIso } from '../../../values/instant.ts';
import { printableData } from '../../../values/printable.ts';
import { CommandFailure } from '../../command-failure.ts';
import { jsonText, type Terminal } from '../command.ts';
import { type ConnectionOptions, reachDaemon, valueOrFail } from '../daemon-client.ts';
import { newFromCaller } from '../files.ts';
import { summaryCsv, summaryText } from './summary-text.ts';

export interface SummaryOptions extends ConnectionOptions {
  readonly strategy?: string;
  readonly account?: string;
  readonly from?: Instant;
  readonly to?: Instant;
  readonly limit?: string;
  readonly html?: string;
  readonly csv?: string | true;
}

/** The daemon reads the history of every portfolio. */
const TIMEOUT_MS = 120_000;

/** ISO 8601, in UTC without an offset, or Unix milliseconds. */
export function readTime(text: string): Instant {
  const at = /^\d{12,14}$/.test(text) ? instant(Number(text)) : parseIso(text);
  if (at !== undefined && at <= INSTANT_MAX) return at;
  throw new InvalidArgumentError(
    'accepted: ISO 8601, such as 2026-11-20T14:00:00Z, or Unix milliseconds',
  );
}

/** @throws CommandFailure if the options choose portfolios beside an id. */
export function requireNoFilter({ strategy, account, from, to, limit }: SummaryOptions): void {
  if ([strategy, account, from, to, limit].every((one) => one === undefined)) return;
  throw new CommandFailure('usage', [
    '--strategy, --account, --from, --to and --limit choose portfolios; accepted: without an id',
  ]);
}

export async function showSummary(options: SummaryOptions, terminal: Terminal): Promise<void> {
  const { strategy, account, from, to, limit } = options;
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
  const client = connect({ ...reachDaemon(options).access, timeoutMs: TIMEOUT_MS });
  const found = valueOrFail(
    await client.reportSummary({
      ...{ strategy, accountId: account, limit },
      ...{ startTimestamp: from, endTimestamp: to },
    }),
  );
  if (options.html !== undefined) {
    const file = newFromCaller(options.html);
    writeFileSync(file, costSummaryPage(found));
    terminal.complain(`written: ${file}`);
  }
  if (options.json) terminal.print(jsonText(found));
  else if (options.csv) terminal.print(summaryCsv(found));
  else if (options.html === undefined) {
    terminal.print(summaryText(printableData(found), terminal.columns()));
  }
}
