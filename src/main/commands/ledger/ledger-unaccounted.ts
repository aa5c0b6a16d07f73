// `ledger unaccounted`: what the daemon found at its start at the venues and not in the ledger, which is older than that;
// and whether open orders of portfolios that the ledger does not know are cancelled or left.
import { Option } from 'commander';
import type {
  OrdersChoice,
  UnaccountedAccount,
  UnaccountedFound,
  UnaccountedLeg,
} from '../../../engine/interface/unaccounted-api.ts';
import type { ChosenOrders } from '../../../engine/recovery/unaccounted.ts';
import { accountId } from '../../../values/ids.ts';
import { printableData } from '../../../values/printable.ts';
import type { Config } from '../../config/config.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { type SheetColumn, sheetCsv, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn, timeColumn } from '../terminal/sheet-columns.ts';
import { withTimeZone, type ZoneName, zonedText } from '../terminal/time-zone.ts';

interface Options extends LedgerOptions {
  readonly orders?: OrdersChoice;
  readonly tz: ZoneName;
  readonly json?: boolean;
  readonly csv?: boolean;
}

type Row = UnaccountedLeg & Pick<UnaccountedAccount, 'account'>;

export const addUnaccounted: AddCommand = (ledger, terminal) => {
  withTimeZone(ledger.command('unaccounted'))
    .description(
      'show orders and trades at the venues that a restored ledger does not know, as the daemon found them at its start',
    )
    .option(...configOption)
    .addOption(
      new Option(
        '--orders <choice>',
        'cancel open orders of portfolios that the ledger does not know, or leave them',
      ).choices(['cancel', 'leave']),
    )
    .option('--json', 'print it as JSON')
    .addOption(new Option('--csv', 'print it as CSV').conflicts('json'))
    .action(async (options: Options) => {
      const { tz } = options;
      const shown = await read(ledgerConfig(options), options.orders);
      if (options.json) return terminal.print(jsonText(shown));
      const columns = columnsFor(tz);
      const rows = printableData(
        shown.accounts.flatMap(({ account, legs }) =>
          legs.map((leg): Row => ({ account, ...leg })),
        ),
      );
      if (options.csv) return terminal.print(sheetCsv(columns, rows));
      const facts = shown.accounts.map(
        ({ account, since, checkedAt }) =>
          `account ${account}: trades from ${zonedText(since, tz)} compared at ${zonedText(checkedAt, tz)} ${tz}`,
      );
      const none = 'nothing was found that the ledger does not know';
      const table = rows.length === 0 ? none : sheetTable(columns, rows, terminal.columns());
      const choice =
        shown.orders === 'leave' ? 'left open' : 'cancelled by the daemon, within half a minute';
      terminal.print(
        [...facts, table, `Orders of portfolios that are not in the ledger are ${choice}.`].join(
          '\n',
        ),
      );
    });
};

async function read(config: Config, choice: OrdersChoice | undefined): Promise<UnaccountedFound> {
  return await onLedger(config, async (connectionString) => {
    const { PostgresLedger } = await import('../../../adapters/postgres/postgres-ledger.ts');
    const { CHOICE_MARK } = await import('../../../engine/recovery/unaccounted.ts');
    const { unaccountedFrom } = await import('../../../engine/recovery/read-unaccounted.ts');
    const ledger = new PostgresLedger({ connectionString });
    try {
      if (choice !== undefined) {
        const chosen: ChosenOrders = { orders: choice, at: Date.now() };
        await ledger.setMetadata(CHOICE_MARK, JSON.stringify(chosen));
      }
      return await unaccountedFrom(ledger)(config.accounts.map(({ id }) => accountId(id)));
    } finally {
      await ledger.close();
    }
  });
}

const columnsFor = (zone: ZoneName): readonly SheetColumn<Row>[] => [
  textColumn(['account', 'account', 3], (row) => row.account),
  textColumn(['portfolio', 'portfolio', 0], (row) => row.portfolio),
  textColumn(['inLedger', 'in ledger', 0], (row) => (row.isInLedger ? 'yes' : 'no')),
  textColumn(['leg', 'leg', 2], (row) => (row.leg === undefined ? '' : String(row.leg + 1))),
  textColumn(['instrument', 'instrument', 0], (row) => row.instrument),
  textColumn(['side', 'side', 0], (row) => row.side),
  amountColumn(['open', 'open', 0], (row) => row.open),
  amountColumn(['filled', 'filled', 0], (row) => row.filled),
  amountColumn(['trades', 'trades', 1], (row) => String(row.trades)),
  timeColumn(['firstAt', 'first trade', 4], zone, (row) => row.firstAt),
  timeColumn(['lastAt', 'last trade', 5], zone, (row) => row.lastAt),
];
