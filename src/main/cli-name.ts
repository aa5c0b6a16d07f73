// The name under which users call the command line: through npm in a clone, `twapd` where it is installed.
import { processEnvironment } from './config/environment.ts';

/** Prefix of every command shown to the user. npm tells a process which script it runs. */
export const CLI_NAME =
  processEnvironment('npm_lifecycle_event') === undefined ? 'twapd' : 'npm run -s twapd --';
