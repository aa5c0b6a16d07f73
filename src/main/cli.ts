#!/usr/bin/env node
// The `twapd` command.
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

// The reader of our output may close the pipe early, as in `twapd list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// Code is compiled once, not at every start. In the user's own folder: what others can write is not run. Where the folder
// cannot be written, Node continues without; NODE_COMPILE_CACHE, which a clone sets, has precedence.
const caches = cacheFolder();
if (caches !== undefined && !process.env['NODE_COMPILE_CACHE']) {
  enableCompileCache(join(caches, 'twapd'));
}

// Imported only now, for the cache to hold it.
const { runCommandLine } = await import('./commands/command-line.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));

/** `undefined` for a user without a home, such as a number that a container engine made up. */
function cacheFolder(): string | undefined {
  const named = process.env['XDG_CACHE_HOME'];
  if (named) return named;
  try {
    return join(homedir(), '.cache');
  } catch {
    // Unexamined: the system has no home for this user, whatever it says about it.
    return undefined;
  }
}
