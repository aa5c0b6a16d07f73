// `exchange`: runs the paper exchange as a process of its own until it is stopped.

import { CommandFailure } from '../../command-failure.ts';
import { EXCHANGE_OVERRIDES } from '../../config/environment.ts';
import { fromCaller } from '../caller-path.ts';
import type { AddCommand } from '../command.ts';
import { readConfig } from '../files.ts';

interface Options {
  readonly config: string;
  readonly port?: string;
}

export const EXCHANGE_CONFIG = 'config/exchange.yaml';

export const addExchange: AddCommand = (program) => {
  program
    .command('exchange')
    .option('-c, --config <file>', 'configuration file', EXCHANGE_CONFIG)
    .option('-p, --port <port>', 'TCP port (default: that of the config)')
    .action(async (options: Options) => {
      const configPath = fromCaller(options.config);
      const port = portOf(options.port);
      readConfig(configPath, EXCHANGE_OVERRIDES);
      // Its dependencies are loaded only here, so that the other commands start fast.
      const { runExchange } = await import('../../daemon/exchange-process.ts');
      await runExchange({ configPath, port });
    });
};

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  const message = `--port is ${JSON.stringify(text)}; accepted: a whole number from 0 to 65535`;
  throw new CommandFailure('usage', [message]);
}
