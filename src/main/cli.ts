#!/usr/bin/env node
// The `twapd` command.
import process from 'node:process';
import { runCommandLine } from './commands/command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2));
