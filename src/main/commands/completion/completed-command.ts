// What a shell completes: the commands, options and values of the command line, read from the program itself.
import type { Argument, Command, Option } from 'commander';
import { LIMIT_NAMES } from '../../../core/terms/amend-limits.ts';
import { SCOPES } from '../../../ports/key-records.ts';
import { RECORDED_KINDS } from '../../../recorder/recorded-kinds.ts';
import { CURRENCIES } from '../blotter/blotter-options.ts';

/** What may stand in a place; `nothing`: it is not known before it is typed, such as an id. */
export type Offer =
  | { readonly kind: 'nothing' | 'files' | 'folders' }
  | { readonly kind: 'words'; readonly words: readonly string[] };

export interface CompletedOption {
  /** As typed: `-c`, `--config`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Of its value; `undefined` if it takes none. */
  readonly value: undefined | (Offer & { readonly isRequired: boolean });
}

export interface CompletedArgument {
  readonly name: string;
  readonly offer: Offer;
  readonly isVariadic: boolean;
}

export interface CompletedCommand {
  /** The words that lead to it, such as `rfq create`; empty for the program. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly commands: readonly CompletedCommand[];
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly CompletedArgument[];
}

/** Describes a command with everything below it. Hidden options are left out. */
export function completedCommand(command: Command, path = ''): CompletedCommand {
  const commands = command.commands.map((inner) =>
    completedCommand(inner, path === '' ? inner.name() : `${path} ${inner.name()}`),
  );
  const isProgram = path === '';
  return {
    path,
    name: command.name(),
    description: command.description(),
    commands: isProgram ? [...commands, helpAbout(commands)] : commands,
    options: [...command.options.filter(({ hidden }) => !hidden).map(completedOption), HELP],
    arguments: command.registeredArguments.map(completedArgument),
  };
}

/** The library answers these without listing them. */
const HELP: CompletedOption = {
  names: ['-h', '--help'],
  description: 'display help for command',
  value: undefined,
};

const helpAbout = (commands: readonly CompletedCommand[]): CompletedCommand => ({
  path: 'help',
  name: 'help',
  description: HELP.description,
  commands: [],
  options: [],
  arguments: [
    {
      name: 'command',
      offer: { kind: 'words', words: commands.map(({ name }) => name) },
      isVariadic: false,
    },
  ],
});

const completedOption = (option: Option): CompletedOption => ({
  names: [option.short, option.long].filter((name) => name !== undefined),
  description: option.description,
  value:
    option.required || option.optional
      ? {
          ...offerOf(option.argChoices, PLACEHOLDER.exec(option.flags)?.[1] ?? ''),
          isRequired: option.required,
        }
      : undefined,
});

const PLACEHOLDER = /[<[]([^>\]]+)[>\]]/;

const completedArgument = (argument: Argument): CompletedArgument => ({
  name: argument.name(),
  offer: offerOf(argument.argChoices, argument.name()),
  isVariadic: argument.variadic,
});

function offerOf(choices: readonly string[] | undefined, placeholder: string): Offer {
  if (choices !== undefined) return { kind: 'words', words: choices };
  return BY_PLACEHOLDER.get(placeholder) ?? { kind: 'nothing' };
}

/** Where a parser accepts more than a list of choices: several with commas, either case, other numbers. */
const BY_PLACEHOLDER: ReadonlyMap<string, Offer> = new Map<string, Offer>([
  ['file', { kind: 'files' }],
  ['reports', { kind: 'files' }],
  ['folder', { kind: 'folders' }],
  ['zone', { kind: 'words', words: ['UTC', 'local', ...Intl.supportedValuesOf('timeZone')] }],
  ['code', { kind: 'words', words: CURRENCIES }],
  ['codes', { kind: 'words', words: CURRENCIES }],
  ['currency', { kind: 'words', words: CURRENCIES }],
  ['scopes', { kind: 'words', words: SCOPES }],
  ['kinds', { kind: 'words', words: RECORDED_KINDS }],
  ['limit', { kind: 'words', words: LIMIT_NAMES }],
]);

/** A command and all below it, each before those below it. */
export const withInner = (command: CompletedCommand): readonly CompletedCommand[] => [
  command,
  ...command.commands.flatMap(withInner),
];
