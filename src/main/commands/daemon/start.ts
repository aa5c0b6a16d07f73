// `start`, `engine`, `gateway`: run the daemon, or one of its parts, until it is stopped.

import process from 'node:process';
import { Option } from 'commander';
import { throwProgrammingError } from '../../../values/errors/programming-error.ts';
import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { LINK_KEY } from '../../config/environment.ts';
import { isProduction, mayBeLive } from '../../config/rules/venue-place.ts';
import { configOption, fromCaller } from '../caller-path.ts';
import type { AddCommand, Terminal } from '../command.ts';
import type { DaemonConsole } from '../console/daemon-console.ts';
import { readConfig, readConfigLoosely } from '../files.ts';

interface Options {
  readonly config: string;
  readonly live?: boolean;
  readonly log?: 'json' | 'pretty';
}

const LIVE = ['--live', 'trade real money, where the configuration says so'] as const;

const logOption = (): Option =>
  new Option('--log <format>', 'print the log in this format').choices(['json', 'pretty']);

export const addStart: AddCommand = (program, terminal) => {
  program
    .command('start')
    .option(...configOption)
    .option(...LIVE)
    .addOption(logOption())
    .action(async (options: Options) => {
      const config = checked(options, terminal);
      await requireReady(config);
      // The daemon's dependencies are loaded only here, so that the other commands start fast.
      if (config.service.parts === 'together') {
        const { runDaemon } = await import('../../daemon/daemon.ts');
        return await runDaemon(daemonOptions(options));
      }
      // Every fault is reported once, before a part is started; the parts read it again, each without the other's secrets.
      const whole = readConfig(options.config);
      const display = await displayOf({ config: whole, options, terminal });
      await runParts({ config, linkKey: whole.linkKey, options, terminal, display });
    });
};

export const addEngine: AddCommand = (program, terminal) => {
  program
    .command('engine')
    .option(...configOption)
    .option(...LIVE)
    .addOption(logOption())
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
    .addOption(logOption())
    .action(async ({ config, log }: Options) => {
      const { runGateway } = await import('../../daemon/gateway-process.ts');
      await runGateway({ configPath: fromCaller(config), logFormat: log });
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

const daemonOptions = ({ config, live = false, log }: Options) => ({
  configPath: fromCaller(config),
  allowsLive: live,
  logFormat: log,
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
  readonly display: DaemonConsole | undefined;
}

/** `undefined`: the log is printed instead, to a file, to a terminal of another process, or because somebody wants it. */
async function displayOf({
  config,
  options: { live = false, log },
  terminal,
}: Pick<PartsOptions, 'options' | 'terminal'> & { readonly config: Config }): Promise<
  DaemonConsole | undefined
> {
  if (log !== undefined || config.log.format !== 'auto' || !terminal.isLive) return undefined;
  const { isForeground, openConsole } = await import('../console/open-console.ts');
  return isForeground() ? openConsole({ config, allowsLive: live, terminal }) : undefined;
}

async function runParts(parts: PartsOptions): Promise<void> {
  const { config, linkKey, options, terminal, display } = parts;
  const { supervise } = await import('../../parts/supervisor.ts');
  const [, entry = ''] = process.argv;
  const both = [
    '--config',
    fromCaller(options.config),
    ...(options.log === undefined ? [] : ['--log', options.log]),
  ];
  const code = await supervise({
    entry,
    words: {
      engine: ['engine', ...both, ...(options.live === true ? ['--live'] : [])],
      gateway: ['gateway', ...both],
    },
    withheld: { engine: config.secretVariables.clients, gateway: config.secretVariables.engine },
    // The engine gets no master secret, and both parts have one key as long as this process runs.
    given: linkKey === undefined ? {} : { [LINK_KEY]: linkKey.reveal() },
    say: (message) =>
      display === undefined ? terminal.complain(`twapd: ${message}`) : display.say(message),
    display,
  });
  await display?.close(code);
  process.exit(code);
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
