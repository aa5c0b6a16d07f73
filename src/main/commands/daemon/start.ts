// `start`: runs the daemon until it is stopped.

import { CommandFailure } from '../../command-failure.ts';
import { AVAILABLE_KINDS } from '../../config/sections/venues-section.ts';
import type { AddCommand } from '../command.ts';
import { configOption, fromCaller, readConfigLoosely } from '../files.ts';

export const addStart: AddCommand = (program) => {
  program
    .command('start')
    .description('run the daemon')
    .option(...configOption)
    .action(async ({ config: configPath }: { readonly config: string }) => {
      refuseMissingVenues(configPath);
      // The daemon's dependencies are loaded only here, so that the other commands start fast.
      const { runDaemon } = await import('../../daemon/daemon.ts');
      await runDaemon({ configPath: fromCaller(configPath) });
    });
};

/** Checked before secrets are fetched, which would otherwise be fetched for nothing. */
function refuseMissingVenues(configPath: string): void {
  const { venues } = readConfigLoosely(configPath, () => undefined);
  const missing = Object.entries(venues).filter(
    ([, venue]) => !AVAILABLE_KINDS.includes(venue.kind),
  );
  if (missing.length === 0) return;
  const lines = missing.map(
    ([name, venue]) =>
      `${configPath} venues.${name}: kind ${venue.kind} is not available in this version; available: ${AVAILABLE_KINDS.join(', ')}`,
  );
  throw new CommandFailure('refused', lines);
}
