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
    // A command and its subcommands may have options of the same names.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.draw(text),
      writeErr: (text) => terminal.complain(typedShown(words, text.trimEnd())),
    })
    .showHelpAfterError('(see --help)')
    .addHelpCommand(helpCommand())
    .addHelpText('after', EXIT_HELP);
  await addCommands(program, { words, terminal });
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

/** The library would list its own under a heading of its own. */
const helpCommand = (): Command =>
  new Command('help')
    .argument('[command]')
    .description('display help for command')
    .helpGroup('Help:');

const isOption = (word: string): boolean => word.startsWith('-');

/** Adds the command that is typed, and of the others what the help and suggestions need. */
async function addCommands(
  program: Command,
  { words, terminal }: { readonly words: readonly string[]; readonly terminal: Terminal },
): Promise<void> {
  const [first, second] = words.filter((word) => !isOption(word));
  const typed = first === 'help' ? second : first;
  const isAll = ALL_COMMANDS.some(({ name, readsAll = false }) => name === typed && readsAll);
  for (const { name, group, description, load } of ALL_COMMANDS) {
    if (name === typed || isAll) (await load())(program, terminal);
    else program.command(name);
    program.commands.at(-1)?.description(description).helpGroup(GROUPS[group]);
  }
}

const GROUPS = {
  trade: 'Trade:',
  look: 'Look:',
  operate: 'Operate:',
  research: 'Research:',
} as const;

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
