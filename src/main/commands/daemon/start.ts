// `start`: runs the daemon until it is stopped.

import { CommandFailure } from '../../command-failure.ts';
import type { Config } from '../../config/config.ts';
import { isProduction, mayBeLive } from '../../config/rules/venue-place.ts';
import type { AddCommand } from '../command.ts';
import { configOption, fromCaller, readConfigLoosely } from '../files.ts';

interface Options {
  readonly config: string;
  readonly live?: boolean;
}

export const addStart: AddCommand = (program, terminal) => {
  program
    .command('start')
    .description('run the daemon')
    .option(...configOption)
    .option('--live', 'trade real money, where the configuration says so')
    .action(async ({ config: configPath, live: allowsLive = false }: Options) => {
      // Checked before secrets are fetched, which would otherwise be fetched for nothing.
      const { venues } = readConfigLoosely(configPath, () => undefined);
      if (!allowsLive) refuseLive(configPath, venues);
      else if (!Object.values(venues).some(mayBeLive)) {
        terminal.complain(`--live has no effect: no venue of ${configPath} can trade real money`);
      }
      // The daemon's dependencies are loaded only here, so that the other commands start fast.
      const { runDaemon } = await import('../../daemon/daemon.ts');
      await runDaemon({ configPath: fromCaller(configPath), allowsLive });
    });
};

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
