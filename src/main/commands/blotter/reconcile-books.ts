// `reconcile`: compares the ledger of this deployment with what the venue has of an account: fills, fees, funding, settlements
// and positions. Exit code 1 if anything differs. The ledger is read directly, the venue through the daemon, which has the
// credentials and serves the queries next to its orders.

import {
  type BookedFill,
  type Compared,
  compareBooks,
  comparedIn,
  type Difference,
} from '../../../core/books/compare-books.ts';
import { accountId, deploymentId } from '../../../values/ids.ts';
import { DAY_MS, SECOND_MS } from '../../../values/instant.ts';
import { printable } from '../../../values/printable.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { CommandFailure } from '../../command-failure.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { ledgerConfig, onLedger } from '../ledger-command.ts';
import { readTime } from '../terminal/read-time.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { type ZoneName, zonedText } from '../terminal/time-zone.ts';
import {
  BlotterDaemon,
  type BlotterOptions,
  CURRENCIES,
  printListing,
  withBlotterOptions,
} from './blotter-options.ts';
import { venueLog, venuePositions, venueTrades } from './venue-books.ts';

interface Options extends BlotterOptions {
  readonly account: string;
  readonly from?: string;
  readonly to?: string;
}

/** A trade as young as this may not be in every record yet. */
const LAG_MS = 10 * SECOND_MS;

interface Verdict {
  readonly account: string;
  readonly from: number;
  readonly to: number;
  readonly compared: Compared;
  readonly differences: readonly Difference[];
}

export const addReconcile: AddCommand = (program, terminal) => {
  withBlotterOptions(program.command('reconcile'))
    .requiredOption('-a, --account <id>', 'account of the key')
    .option('--from <time>', 'from here on: ISO 8601, in the zone of --tz (default: a day ago)')
    .option('--to <time>', 'up to here (default: ten seconds ago, and positions as they are)')
    .action(async (options: Options) => {
      const verdict = await compared(options);
      show(verdict, options, terminal);
      if (verdict.differences.length > 0) throw new CommandFailure('refused', []);
    });
};

async function compared(options: Options): Promise<Verdict> {
  const { account, tz } = options;
  const config = ledgerConfig(options);
  const blotter = new BlotterDaemon(options);
  const now = Date.now();
  const to = readTime('--to', options.to, tz);
  const until = to ?? now - LAG_MS;
  const from = readTime('--from', options.from, tz) ?? until - DAY_MS;
  if (from > until) throw new CommandFailure('usage', ['--from is later than --to']);
  const window = { accountId: account, from, until };
  const positions = to === undefined ? await venuePositions(blotter, account) : undefined;
  const deployment = deploymentId(config.service.deployment);
  const trades = await venueTrades(blotter, window, deployment);
  // What traded meanwhile explains the positions.
  const logged = { ...window, until: to ?? now + DAY_MS };
  const log = await venueLog(blotter, logged, CURRENCIES);
  const ledger = await onLedger(config, async (connectionString) => {
    const { ledgerFills } = await import('../../ledger/ledger-fills.ts');
    const { openArchive } = await import('../../open-archive.ts');
    const archive = openArchive(config);
    const query = { account: accountId(account), from, until };
    const fills: BookedFill[] = [];
    for await (const fill of ledgerFills(connectionString, query, archive)) fills.push(fill);
    return fills;
  });
  const books = { ledger, trades, log, positions, positionsAt: now - LAG_MS };
  const differences = compareBooks(books);
  return { account, from, to: until, compared: comparedIn(books), differences };
}

function show(verdict: Verdict, options: Options, terminal: Terminal): void {
  const { differences: rows } = verdict;
  if (options.json) return terminal.print(jsonText(verdict));
  const listing = { columns: columnsFor(options.tz), rows, none: '' };
  if (options.csv) return printListing(listing, options, terminal);
  terminal.print(comparedText(verdict, options.tz));
  if (rows.length === 0) return terminal.print('no difference');
  printListing(listing, options, terminal);
}

function comparedText({ account, from, to, compared: of }: Verdict, zone: ZoneName): string {
  const sums = (name: string, amounts: Readonly<Record<string, string>>): string =>
    Object.entries(amounts)
      .map(([code, amount]) => `${name} ${amount} ${printable(code)}`)
      .join(', ');
  const counts = [
    `${counted(of.fills, 'fill')} of the ledger`,
    counted(of.otherTrades, 'other trade'),
    `${counted(of.entries, 'entry', 'entries')} of the transaction log`,
    counted(of.settlements, 'settlement'),
    counted(of.deliveries, 'delivery', 'deliveries'),
    counted(of.expiries, 'expiry', 'expiries'),
    `${counted(of.intoFutures, 'option')} settled into futures`,
    counted(of.transfers, 'transfer'),
    `${of.positions} open positions`,
  ];
  return [
    `account ${account}, ${zonedText(from, zone)} to ${zonedText(to, zone)} ${zone}`,
    `compared: ${counts.join(', ')}`,
    ...[sums('fees', of.fees), sums('funding', of.funding)].filter((line) => line !== ''),
  ].join('\n');
}

const columnsFor = (zone: ZoneName): readonly SheetColumn<Difference>[] => [
  textColumn(['difference', 'difference', 0], (row) => row.name),
  timeColumn(['at', 'at', 3], zone, (row) => row.at),
  textColumn(['instrument', 'instrument', 1], (row) => row.instrument),
  textColumn(['currency', 'currency', 2], (row) => row.currency),
  amountColumn(['here', 'here', 0], (row) => row.here),
  amountColumn(['there', 'there', 0], (row) => row.there),
  textColumn(['trade', 'trade', 4], (row) => row.tradeId),
  textColumn(['order', 'order', 6], (row) => row.orderId),
  textColumn(['portfolio', 'portfolio', 5], (row) => row.portfolio),
];
