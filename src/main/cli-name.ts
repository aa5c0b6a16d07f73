// The name under which users call the command line: `./twapd` in a clone, `twapd` where it is installed.
import { processEnvironment } from './config/environment.ts';

/** npm names the script that it runs, and npx itself; `./twapd` in a clone does as npm does. */
function nameUnder(script: string | undefined): string {
  if (script === undefined) return 'twapd';
  return script === 'npx' ? 'npx twapd' : './twapd';
}

/** Prefix of every command shown to the user. */
export const CLI_NAME = nameUnder(processEnvironment('npm_lifecycle_event'));
