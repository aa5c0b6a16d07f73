// `export`: writes every event of the ledger as lines of JSON, to standard output or a file, for external
// records.
import { createWriteStream } from 'node:fs';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError } from 'commander';
import { type PortfolioId, portfolioId } from '../../../values/ids.ts';
import { type Instant, parseIso } from '../../../values/instant.ts';
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { ExportQuery } from '../../ledger/export-ledger.ts';
import type { AddCommand, Terminal } from '../command.ts';
import { configOption, newFromCaller } from '../files.ts';
import { type LedgerOptions, ledgerConfig, onLedger } from '../ledger-command.ts';

interface Options extends LedgerOptions {
  readonly portfolio?: PortfolioId;
  readonly since?: Instant;
  readonly until?: Instant;
  readonly output?: string;
}

/** Lines between two progress messages. */
const PROGRESS_LINES = 100_000;

export const addExport: AddCommand = (program, terminal) => {
  program
    .command('export')
    .option(...configOption)
    .option('-p, --portfolio <id>', 'only of this portfolio', readPortfolio)
    .option('--since <instant>', 'only from here on, such as 2026-11-20T14:00:00Z', readInstant)
    .option('--until <instant>', 'only before it', readInstant)
    .option('-o, --output <file>', 'a new file instead of standard output')
    .action(async (options: Options) => {
      const broken = await onLedger(ledgerConfig(options), (connectionString) =>
        written(connectionString, options, terminal),
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
  connectionString: string,
  { portfolio, since: from, until, output }: Options,
  terminal: Terminal,
): Promise<readonly PortfolioId[]> {
  const { exportLedger } = await import('../../ledger/export-ledger.ts');
  const query: ExportQuery = { portfolio, from, until };
  const broken: PortfolioId[] = [];
  let lines = 0;
  const counted = async function* (): AsyncGenerator<string> {
    for await (const line of exportLedger(connectionString, query, (id) => broken.push(id))) {
      lines += 1;
      if (lines % PROGRESS_LINES === 0) terminal.complain(`${lines} events …`);
      yield line;
    }
  };
  await toTarget(Readable.from(counted()), output);
  terminal.complain(`${lines} events written`);
  return broken;
}

async function toTarget(lines: Readable, output: string | undefined): Promise<void> {
  const target =
    output === undefined
      ? process.stdout
      : createWriteStream(newFromCaller(output), { flags: 'wx', mode: 0o600 });
  try {
    // Standard output stays open for later output.
    await pipeline(lines, target, { end: output !== undefined });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The reader closed the pipe early, as `head` does.
    if (code === 'EPIPE') return;
    if (output === undefined) throw error;
    throw new CommandFailure('refused', [
      `--output ${output} cannot be written (${code}); accepted: a file that does not exist, in a folder that does`,
    ]);
  }
}

function readPortfolio(text: string): PortfolioId {
  if (/^\d{1,19}$/.test(text)) return portfolioId(text);
  throw new InvalidArgumentError('accepted: the number of a portfolio');
}

function readInstant(text: string): Instant {
  const at = parseIso(text);
  if (at !== undefined) return at;
  throw new InvalidArgumentError('accepted: ISO 8601, such as 2026-11-20T14:00:00Z');
}
