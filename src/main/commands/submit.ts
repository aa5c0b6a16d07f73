// `submit FILE`: sends a portfolio and says how to follow it.
import type { SubmittedRecord } from '../../gateway/client.ts';
import { CALLED } from '../calling.ts';
import { type AddCommand, jsonText, type Terminal } from './command.ts';
import {
  type ConnectionOptions,
  reachDaemon,
  valueOrFail,
  withConnection,
} from './daemon-client.ts';
import { readBody } from './files.ts';
import { paint } from './paint.ts';

interface Options extends ConnectionOptions {
  readonly once?: string;
  readonly json?: boolean;
}

export const addSubmit: AddCommand = (program, terminal) => {
  withConnection(program.command('submit'))
    .description('submit a portfolio')
    .argument('<file>', 'strategy file or submit body, YAML or JSON')
    .option('--once <key>', 'submit only if this key has not been used before')
    .option('--json', 'print the answer as JSON')
    .action(async (file: string, options: Options) => {
      const body = readBody(file);
      const { client } = reachDaemon(options);
      const submitted = valueOrFail(await client.submit(body, options.once));
      if (options.json) terminal.print(jsonText(submitted));
      else tell(submitted, terminal);
    });
};

function tell(submitted: SubmittedRecord, terminal: Terminal): void {
  const { portfolioId, mirrorPortfolioIds = [], warnings = [] } = submitted;
  terminal.print(`submitted ${paint.bold(String(portfolioId))}`);
  for (const mirror of mirrorPortfolioIds) terminal.print(`mirrored by ${mirror}`);
  for (const { leg, message } of warnings) {
    terminal.print(`${paint.yellow('warning')}${leg === undefined ? '' : ` leg ${leg}`}: ${message}`);
  }
  terminal.print(paint.dim(`watch it: ${CALLED} watch ${portfolioId}`));
}
