// `start`, `engine`, `gateway`: run the daemon, or one of its parts, until it is stopped.

import process from 'node:process';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { LINK_KEY } from '../../config/environment.ts';
import { isProduction, mayBeLive } from '../../config/rules/venue-place.ts';
import { configOption, fromCaller } from '../caller-path.ts';
import type { AddCommand, Terminal } from '../command.ts';
import { readConfig, readConfigLoosely } from '../files.ts';

interface Options {
  readonly config: string;
  readonly live?: boolean;
}

const LIVE = ['--live', 'trade real money, where the configuration says so'] as const;

export const addStart: AddCommand = (program, terminal) => {
  program
    .command('start')
    .option(...configOption)
    .option(...LIVE)
    .action(async (options: Options) => {
      const config = checked(options, terminal);
      await requireReady(config);
      // The daemon's dependencies are loaded only here, so that the other commands start fast.
      if (config.service.parts === 'together') {
        const { runDaemon } = await import('../../daemon/daemon.ts');
        return await runDaemon(daemonOptions(options));
      }
      // Every fault is reported once, before a part is started; the parts read it again, each without the other's secrets.
      const { linkKey } = readConfig(options.config);
      await runParts({ config, linkKey, options, terminal });
    });
};

export const addEngine: AddCommand = (program, terminal) => {
  program
    .command('engine')
    .option(...configOption)
    .option(...LIVE)
    .action(async (options: Options) => {
      checked(options, terminal);
      const { runEngine } = await import('../../daemon/engine-process.ts');
      await runEngine(daemonOptions(options));
    });
};

export const addGateway: AddCommand = (program) => {
  program
    .command('gateway')
    .option(...configOption)
    .action(async ({ config }: Options) => {
      const { runGateway } = await import('../../daemon/gateway-process.ts');
      await runGateway({ configPath: fromCaller(config) });
    });
};

async function requireReady(config: Config): Promise<void> {
  const { requireStartable } = await import('../../lifecycle/startable.ts');
  try {
    await requireStartable(config);
  } catch (error) {
    throwProgrammingError(error);
    throw new CommandFailure('refused', [(error as Error).message]);
  }
}

const daemonOptions = ({ config, live = false }: Options) => ({
  configPath: fromCaller(config),
  allowsLive: live,
});

/** Checked before secrets are fetched, which would otherwise be fetched for nothing. */
function checked({ config: configPath, live = false }: Options, terminal: Terminal): Config {
  const config = readConfigLoosely(configPath, () => undefined);
  if (!live) refuseLive(configPath, config.venues);
  else if (!Object.values(config.venues).some(mayBeLive) && process.send === undefined) {
    terminal.complain(`--live has no effect: no venue of ${configPath} can trade real money`);
  }
  return config;
}

interface PartsOptions extends Pick<Config, 'linkKey'> {
  readonly config: Config;
  readonly options: Options;
  readonly terminal: Terminal;
}

async function runParts({ config, linkKey, options, terminal }: PartsOptions): Promise<void> {
  const { supervise } = await import('../../parts/supervisor.ts');
  const [, entry = ''] = process.argv;
  const path = ['--config', fromCaller(options.config)];
  process.exit(
    await supervise({
      entry,
      words: {
        engine: ['engine', ...path, ...(options.live === true ? ['--live'] : [])],
        gateway: ['gateway', ...path],
      },
      withheld: { engine: config.secretVariables.clients, gateway: config.secretVariables.engine },
      // The engine gets no master secret, and both parts have one key as long as this process runs.
      given: linkKey === undefined ? {} : { [LINK_KEY]: linkKey.reveal() },
      say: (message) => terminal.complain(`twapd: ${message}`),
    }),
  );
}

/** No variable and no option of the file stands in for the word that a person types. */
function refuseLive(configPath: string, venues: Config['venues']): void {
  const lines = Object.entries(venues).flatMap(([name, venue]) =>
    venue.kind === 'deribit' && isProduction(venue)
      ? [
          `${configPath} venues.${name}.environment: is ${venue.environment}, which trades real money; accepted: start with --live, or environment: test`,
        ]
      : [],
  );
  if (lines.length > 0) throw new CommandFailure('refused', lines);
}
