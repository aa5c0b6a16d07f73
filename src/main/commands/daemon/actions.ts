// `actions`: lists what clients changed and who they were, newest first, from the ledger or from the data
// folder of a stand-alone exchange.
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Action, ActionQuery } from '../../../ports/action-log.ts';
import { parseIso } from '../../../values/instant.ts';
import { printableData } from '../../../values/printable.ts';
import type { Config } from '../../config/config.ts';
import { EXCHANGE_OVERRIDES } from '../../config/environment.ts';
import { actionsFolder } from '../../data-dir.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { configOption, readConfigLoosely } from '../files.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { timeText } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';
import { EXCHANGE_CONFIG } from './serve-exchange.ts';

interface Options extends LedgerOptions {
  readonly account?: string;
  readonly key?: string;
  readonly since?: ActionQuery['from'];
  readonly limit: number;
  readonly exchange?: boolean;
  readonly json?: boolean;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100_000;

export const addActions: AddCommand = (program, terminal) => {
  program
    .command('actions')
    .description('list what clients changed: key, user, account, order, outcome; newest first')
    .option(...configOption)
    .option('-a, --account <id>', 'only for this account')
    .option('-k, --key <id>', 'only by this key')
    .option('--since <instant>', 'only from here on, such as 2026-11-20T14:00:00Z', readInstant)
    .option('-n, --limit <count>', 'at most this many', readLimit, LIMIT_DEFAULT)
    .option('--exchange', `on an exchange that runs by itself (--config: ${EXCHANGE_CONFIG})`)
    .option('--json', 'print the records as JSON')
    .action(async (options: Options, command: Command) => {
      const { account, key: keyId, since: from, limit } = options;
      const query = { account, keyId, from, limit };
      const found = options.exchange
        ? await findOnExchange(exchangeConfig(options, command), query, terminal)
        : await find(ledgerConfig(options), query);
      if (options.json) terminal.print(jsonText(found));
      else terminal.print(found.length === 0 ? 'no actions' : actionsTable(found));
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
  return readConfigLoosely(isNamed ? config : EXCHANGE_CONFIG, () => undefined, EXCHANGE_OVERRIDES);
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

const COLUMNS = ['at (UTC)', 'key', 'user', 'from', 'account', 'what', 'instrument', 'label', 'id'];

function actionsTable(actions: readonly Action[]): string {
  return tableText(
    [...COLUMNS, 'outcome'].map((head) => ({ head })),
    printableData(actions).map((action) => [
      timeText(action.at),
      action.keyId,
      `${action.uid} ${action.nickname}`,
      action.address,
      action.account,
      action.method,
      action.instrument ?? '',
      action.label ?? '',
      action.orderId ?? '',
      action.outcome,
    ]),
  );
}

function readInstant(text: string): ActionQuery['from'] {
  const at = parseIso(text);
  if (at !== undefined) return at;
  throw new InvalidArgumentError('accepted: ISO 8601, such as 2026-11-20T14:00:00Z');
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw new InvalidArgumentError(`accepted: 1 to ${LIMIT_MAX}`);
}
