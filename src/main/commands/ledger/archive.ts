// `archive`: moves days whose portfolios have all ended from the database to Parquet files. `archive restore` brings one
// back.

import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type DayName, dayBounds, dayName, dayOf } from '../../../ports/archive/submit-day.ts';
import { DAY_MS, instant } from '../../../values/instant.ts';
import { printable, printableData } from '../../../values/printable.ts';
import { counted } from '../../../values/text/written-figures.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import type { DayOutcome } from '../../ledger/archive/archive-ledger.ts';
import { configOption } from '../caller-path.ts';
import { type AddCommand, jsonText, type Terminal } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { paint } from '../terminal/paint.ts';
import { tableText } from '../terminal/table.ts';
import { ARCHIVE_PLACE, archiveFailure, archiveOrFail } from './archive-text.ts';

interface Options extends LedgerOptions {
  readonly before?: string;
  readonly to?: string;
  readonly json?: boolean;
}

interface RestoreOptions {
  readonly config?: string;
  readonly from?: string;
  readonly json?: boolean;
}

export const addArchive: AddCommand = (program, terminal) => {
  const archive: Command = program
    .command('archive')
    .option(...configOption)
    .option('--before <day>', 'only days before this one, such as 2026-11-24, UTC')
    .option('--to <place>', ARCHIVE_PLACE)
    .option('--json', 'print it as JSON')
    .action((options: Options) => move(options, terminal));
  archive
    .command('restore')
    .description('bring an archived day back into the database; its files stay')
    .argument('<day>', 'such as 2026-11-24, UTC')
    .option(configOption[0], `${configOption[1]} (default: that of archive)`)
    .option('--from <place>', ARCHIVE_PLACE)
    .option('--json', 'print it as JSON')
    .action((day: string, options: RestoreOptions) =>
      // Options before the word restore are those of the command above.
      restore(day, { ...archive.opts<Options>(), ...options }, terminal),
    );
};

async function move(options: Options, terminal: Terminal): Promise<void> {
  const config = ledgerConfig(options);
  const files = await archiveOrFail(config, ['--to', options.to]);
  const before = lastDay(config, options.before);
  const outcomes = await onLedger(config, async (connectionString) => {
    const { archiveDays } = await import('../../ledger/archive/archive-ledger.ts');
    const witness = await witnessOf(config, connectionString);
    return await archiveDays(
      {
        connectionString,
        files,
        witness,
        deployment: config.service.deployment,
        now: () => new Date(),
        onStep: (day, step) => terminal.complain(`${day}: ${step} …`),
      },
      before,
    ).catch((error: unknown) => {
      throw archiveFailure(error);
    });
  });
  terminal.print(
    options.json === true ? jsonText(outcomes.map(plain)) : outcomesText(outcomes, before),
  );
}

/** The days before it may go: those that the retention keeps may not, whatever is asked. */
function lastDay({ ledger }: Pick<Config, 'ledger'>, asked: string | undefined): DayName {
  if (ledger.retention === undefined) {
    throw new CommandFailure('refused', [
      'ledger.retention is not set: everything is kept; accepted: a number of days in the configuration',
    ]);
  }
  const today = dayBounds(dayOf(instant(Date.now()))).from;
  const allowed = dayOf(instant(today - ledger.retention * DAY_MS));
  if (asked === undefined) return allowed;
  const before = dayName(asked);
  if (before === undefined) {
    throw new CommandFailure('usage', [
      `--before ${printable(asked)}: no such day; accepted: a day, such as 2026-11-24`,
    ]);
  }
  if (before > allowed) {
    throw new CommandFailure('refused', [
      `--before ${before}: ledger.retention keeps ${ledger.retention} days; accepted: ${allowed} or earlier`,
    ]);
  }
  return before;
}

/** The heads of the chains that the data folder has seen. */
async function witnessOf(config: Config, connectionString: string) {
  const { PostgresLedger } = await import('../../../adapters/postgres/postgres-ledger.ts');
  const { ChainWitnessFile } = await import('../../../adapters/system/chain-witness-file.ts');
  const { knownHeadsPath } = await import('../../wiring/open-audit.ts');
  const marks = new PostgresLedger({ connectionString });
  try {
    const folder = resolve(config.service.dataDir);
    const path = await knownHeadsPath(folder, (name) => marks.getMetadata(name));
    return new ChainWitnessFile({
      ...(path !== undefined && { path }),
      onFault: (error) => {
        throw error;
      },
    });
  } finally {
    await marks.close();
  }
}

const plain = (outcome: DayOutcome): unknown =>
  outcome.kind === 'kept'
    ? outcome
    : {
        day: outcome.day,
        kind: outcome.kind,
        portfolios: outcome.manifest.portfolios,
        events: outcome.manifest.events,
        bytes: bytesOf(outcome.manifest),
        head: outcome.manifest.head,
      };

const bytesOf = ({ tables }: { readonly tables: readonly { readonly bytes: number }[] }): number =>
  tables.reduce((sum, { bytes }) => sum + bytes, 0);

function outcomesText(outcomes: readonly DayOutcome[], before: DayName): string {
  if (outcomes.length === 0) return `nothing before ${before} is left to archive`;
  const columns = [
    { head: 'day (UTC)' },
    { head: 'portfolios', align: 'right' },
    { head: 'events', align: 'right' },
    { head: 'MB', align: 'right' },
    { head: '' },
  ] as const;
  const rows = printableData(outcomes).map((one) =>
    one.kind === 'kept'
      ? [one.day, '', '', '', paint.yellow(`kept: ${one.reason}`)]
      : [
          one.day,
          String(one.manifest.portfolios),
          String(one.manifest.events),
          (bytesOf(one.manifest) / 1e6).toFixed(1),
          paint.green('archived'),
        ],
  );
  return tableText(columns, rows);
}

async function restore(
  asked: string,
  options: LedgerOptions & RestoreOptions,
  terminal: Terminal,
): Promise<void> {
  const day = dayName(asked);
  if (day === undefined) {
    throw new CommandFailure('usage', [
      `${printable(asked)}: no such day; accepted: a day, such as 2026-11-24`,
    ]);
  }
  const config = ledgerConfig(options);
  const files = await archiveOrFail(config, ['--from', options.from]);
  const { portfolios, events } = await onLedger(config, async (connectionString) => {
    const { restoreDay } = await import('../../ledger/archive/archive-ledger.ts');
    return await restoreDay({ connectionString, files }, day).catch((error: unknown) => {
      throw archiveFailure(error);
    });
  });
  terminal.print(
    options.json === true
      ? jsonText({ day, portfolios, events })
      : `${day} is in the database again: ${counted(portfolios, 'portfolio')}, ${counted(events, 'event')}`,
  );
}
