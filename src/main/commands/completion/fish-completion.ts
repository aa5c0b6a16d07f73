// The completion script for fish: one `complete` line per command, option and argument.
import {
  type CompletedCommand,
  type CompletedOption,
  type Offer,
  withInner,
} from './completed-command.ts';

/** A script to be read with `source`, or to be `completions/twapd.fish`. */
export function fishCompletion(program: CompletedCommand): string {
  const commands = withInner(program);
  const lists = new WordLists();
  const lines = commands.flatMap((command) => completeLines(command, lists));
  const paths = commands.filter(({ path }) => path !== '').map(({ path }) => path);
  const needed = commands.flatMap(({ path, options }) =>
    options
      .filter(({ value }) => value?.isRequired)
      .flatMap(({ names }) => names.map((name) => `${path} ${name}`)),
  );
  return `# Completion of twapd for fish. Made by: twapd completion fish

set -g __twapd_commands ${paths.map(quoted).join(' ')}
# Options that need a value, each after its command.
set -g __twapd_needed ${needed.map(quoted).join(' ')}
${lists.settings().join('\n')}

# Whether the words before the cursor are this command, with so many arguments of it; without a number: any.
function __twapd_at
    set -l path
    set -l count 0
    set -l isValue no
    set -l words (commandline -opc)
    for word in $words[2..]
        if test $isValue = yes
            set isValue no
            continue
        end
        if string match -q -- '-*' $word
            contains -- "$path $word" $__twapd_needed; and set isValue yes
            continue
        end
        set -l longer (string trim -- "$path $word")
        if test $count = 0; and contains -- $longer $__twapd_commands
            set path $longer
        else
            set count (math $count + 1)
        end
    end
    test "$path" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; and return 0
    test $count -ge $argv[2]; or return 1
    test (count $argv) -lt 3; and return 0
    test $count -le $argv[3]
end

complete -c twapd -f
${lines.join('\n')}
`;
}

/** Each list of words stands once in the script, as a variable. */
class WordLists {
  readonly #names = new Map<string, string>();

  nameOf(words: readonly string[]): string {
    const key = words.map(quoted).join(' ');
    const name = this.#names.get(key) ?? `__twapd_words_${this.#names.size + 1}`;
    this.#names.set(key, name);
    return name;
  }

  settings(): readonly string[] {
    return [...this.#names].map(([words, name]) => `set -g ${name} ${words}`);
  }
}

function completeLines(command: CompletedCommand, lists: WordLists): readonly string[] {
  const { path, commands, options } = command;
  const line = (condition: string, rest: string): string =>
    `complete -c twapd -n ${quoted(`__twapd_at ${quoted(path)}${condition}`)} ${rest}`;
  return [
    ...commands.map(({ name, description }) =>
      line(' 0 0', `-a ${quoted(name)} -d ${quoted(description)}`),
    ),
    ...command.arguments.flatMap(({ offer, isVariadic }, index) => {
      const offered = offerFlags(offer, lists);
      return offered === '' ? [] : [line(` ${index}${isVariadic ? '' : ` ${index}`}`, offered)];
    }),
    ...options.map((option) => line('', optionFlags(option, lists))),
  ];
}

function optionFlags({ names, description, value }: CompletedOption, lists: WordLists): string {
  const named = names.map((name) =>
    name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const told = `-d ${quoted(description)}`;
  if (value === undefined) return [...named, told].join(' ');
  const needs = value.isRequired ? ['-x'] : [];
  return [...named, ...needs, offerFlags(value, lists), told].filter(Boolean).join(' ');
}

function offerFlags(offer: Offer, lists: WordLists): string {
  switch (offer.kind) {
    case 'nothing':
      return '';
    case 'files':
      return `-a '(__fish_complete_path (commandline -ct))'`;
    case 'folders':
      return `-a '(__fish_complete_directories (commandline -ct))'`;
    case 'words':
      return `-a '$${lists.nameOf(offer.words)}'`;
  }
}

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
