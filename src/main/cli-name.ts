// How a user calls the command line where this runs: through npm in a clone, by its name where it is installed.
import { processEnvironment } from './config/environment.ts';

/** To put before the words of a command that is shown to be typed. npm tells a process which script it runs. */
export const CLI_NAME =
  processEnvironment('npm_lifecycle_event') === undefined ? 'twapd' : 'npm run -s twapd --';
