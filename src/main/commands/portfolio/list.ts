// `list`: portfolios of the key's accounts, newest first.
import { InvalidArgumentError, Option } from 'commander';
import type { PortfolioRecord } from '../../../gateway/portfolios/record-schema.ts';
import {
  type AccountOptions,
  printListing,
  withBlotterOptions,
} from '../blotter/blotter-options.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { type Daemon, reachDaemon, valueOrFail } from '../daemon-client.ts';
import { paint, paintedStatus, statusWord, tellsMore } from '../terminal/paint.ts';
import { CSV_ONLY, type SheetColumn } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { filledPercent, percentText } from '../terminal/terminal-progress.ts';
import type { ZoneName } from '../terminal/time-zone.ts';

interface Options extends AccountOptions {
  readonly active?: boolean;
  readonly status?: StatusNumber;
  readonly limit: number;
}

/** In the order of their numbers on the wire. */
const STATUS_WORDS = ['active', 'filled', 'cancelled', 'cancelling'] as const;
type StatusNumber = 1 | 2 | 3 | 4;

const LIMIT_DEFAULT = 20;
/** The daemon's page size. */
const LIMIT_MAX = 100;

export const addList: AddCommand = (program, terminal) => {
  withBlotterOptions(program.command('list'))
    .option('-a, --account <id>', 'only this account')
    .option('--active', 'only active ones')
    .addOption(
      new Option('--status <status>', 'only of this status')
        .choices(STATUS_WORDS)
        .argParser(readStatus),
    )
    .option('-n, --limit <count>', 'at most this many', readLimit, LIMIT_DEFAULT)
    .action(async (options: Options) => {
      const found = await findPortfolios(reachDaemon(options), options);
      if (options.json) terminal.print(jsonText(found));
      else print(found.totalCount, found.values, { options, terminal });
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

function print(
  total: number,
  rows: readonly PortfolioRecord[],
  { options, terminal }: { readonly options: Options; readonly terminal: Terminal },
): void {
  const columns = columnsFor(options.tz);
  printListing({ columns, rows, none: 'no portfolios' }, options, terminal);
  if (options.csv || rows.length === 0 || total <= rows.length) return;
  terminal.print(paint.dim(`${rows.length} of ${total}; see --limit`));
}

const columnsFor = (zone: ZoneName): readonly SheetColumn<PortfolioRecord>[] => [
  textColumn(['portfolio', 'portfolio', 0], (row) => row.portfolioId),
  textColumn(['account', 'account', 3], (row) => row.accountId),
  timeColumn(['submitted', 'submitted', 4], zone, (row) => Number(row.submitTimestamp)),
  {
    ...textColumn(['status', 'status', 0], (row) => statusWord(row.portfolioStatus)),
    shown: (row) => paintedStatus(row.portfolioStatus),
  },
  {
    ...amountColumn(['filled_percent', 'filled', 0], (row) =>
      percentText(filledPercent(row)).replace(' %', ''),
    ),
    shown: (row) => percentText(filledPercent(row)),
  },
  amountColumn(['legs', 'legs', 5], (row) => String(row.legs.length)),
  textColumn(['strategy', 'strategy', 1], (row) => row.strategy),
  textColumn(['reason', 'reason', 2], (row) => (tellsMore(row.reason) ? row.reason : undefined)),
  textColumn(['mirrors', 'mirrors', 6], (row) => row.mirrorOf),
  textColumn(['note', 'note', 7], (row) => row.customizedNote),
  timeColumn(['updated', 'updated', CSV_ONLY], zone, (row) => Number(row.updateTimestamp)),
];

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
