// `actions`: what clients changed and who they were, newest first, out of the ledger.
import { InvalidArgumentError } from 'commander';
import type { Action, ActionQuery } from '../../ports/action-log.ts';
import { parseIso } from '../../values/instant.ts';
import type { Config } from '../config/config.ts';
import { type AddCommand, jsonText } from './command.ts';
import { configOption } from './files.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from './ledger-command.ts';
import { timeText } from './paint.ts';
import { tableText } from './table.ts';

interface Options extends LedgerOptions {
  readonly account?: string;
  readonly key?: string;
  readonly since?: ActionQuery['from'];
  readonly limit: number;
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
    .option('--json', 'print the records as JSON')
    .action(async (options: Options) => {
      const { account, key: keyId, since: from, limit } = options;
      const found = await find(ledgerConfig(options), { account, keyId, from, limit });
      if (options.json) terminal.print(jsonText(found));
      else terminal.print(found.length === 0 ? 'no actions' : actionsTable(found));
    });
};

async function find(config: Config, query: ActionQuery): Promise<readonly Action[]> {
  return await onLedger(config, async (connectionString) => {
    const { PostgresActionLog } = await import('../../adapters/postgres/postgres-action-log.ts');
    const log = new PostgresActionLog({ connectionString });
    try {
      return await log.find(query);
    } finally {
      await log.close();
    }
  });
}

const COLUMNS = ['at (UTC)', 'key', 'user', 'from', 'account', 'what', 'instrument', 'label', 'id'];

function actionsTable(actions: readonly Action[]): string {
  return tableText(
    [...COLUMNS, 'outcome'].map((head) => ({ head })),
    actions.map((action) => [
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
