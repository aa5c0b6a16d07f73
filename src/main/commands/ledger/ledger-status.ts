// `ledger status`: how large the ledger is, what each of the last days added, and how large it will be.

import { Option } from 'commander';
import { counted } from '../../../values/text/written-figures.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { csvText } from '../terminal/csv-text.ts';
import { type SheetColumn, sheetTable } from '../terminal/sheet.ts';
import { amountColumn, textColumn } from '../terminal/sheet-columns.ts';
import { type Fact, factLines } from '../terminal/wrapped-lines.ts';
import { addLedgerKey } from './ledger-key.ts';
import { addUnaccounted } from './ledger-unaccounted.ts';

interface Options extends LedgerOptions {
  readonly json?: boolean;
  readonly csv?: 'tables' | 'days' | true;
}

const TABLES_SHOWN = 8;
const DAYS_SHOWN = 14;

export const addLedger: AddCommand = (program, terminal) => {
  const ledger = program.command('ledger');
  addLedgerKey(ledger, terminal);
  addUnaccounted(ledger, terminal);
  ledger
    .command('status')
    .description('show the size of the ledger, its growth by day, and a forecast')
    .option(...configOption)
    .option('--json', 'print it as JSON')
    .addOption(
      new Option('--csv [table]', 'print one of its tables as CSV; without a name: tables')
        .choices(['tables', 'days'])
        .conflicts('json'),
    )
    .action(async (options: Options) => {
      const { ledgerSizes } = await import('../../../adapters/postgres/dump/ledger-sizes.ts');
      const { growthOf } = await import('../../ledger/ledger-growth.ts');
      const sizes = await onLedger(ledgerConfig(options), ledgerSizes);
      const growth = growthOf(sizes, new Date().toISOString().slice(0, 10));
      if (options.json === true) return terminal.print(jsonText({ ...sizes, growth }));
      if (options.csv === 'days')
        return terminal.print(csvText(sizes.days.map((one) => ({ ...one }))));
      if (options.csv) return terminal.print(csvText(sizes.tables.map((one) => ({ ...one }))));
      const width = terminal.columns();
      const { days, bytesADay, inThirtyDays, inAYear } = growth;
      const largest = Math.max(...sizes.days.map(({ bytes }) => bytes), 1);
      const tables = sizes.tables.slice(0, TABLES_SHOWN);
      const bar = (bytes: number): string => '█'.repeat(Math.ceil((bytes / largest) * 16));
      const facts: readonly Fact[] = [
        ['database', sizeText(sizes.bytes)],
        [
          'growth',
          days === 0
            ? 'not known before the first day is over'
            : `${sizeText(bytesADay)} a day, mean of ${counted(days, 'day')}; ${sizeText(inThirtyDays)} in 30 days, ${sizeText(inAYear)} in a year`,
        ],
      ];
      const columns: readonly SheetColumn<(typeof sizes.days)[number]>[] = [
        textColumn(['day', 'day (UTC)', 0], ({ day }) => day),
        amountColumn(['size', 'size', 0], ({ bytes }) => sizeText(bytes)),
        textColumn(['bar', '', 1], ({ bytes }) => bar(bytes)),
      ];
      terminal.print(
        [
          factLines(facts, width),
          sheetTable(TABLES, tables, width),
          sheetTable(columns, sizes.days.slice(-DAYS_SHOWN), width),
        ].join('\n\n'),
      );
    });
};

const TABLES: readonly SheetColumn<{
  readonly table: string;
  readonly bytes: number;
  readonly rows: number;
}>[] = [
  textColumn(['table', 'table', 0], ({ table }) => table),
  amountColumn(['size', 'size', 0], ({ bytes }) => sizeText(bytes)),
  amountColumn(['rows', 'rows', 1], ({ rows }) => `≈ ${rows}`),
];

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** In powers of 1000. */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3)));
  return `${(bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
