// `export events|fills|slices|children|portfolios|legs`: what the ledger has, for spreadsheets, notebooks and external records.
import { Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import { accountId } from '../../../values/ids.ts';
import { CommandFailure } from '../../command-failure.ts';
import {
  LEDGER_TABLES,
  type LedgerTable,
  type TableRow,
} from '../../ledger/rows/ledger-columns.ts';
import type { RowsQuery } from '../../ledger/rows/ledger-rows.ts';
import { configOption } from '../caller-path.ts';
import type { AddCommand, Terminal } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { type NamedPath, requireNewFile } from '../output-path.ts';
import { readTime } from '../terminal/read-time.ts';
import { withTimeZone, type ZoneName } from '../terminal/time-zone.ts';
import { csvRows } from './csv-stream.ts';
import { addEvents } from './export-events.ts';
import { ExportProgress } from './export-progress.ts';
import { toTarget } from './output-target.ts';
import { writeParquet } from './parquet-file.ts';

interface Options extends LedgerOptions {
  readonly account?: string;
  readonly from?: string;
  readonly to?: string;
  readonly csv?: boolean;
  readonly parquet?: boolean;
  readonly out?: string;
  readonly tz: ZoneName;
}

const DESCRIPTIONS: Readonly<Record<LedgerTable, string>> = {
  fills: 'trades of child orders, by the time of the trade',
  slices: 'slices with plan, lateness and reasons, by the time when they were due',
  children: 'child orders with prices and outcome, by the time when they were decided',
  portfolios: 'portfolios as they stand, by the time of the submit',
  legs: 'legs of portfolios: filled, average price, by the time of the submit',
};

export const addExport: AddCommand = (program, terminal) => {
  const group = program.command('export');
  addEvents(group, terminal);
  for (const table of Object.keys(LEDGER_TABLES) as LedgerTable[]) {
    addTable(group.command(table).description(DESCRIPTIONS[table]), table, terminal);
  }
};

function addTable(command: Command, table: LedgerTable, terminal: Terminal): void {
  withTimeZone(command)
    .option(...configOption)
    .option('-a, --account <id>', 'only of this account')
    .option('--from <time>', 'from here on: ISO 8601, in the zone of --tz without an offset')
    .option('--to <time>', 'before it')
    .option('--csv', 'as CSV (the default)')
    .addOption(new Option('--parquet', 'as Parquet; needs --out').conflicts('csv'))
    .option('-o, --out <file>', 'a new file instead of standard output')
    .action(async (options: Options) => {
      const query = readQuery(options);
      const file = fileOf(options);
      if (file !== undefined) requireNewFile(file);
      const config = ledgerConfig(options);
      const progress = new ExportProgress(terminal, file !== undefined);
      await onLedger(config, async (connectionString) => {
        const { ledgerRows } = await import('../../ledger/rows/ledger-rows.ts');
        const { openArchive } = await import('../../open-archive.ts');
        const ledger = { connectionString, archive: openArchive(config) };
        const rows = progress.counted(ledgerRows(ledger, table, query));
        await write({ table, rows, file }, options);
      });
      progress.done();
    });
}

function readQuery({ account, from: since, to, tz }: Options): RowsQuery {
  const from = readTime('--from', since, tz);
  const until = readTime('--to', to, tz);
  if (from !== undefined && until !== undefined && from > until) {
    throw new CommandFailure('usage', ['--from is later than --to']);
  }
  return { account: account === undefined ? undefined : accountId(account), from, until };
}

function fileOf({ out, parquet }: Options): NamedPath | undefined {
  if (out !== undefined) return { option: '--out', name: out };
  if (!parquet) return undefined;
  throw new CommandFailure('usage', ['--parquet writes no text; accepted: with --out FILE']);
}

interface Written {
  readonly table: LedgerTable;
  readonly rows: AsyncGenerator<TableRow>;
  readonly file: NamedPath | undefined;
}

async function write({ table, rows, file }: Written, { parquet, tz }: Options): Promise<void> {
  const columns = LEDGER_TABLES[table];
  if (parquet && file !== undefined)
    return await writeParquet(file, { name: table, columns, rows });
  await toTarget(Readable.from(csvRows(columns, rows, tz)), file);
}
