// `ledger status`: how large the ledger is, what each of the last days added, and how large it will be.

import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { paint } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';

interface Options extends LedgerOptions {
  readonly json?: boolean;
}

const TABLES_SHOWN = 8;
const DAYS_SHOWN = 14;

export const addLedger: AddCommand = (program, terminal) => {
  program
    .command('ledger')
    .command('status')
    .description('show the size of the ledger, its growth by day, and a forecast')
    .option(...configOption)
    .option('--json', 'print it as JSON')
    .action(async (options: Options) => {
      const { ledgerSizes } = await import('../../../adapters/postgres/dump/ledger-sizes.ts');
      const { growthOf } = await import('../../ledger/growth.ts');
      const sizes = await onLedger(ledgerConfig(options), ledgerSizes);
      const growth = growthOf(sizes, new Date().toISOString().slice(0, 10));
      if (options.json === true) return terminal.print(jsonText({ ...sizes, growth }));
      const { days, bytesADay, inThirtyDays, inAYear } = growth;
      const largest = Math.max(...sizes.days.map(({ bytes }) => bytes), 1);
      const tables = sizes.tables.slice(0, TABLES_SHOWN);
      const bar = (bytes: number): string => '█'.repeat(Math.ceil((bytes / largest) * 16));
      terminal.print(
        [
          `${paint.bold('database')}  ${sizeText(sizes.bytes)}`,
          days === 0
            ? 'growth    not known before the first day is over'
            : `growth    ${sizeText(bytesADay)} a day, mean of ${days} days; ${sizeText(inThirtyDays)} in 30 days, ${sizeText(inAYear)} in a year`,
          '',
          tableText(
            [{ head: 'table' }, { head: 'size', align: 'right' }, { head: 'rows', align: 'right' }],
            tables.map(({ table, bytes, rows }) => [table, sizeText(bytes), `≈ ${rows}`]),
          ),
          '',
          tableText(
            [{ head: 'day (UTC)' }, { head: 'size', align: 'right' }, { head: '' }],
            sizes.days
              .slice(-DAYS_SHOWN)
              .map(({ day, bytes }) => [day, sizeText(bytes), bar(bytes)]),
          ),
        ].join('\n'),
      );
    });
};

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** In powers of 1000. */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(bytes || 1) / 3)));
  return `${(bytes / 1_000 ** power).toFixed(power === 0 ? 0 : 1)} ${UNITS[power]}`;
}
