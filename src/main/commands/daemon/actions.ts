// `actions`: lists what clients changed and who they were, newest first, from the ledger or from the data
// folder of a stand-alone exchange.
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Action, ActionQuery } from '../../../ports/action-log.ts';
import { printableData } from '../../../values/printable.ts';
import type { Config } from '../../config/config.ts';
import { EXCHANGE_OVERRIDES } from '../../config/environment.ts';
import { actionsFolder } from '../../data-dir.ts';
import { csvOption, jsonOption, printListing } from '../blotter/blotter-options.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { readConfigLoosely } from '../files.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { readTime } from '../terminal/read-time.ts';
import type { SheetColumn } from '../terminal/sheet.ts';
import { textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { withTimeZone, type ZoneName } from '../terminal/time-zone.ts';
import { EXCHANGE_CONFIG } from './serve-exchange.ts';

interface Options extends LedgerOptions {
  readonly account?: string;
  readonly key?: string;
  readonly since?: string;
  readonly limit: number;
  readonly exchange?: boolean;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly tz: ZoneName;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100_000;

export const addActions: AddCommand = (program, terminal) => {
  withTimeZone(program.command('actions'))
    .option(...configOption)
    .option('-a, --account <id>', 'only for this account')
    .option('-k, --key <id>', 'only by this key')
    .option('--since <time>', 'only from here on: ISO 8601, in the zone of --tz without an offset')
    .option('-n, --limit <count>', 'at most this many', readLimit, LIMIT_DEFAULT)
    .option('--exchange', `on an exchange that runs by itself (--config: ${EXCHANGE_CONFIG})`)
    .option(...jsonOption)
    .addOption(csvOption())
    .action(async (options: Options, command: Command) => {
      const { account, key: keyId, limit, tz } = options;
      const from = readTime('--since', options.since, tz);
      const query = { account, keyId, from, limit };
      const found = options.exchange
        ? await findOnExchange(exchangeConfig(options, command), query, terminal)
        : await find(ledgerConfig(options), query);
      if (options.json) return terminal.print(jsonText(found));
      const rows = printableData(found);
      const listing = { columns: columnsFor(tz), rows, none: 'no actions', isWhole: true };
      printListing(listing, options, terminal);
    });
};

async function find(config: Config, query: ActionQuery): Promise<readonly Action[]> {
  return await onLedger(config, async (connectionString) => {
    const { PostgresActionLog } = await import(
      '../../../adapters/postgres/records/postgres-action-log.ts'
    );
    const log = new PostgresActionLog({ connectionString });
    try {
      return await log.find(query);
    } finally {
      await log.close();
    }
  });
}

/** Uses the exchange's own file unless --config names one. */
function exchangeConfig({ config }: Options, command: Command): Config {
  const isNamed = command.getOptionValueSource('config') === 'cli';
  return readConfigLoosely(isNamed ? config : EXCHANGE_CONFIG, () => undefined, {
    overrides: EXCHANGE_OVERRIDES,
  });
}

async function findOnExchange(
  { service }: Config,
  query: ActionQuery,
  terminal: Terminal,
): Promise<readonly Action[]> {
  const { readActions } = await import('../../../adapters/system/action-files.ts');
  const folder = actionsFolder(resolve(service.dataDir));
  const onDamaged = (place: string): void =>
    terminal.complain(`${place} cannot be read and is left out; a crash may have cut it short`);
  return await readActions({ folder, query, onDamaged });
}

/** All of them are in the table, however wide the terminal is. */
const columnsFor = (zone: ZoneName): readonly SheetColumn<Action>[] => [
  timeColumn(['at', 'at', 0], zone, (row) => row.at),
  textColumn(['key', 'key', 0], (row) => row.keyId),
  textColumn(['user', 'user', 0], (row) => `${row.uid} ${row.nickname}`),
  textColumn(['from', 'from', 0], (row) => row.address),
  textColumn(['account', 'account', 0], (row) => row.account),
  textColumn(['what', 'what', 0], (row) => row.method),
  textColumn(['instrument', 'instrument', 0], (row) => row.instrument),
  textColumn(['label', 'label', 0], (row) => row.label),
  textColumn(['id', 'id', 0], (row) => row.orderId),
  textColumn(['outcome', 'outcome', 0], (row) => row.outcome),
];

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new InvalidArgumentError(`accepted: 1 to ${LIMIT_MAX}`);
}
