#!/usr/bin/env node
// The `twapd` command.
import process from 'node:process';
import { runCommandLine } from './commands/command-line.ts';

// The reader of our output may close the pipe early, as in `twapd list | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2));
