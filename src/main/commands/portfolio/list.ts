// `list`: portfolios of the key's accounts, newest first.
import { InvalidArgumentError } from 'commander';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import {
  type ConnectionOptions,
  type Daemon,
  reachDaemon,
  valueOrFail,
  withConnection,
} from '../daemon-client.ts';
import { paint, paintedStatus, tellsMore, timeText } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';
import { filledPercent, percentText } from '../terminal/terminal-progress.ts';

interface Options extends ConnectionOptions {
  readonly account?: string;
  readonly active?: boolean;
  readonly status?: StatusNumber;
  readonly limit: number;
  readonly json?: boolean;
}

/** In the order of their numbers on the wire. */
const STATUS_WORDS = ['active', 'filled', 'cancelled', 'cancelling'] as const;
type StatusNumber = 1 | 2 | 3 | 4;

const LIMIT_DEFAULT = 20;
/** The daemon's page size. */
const LIMIT_MAX = 100;

export const addList: AddCommand = (program, terminal) => {
  withConnection(program.command('list'))
    .option('-a, --account <id>', 'only this account')
    .option('--active', 'only active ones')
    .option('--status <status>', `only of this status: ${STATUS_WORDS.join(', ')}`, readStatus)
    .option('-n, --limit <count>', 'at most this many', readLimit, LIMIT_DEFAULT)
    .option('--json', 'print the records as JSON')
    .action(async (options: Options) => {
      const found = await findPortfolios(reachDaemon(options), options);
      if (options.json) terminal.print(jsonText(found));
      else print(found.totalCount, found.values, terminal);
    });
};

async function findPortfolios(daemon: Daemon, options: Options) {
  const accounts = options.account === undefined ? daemon.accounts : [options.account];
  const values: PortfolioRecord[] = [];
  let totalCount = 0;
  for (const accountId of accounts) {
    const tag = options.active ? { portfolioTag: 'OPEN_ORDER' } : {};
    const status = options.status === undefined ? {} : { status: options.status };
    const filter = { accountId, pageSize: options.limit, ...tag, ...status };
    const page = valueOrFail(await daemon.client.page(filter));
    totalCount += page.totalCount;
    values.push(...page.values);
  }
  values.sort((a, b) => Number(b.submitTimestamp) - Number(a.submitTimestamp));
  return { totalCount, values: values.slice(0, options.limit) };
}

function print(total: number, records: readonly PortfolioRecord[], terminal: Terminal): void {
  if (records.length === 0) {
    terminal.print('no portfolios');
    return;
  }
  const columns = [
    { head: 'portfolio' },
    { head: 'account' },
    { head: 'submitted (UTC)' },
    { head: 'status' },
    { head: 'filled', align: 'right' },
    { head: 'legs', align: 'right' },
    { head: 'what' },
  ] as const;
  const rows = records.map((record) => [
    record.portfolioId,
    record.accountId,
    timeText(record.submitTimestamp),
    paintedStatus(record.portfolioStatus),
    percentText(filledPercent(record)),
    String(record.legs.length),
    describe(record),
  ]);
  terminal.print(tableText(columns, rows));
  if (total > records.length)
    terminal.print(paint.dim(`${records.length} of ${total}; see --limit`));
}

function describe(record: PortfolioRecord): string {
  const words = [record.strategy, record.customizedNote].filter((word) => word);
  const reason = tellsMore(record.reason) ? [paint.dim(record.reason)] : [];
  const mirror = record.mirrorOf === undefined ? [] : [paint.dim(`mirrors ${record.mirrorOf}`)];
  return [...new Set(words), ...mirror, ...reason].join(' · ');
}

/** By name, or by the number that the interface gives it. */
function readStatus(text: string): StatusNumber {
  const at = STATUS_WORDS.findIndex(
    (word, index) => word === text.toLowerCase() || text === String(index + 1),
  );
  if (at >= 0) return (at + 1) as StatusNumber;
  throw new InvalidArgumentError(`accepted: ${STATUS_WORDS.join(', ')}, or 1 to 4`);
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new InvalidArgumentError(`accepted: 1 to ${LIMIT_MAX}`);
}
