// Parses the command line and runs a command. Every outcome has its own exit code.
import { Command, CommanderError } from 'commander';
import { printable, printableCell } from '../../values/printable.ts';
import { CLI_NAME } from '../cli-name.ts';
import { CommandFailure, EXIT_CODES } from '../command-failure.ts';
import { VERSION } from '../version.ts';
import { ALL_COMMANDS } from './all-commands.ts';
import { processTerminal, safeTerminal, type Terminal } from './command.ts';

const EXIT_HELP = `
Exit codes:
  0  done
  1  refused, or a fault in a file
  2  wrong usage
  3  the daemon cannot be reached

Examples:
  ${CLI_NAME} plan strategies/demo-two-minutes.yaml    what would be done, and when
  ${CLI_NAME} submit strategies/demo-two-minutes.yaml  do it, and tell its id
  ${CLI_NAME} watch ID                                 see it happen
`;

/** Resolves with the exit code. */
export async function runCommandLine(
  words: readonly string[],
  bare: Terminal = processTerminal,
): Promise<number> {
  const terminal = safeTerminal(bare);
  const program = new Command(CLI_NAME)
    .description('Executes large orders over time.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.draw(text),
      writeErr: (text) => terminal.complain(typedShown(words, text.trimEnd())),
    })
    .showHelpAfterError('(see --help)')
    .addHelpText('after', EXIT_HELP);
  for (const add of ALL_COMMANDS) add(program, terminal);
  for (const command of program.commands) command.copyInheritedSettings(program);
  if (words.length === 0) {
    program.outputHelp();
    return EXIT_CODES.usage;
  }
  try {
    await program.parseAsync([...words], { from: 'user' });
    return EXIT_CODES.ok;
  } catch (error) {
    return ending(error, terminal);
  }
}

/** Error messages repeat what was typed, possibly by a script with untrusted input. */
const typedShown = (words: readonly string[], text: string): string =>
  words.reduce((shown, word) => shown.replaceAll(word, printable(word)), text);

function ending(error: unknown, terminal: Terminal): number {
  if (error instanceof CommandFailure) {
    for (const line of error.lines) terminal.complain(printableCell(line));
    return EXIT_CODES[error.ending];
  }
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage;
  throw error;
}
