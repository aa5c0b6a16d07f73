// The completion script for zsh: one function per command, in the words of its `_arguments`.
import {
  type CompletedCommand,
  type CompletedOption,
  type Offer,
  withInner,
} from './completed-command.ts';

/** A script to be read with `source` after `compinit`, or to be a file `_twapd` of `fpath`. */
export function zshCompletion(program: CompletedCommand): string {
  const lists = new WordLists();
  const functions = withInner(program).map((command) => commandFunction(command, lists));
  return `#compdef twapd
# Completion of twapd for zsh. Made by: twapd completion zsh

${[...lists.functions(), ...functions].join('\n\n')}

if [[ $funcstack[1] == _twapd ]]; then
    _twapd "$@"
else
    compdef _twapd twapd
fi
`;
}

/** Each list of words stands once in the script, as a function. */
class WordLists {
  readonly #names = new Map<string, string>();

  nameOf(words: readonly string[]): string {
    const key = words.map(quoted).join(' ');
    const name = this.#names.get(key) ?? `_twapd_words_${this.#names.size + 1}`;
    this.#names.set(key, name);
    return name;
  }

  functions(): readonly string[] {
    return [...this.#names].map(([words, name]) => `${name}() {\n    compadd "$@" - ${words}\n}`);
  }
}

function commandFunction(command: CompletedCommand, lists: WordLists): string {
  const name = functionName(command);
  const options = command.options.flatMap((option) => optionSpecs(option, lists));
  if (command.commands.length === 0) {
    const places = command.arguments.map(
      ({ name: label, offer, isVariadic }) =>
        `${isVariadic ? '*' : ''}:${escaped(label)}:${actionOf(offer, lists)}`,
    );
    return `${name}() {\n${argumentsCall('', [...options, ...places.map(quoted)])}\n}`;
  }
  const inner = command.commands.map(
    ({ name: word, description }) => `            ${quoted(`${escaped(word)}:${description}`)}`,
  );
  const cases = command.commands.map((one) => `            ${one.name}) ${functionName(one)} ;;`);
  return `${name}() {
    local curcontext=$curcontext state line
    local -A opt_args
    local -a commands
${argumentsCall('-C ', [...options, quoted('1:command:->command'), quoted('*::argument:->rest')])}
    case $state in
    command)
        commands=(
${inner.join('\n')}
        )
        _describe command commands
        ;;
    rest)
        case $line[1] in
${cases.join('\n')}
            *)
${argumentsCall('', options, '        ')}
                ;;
        esac
        ;;
    esac
}`;
}

const argumentsCall = (flags: string, specs: readonly string[], indent = ''): string =>
  [`${indent}    _arguments ${flags}-s`, ...specs.map((spec) => `${indent}        ${spec}`)].join(
    ' \\\n',
  );

const functionName = ({ path }: CompletedCommand): string =>
  ['_twapd', ...path.split(' ').filter(Boolean)].join('_').replaceAll('-', '_');

/** An option with a value may be repeated; another one is offered once. */
function optionSpecs({ names, description, value }: CompletedOption, lists: WordLists): string[] {
  const told = `[${escaped(description)}]`;
  if (value === undefined) {
    return names.map((name) => quoted(`(${names.join(' ')})${name}${told}`));
  }
  const colons = value.isRequired ? ':' : '::';
  const place = `${colons}value:${actionOf(value, lists)}`;
  return names.map((name) => quoted(`*${name}${name.startsWith('--') ? '=' : ''}${told}${place}`));
}

function actionOf(offer: Offer, lists: WordLists): string {
  switch (offer.kind) {
    case 'nothing':
      return ' ';
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'words':
      return lists.nameOf(offer.words);
  }
}

const escaped = (text: string): string => text.replace(/[\\[\]:]/g, '\\$&');

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
