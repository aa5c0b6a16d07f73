// `account`: equity, funds, margins and greeks by currency, and how much of each limit is used.
import { type Command, Option } from 'commander';
import type { LimitRecord, MethodResults } from '../../../gateway/client/client.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { valueOrFail, withConnection } from '../daemon-client.ts';
import { paint } from '../terminal/paint.ts';
import { CSV_ONLY, type SheetColumn, sheetCsv, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, profitColumn, textColumn } from '../terminal/sheet-columns.ts';
import { percentText } from '../terminal/terminal-progress.ts';
import { withTimeZone } from '../terminal/time-zone.ts';
import { readCurrencies } from './blotter-arguments.ts';
import {
  type AccountOptions,
  accountColumn,
  accountOption,
  BlotterDaemon,
  CURRENCIES,
  jsonOption,
} from './blotter-options.ts';

type Summary = MethodResults['private/get_account_summary'];

const TABLES = ['balances', 'limits'] as const;

interface Options extends Omit<AccountOptions, 'csv'> {
  /** True without the name of a table. */
  readonly csv?: (typeof TABLES)[number] | true;
  readonly currency?: readonly string[];
}

export const addAccount: AddCommand = (program, terminal) => {
  withCsv(withTimeZone(withConnection(program.command('account'))))
    .option(...accountOption)
    .option(
      '--currency <codes>',
      'only these, with commas or repeated (default: all that are not empty)',
      readCurrencies,
    )
    .option(...jsonOption)
    .action(async (options: Options) => {
      const blotter = new BlotterDaemon(options);
      const asked = (options.currency ?? CURRENCIES).map((currency) =>
        blotter.queryAccounts(
          options,
          'private/get_account_summary',
          { currency },
          (summary): readonly Summary[] => [summary],
        ),
      );
      const found = (await Promise.all(asked)).flat();
      const { account, currency } = options;
      const balances = currency === undefined ? found.filter(isUsed) : found;
      const known = valueOrFail(await blotter.daemon.client.limits());
      const limits = known.filter(({ accountId }) => (account ?? accountId) === accountId);
      print({ balances, limits }, options, terminal);
    });
};

const withCsv = (command: Command): Command =>
  command.addOption(
    new Option('--csv [table]', 'print one of its tables as CSV; without a name: balances')
      .choices([...TABLES])
      .conflicts('json'),
  );

/** Has anything other than zeros. */
const isUsed = ({ balance, equity, initialMargin, spotReserve }: Summary): boolean =>
  [balance, equity, initialMargin, spotReserve].some((amount) => /[^0.-]/.test(amount));

interface Shown {
  readonly balances: readonly Summary[];
  readonly limits: readonly LimitRecord[];
}

function print(shown: Shown, { json, csv }: Options, terminal: Terminal): void {
  const { balances, limits } = shown;
  const ofBalances = balanceColumns(balances);
  const ofLimits = limitColumns(limits);
  if (json) return terminal.print(jsonText(shown));
  if (csv === 'limits') return terminal.print(sheetCsv(ofLimits, limits));
  if (csv !== undefined) return terminal.print(sheetCsv(ofBalances, balances));
  const width = terminal.columns();
  terminal.print(balances.length === 0 ? 'no balances' : sheetTable(ofBalances, balances, width));
  if (limits.length === 0) return;
  terminal.print('');
  terminal.print(sheetTable(ofLimits, limits, width));
}

const balanceColumns = (rows: readonly Summary[]): readonly SheetColumn<Summary>[] => [
  accountColumn(rows),
  textColumn(['currency', 'currency', 0], (row) => row.currency),
  amountColumn(['equity', 'equity', 0], (row) => row.equity),
  amountColumn(['balance', 'balance', 5], (row) => row.balance),
  amountColumn(['available_funds', 'available', 0], (row) => row.availableFunds),
  amountColumn(['margin_balance', 'margin balance', 9], (row) => row.marginBalance),
  amountColumn(['initial_margin', 'initial margin', 1], (row) => row.initialMargin),
  amountColumn(['maintenance_margin', 'maintenance', 3], (row) => row.maintenanceMargin),
  amountColumn(['margin_used_percent', 'used %', 1], (row) =>
    percentUsed(row.initialMargin, row.marginBalance),
  ),
  profitColumn(['session_unrealised', 'unrealised', 2], (row) => row.sessionUpl),
  profitColumn(['session_realised', 'realised', 4], (row) => row.sessionRpl),
  amountColumn(['delta_total', 'delta', 6], (row) => row.deltaTotal),
  amountColumn(['options_value', 'options value', 7], (row) => row.optionsValue),
  amountColumn(['options_gamma', 'gamma', 8], (row) => row.optionsGamma),
  amountColumn(['options_vega', 'vega', 8], (row) => row.optionsVega),
  amountColumn(['options_theta', 'theta', 8], (row) => row.optionsTheta),
  amountColumn(['spot_reserve', 'spot reserve', 10], (row) => row.spotReserve),
];

const CONTROLS = {
  gross: 'working and traded today (PT-9)',
  slippage: 'cost of execution today (PT-20)',
  position: 'position with its orders filled (PT-8)',
  messages: 'messages, used for now (PT-5)',
  venue_messages: 'orders and changes at the venue',
  venue_questions: 'queries at the venue',
} as const satisfies Readonly<Record<LimitRecord['control'], string>>;

const limitColumns = (rows: readonly LimitRecord[]): readonly SheetColumn<LimitRecord>[] => [
  accountColumn(rows),
  {
    ...textColumn(['control', 'limit on', 0], ({ control }) => control),
    shown: ({ control, instrumentName = '' }) => `${control} ${instrumentName}`.trimEnd(),
  },
  textColumn(['meaning', 'meaning', 4], ({ control }) =>
    Object.hasOwn(CONTROLS, control) ? CONTROLS[control] : control,
  ),
  textColumn(['instrument', 'instrument', CSV_ONLY], (row) => row.instrumentName),
  amountColumn(['used', 'used', 1], (row) => row.used ?? undefined),
  amountColumn(['limit', 'limit', 1], (row) => row.limit ?? undefined),
  textColumn(['unit', 'unit', 1], ({ unit }) => unit),
  {
    ...amountColumn<LimitRecord>(['used_percent', 'used %', 0], ofLimit),
    shown: (row) => paintedPercent(ofLimit(row) ?? ''),
  },
];

const ofLimit = ({ used, limit }: LimitRecord): string | undefined => percentUsed(used, limit);

/** Rounded down: 100 means used up. Absent if either is not known. */
function percentUsed(part: string | null, whole: string | null): string | undefined {
  const share = Number(part ?? Number.NaN) / Number(whole ?? Number.NaN);
  if (!Number.isFinite(share)) return undefined;
  return share <= 0 ? '0' : percentText(share * 100).replace(' %', '');
}

const NEAR = 80;

function paintedPercent(text: string): string {
  const percent = Number(text);
  if (percent >= 100) return paint.red(text);
  return percent >= NEAR ? paint.yellow(text) : text;
}
