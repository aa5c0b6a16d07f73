// The completion script for bash, from version 3.2 on: no associative arrays, and no option of `complete` that is newer.
import { type CompletedCommand, type Offer, withInner } from './completed-command.ts';

/** A script to be read with `source`. */
export const bashCompletion = (program: CompletedCommand): string => scriptOf(withInner(program));

const scriptOf = (
  commands: readonly CompletedCommand[],
): string => `# Completion of twapd for bash. Made by: twapd completion bash

# Sets what a command has: commands below it, options, options that need a value, options that may have one, arguments.
_twapd_at() {
    variadic=''
    case $1 in
${commands.map(commandCase).join('\n')}
    esac
}

# Sets what the value of an option may be.
_twapd_value() {
    case "$1 $2" in
${valueCases(commands).join('\n')}
        *) offered='' ;;
    esac
}

_twapd() {
    local current=\${COMP_WORDS[COMP_CWORD]} path='' word='' needing='' allowing='' offered='' count=0 at line
    local commands options needed allowed variadic
    local -a arguments
    # bash makes several words of --option=value and of 10:30.
    [[ $current == '=' ]] && current=''
    _twapd_at ''
    for ((at = 1; at < COMP_CWORD; at++)); do
        word=\${COMP_WORDS[at]}
        if [[ $word == ':' ]]; then
            at=$((at + 1))
            continue
        fi
        [[ $word == '=' ]] && continue
        if [[ -n $needing ]]; then
            needing=''
            continue
        fi
        if [[ $word == -* ]]; then
            allowing=''
            if [[ " $needed " == *" $word "* ]]; then needing=$word; fi
            if [[ " $allowed " == *" $word "* ]]; then allowing=$word; fi
            continue
        fi
        if [[ -n $allowing ]]; then
            _twapd_value "$path" "$allowing"
            allowing=''
            [[ " $offered " == *" $word "* ]] && continue
        fi
        if [[ $count == 0 && " $commands " == *" $word "* ]]; then
            path=\${path:+$path }$word
            _twapd_at "$path"
        else
            count=$((count + 1))
        fi
    done
    if [[ -n $needing ]]; then
        _twapd_value "$path" "$needing"
    elif [[ $current == -* ]]; then
        offered=$options
    elif [[ -n $allowing ]]; then
        _twapd_value "$path" "$allowing"
    else
        if [[ -n $variadic && $count -ge \${#arguments[@]} ]]; then count=$((\${#arguments[@]} - 1)); fi
        offered=\${arguments[count]:-}
        if [[ $count == 0 && -n $commands ]]; then offered="$commands \${offered#:*}"; fi
    fi
    COMPREPLY=()
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
        case $offered in
            :files) compgen -f -- "$current" ;;
            :folders) compgen -d -- "$current" ;;
            *) compgen -W "$offered" -- "$current" ;;
        esac
    )
    # Folders get a slash, and names are quoted where they need it.
    if [[ $offered == :* ]]; then compopt -o filenames 2>/dev/null; fi
    return 0
}

complete -F _twapd twapd
`;

function commandCase(command: CompletedCommand): string {
  const having = (isRequired: boolean): string =>
    command.options
      .filter(({ value }) => value?.isRequired === isRequired)
      .flatMap(({ names }) => names)
      .join(' ');
  const settings = [
    `commands=${quoted(command.commands.map(({ name }) => name).join(' '))}`,
    `options=${quoted(command.options.flatMap(({ names }) => names).join(' '))}`,
    `needed=${quoted(having(true))}`,
    `allowed=${quoted(having(false))}`,
    `arguments=(${command.arguments.map(({ offer }) => quoted(offerWords(offer))).join(' ')})`,
    ...(command.arguments.at(-1)?.isVariadic ? ['variadic=1'] : []),
  ];
  return `        ${quoted(command.path)})\n${settings.map((one) => `            ${one}\n`).join('')}            ;;`;
}

/** Options of one name that offer the same are one case; where they differ, each command has its own. */
function valueCases(commands: readonly CompletedCommand[]): readonly string[] {
  const offers = new Map<string, Map<string, string[]>>();
  for (const { path, options } of commands) {
    for (const { names, value } of options) {
      if (value === undefined) continue;
      const words = offerWords(value);
      for (const name of names) {
        const byWords = offers.get(name) ?? new Map<string, string[]>();
        offers.set(name, byWords.set(words, [...(byWords.get(words) ?? []), path]));
      }
    }
  }
  const cases = new Map<string, string[]>();
  for (const [name, byWords] of offers) {
    for (const [words, paths] of byWords) {
      if (words === '') continue;
      const patterns =
        byWords.size === 1
          ? [`*${quoted(` ${name}`)}`]
          : paths.map((path) => quoted(`${path} ${name}`));
      cases.set(words, [...(cases.get(words) ?? []), ...patterns]);
    }
  }
  return [...cases].map(
    ([words, patterns]) => `        ${patterns.join(' | ')}) offered=${quoted(words)} ;;`,
  );
}

function offerWords(offer: Offer): string {
  switch (offer.kind) {
    case 'nothing':
      return '';
    case 'files':
    case 'folders':
      return `:${offer.kind}`;
    case 'words':
      return offer.words.join(' ');
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
