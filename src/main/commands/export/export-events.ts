// `export [events]`: writes every event of the ledger as lines of JSON, to standard output or a file, for external records.
import { Readable } from 'node:stream';
import { type Command, InvalidArgumentError } from 'commander';
import { type PortfolioId, portfolioId } from '../../../values/ids.ts';
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import type { ExportQuery } from '../../ledger/export-ledger.ts';
import { configOption } from '../caller-path.ts';
import type { Terminal } from '../command.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';
import { type NamedPath, requireNewFile } from '../output-path.ts';
import { readTime } from '../terminal/read-time.ts';
import { withTimeZone, type ZoneName } from '../terminal/time-zone.ts';
import { toTarget } from './output-target.ts';

interface Options extends LedgerOptions {
  readonly portfolio?: PortfolioId;
  readonly since?: string;
  readonly until?: string;
  readonly output?: string;
  readonly tz: ZoneName;
}

interface LedgerToExport {
  readonly connectionString: string;
  readonly config: Config;
}

/** Lines between two progress messages. */
const PROGRESS_LINES = 100_000;

/** What `export` does without the name of a table. */
export const addEvents = (program: Command, terminal: Terminal): void => {
  withTimeZone(program.command('events', { isDefault: true }))
    .description('every event as a line of JSON, with its chained hash (the default)')
    .option(...configOption)
    .option('-p, --portfolio <id>', 'only of this portfolio', readPortfolio)
    .option('--since <time>', 'only from here on: ISO 8601, in the zone of --tz without an offset')
    .option('--until <time>', 'only before it')
    .option('-o, --output <file>', 'a new file instead of standard output')
    .action(async ({ portfolio, since, until, output, tz, ...options }: Options) => {
      const query: ExportQuery = {
        portfolio,
        from: readTime('--since', since, tz),
        until: readTime('--until', until, tz),
      };
      const file = output === undefined ? undefined : { option: '--output', name: output };
      if (file !== undefined) requireNewFile(file);
      const config = ledgerConfig(options);
      const broken = await onLedger(config, (connectionString) =>
        written({ connectionString, config }, { query, file }, terminal),
      );
      if (broken.length === 0) return;
      const of = broken.slice(0, 5).join(', ');
      throw new CommandFailure('refused', [
        `other events than were sealed in ${broken.length} of the portfolios: ${of}; ${CLI_NAME} audit tells more`,
      ]);
    });
};

/** Returns the portfolios whose hash chain is broken; their events are written as they are. */
async function written(
  { connectionString, config }: LedgerToExport,
  { query, file }: { readonly query: ExportQuery; readonly file: NamedPath | undefined },
  terminal: Terminal,
): Promise<readonly PortfolioId[]> {
  const { exportLedger } = await import('../../ledger/export-ledger.ts');
  const { openArchive } = await import('../../open-archive.ts');
  const archive = openArchive(config);
  const broken: PortfolioId[] = [];
  let lines = 0;
  const counted = async function* (): AsyncGenerator<string> {
    for await (const line of exportLedger(
      connectionString,
      query,
      (id) => broken.push(id),
      archive,
    )) {
      lines += 1;
      if (lines % PROGRESS_LINES === 0) terminal.complain(`${lines} events …`);
      yield line;
    }
  };
  await toTarget(Readable.from(counted()), file);
  terminal.complain(`${lines} events written`);
  return broken;
}

function readPortfolio(text: string): PortfolioId {
  if (/^\d{1,19}$/.test(text)) return portfolioId(text);
  throw new InvalidArgumentError('accepted: the number of a portfolio');
}
