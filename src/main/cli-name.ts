// The name under which users call the command line: through npm in a clone, `twapd` where it is installed.
import { processEnvironment } from './config/environment.ts';

/** npm tells a process which script it runs, and npx that it is npx. */
function nameUnder(script: string | undefined): string {
  if (script === undefined) return 'twapd';
  return script === 'npx' ? 'npx twapd' : 'npm run -s twapd --';
}

/** Prefix of every command shown to the user. */
export const CLI_NAME = nameUnder(processEnvironment('npm_lifecycle_event'));
