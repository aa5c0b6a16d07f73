import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { ALL_COMMANDS } from '../../src/main/commands/all-commands.ts';
import { processTerminal } from '../../src/main/commands/command.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...globSync('docs/*.md', { cwd: ROOT }),
];

interface Shown {
  readonly where: string;
  readonly words: readonly string[];
  /** Typed as shown, rather than mentioned in a sentence. */
  readonly isWhole: boolean;
}

const INLINE = /`(?:[^`\n]* )?(?:\.\/)?twapd ([^`|][^`]*)`/g;
const TYPED = /^\$ \.\/twapd (.+)$/gm;

/** `a|b` means either of both. */
function spelled(text: string): readonly (readonly string[])[] {
  const words = text.replace(/\s#.*$/, '').match(/"[^"]*"|\S+/g) ?? [];
  return words.reduce<readonly (readonly string[])[]>(
    (lines, word) => lines.flatMap((line) => word.split('|').map((one) => [...line, one])),
    [[]],
  );
}

function shownOn(page: string): readonly Shown[] {
  const text = readFileSync(`${ROOT}/${page}`, 'utf8');
  const found = (pattern: RegExp, isWhole: boolean): readonly Shown[] =>
    [...text.matchAll(pattern)].flatMap(({ index, 1: command = '' }) => {
      const where = `${page}:${text.slice(0, index).split('\n').length}`;
      return spelled(command).map((words) => ({ where, words, isWhole }));
    });
  return [...found(INLINE, false), ...found(TYPED, true)];
}

const program = new Command('twapd');
for (const { load } of ALL_COMMANDS) (await load())(program, processTerminal);

/** The error the command line would give for these words; `undefined` if none. */
function faultOf({ words, isWhole }: Shown): string | undefined {
  if (words[0] === '--help' || words[0] === '--version') return undefined;
  let command = program;
  let rest = words;
  for (;;) {
    const inner = command.commands.find((one) => one.name() === rest[0]);
    if (inner === undefined) break;
    command = inner;
    rest = rest.slice(1);
  }
  if (command === program) return `no command ${words[0]}`;
  let given = 0;
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? '';
    if (!word.startsWith('-')) {
      given += 1;
      continue;
    }
    const option = command.options.find((one) => [one.short, one.long].includes(word));
    if (option === undefined) return `${command.name()} has no ${word}`;
    if (option.required || (option.optional && !rest[index + 1]?.startsWith('-'))) index += 1;
  }
  const taken = command.registeredArguments;
  const isOpen = taken.some(({ variadic }) => variadic);
  if (given > taken.length && !isOpen) return `${command.name()} takes ${taken.length} words`;
  const needed = taken.filter(({ required }) => required).length;
  return isWhole && given < needed ? `${command.name()} needs ${needed} words` : undefined;
}

describe('commands in the documents', () => {
  const shown = PAGES.flatMap(shownOn);

  it('the documents contain commands', () => {
    expect(shown.filter(({ isWhole }) => isWhole).length).toBeGreaterThan(10);
    expect(shown.filter(({ where }) => where.startsWith('docs/')).length).toBeGreaterThan(15);
  });

  it('every documented command exists, with the options it is shown with', () => {
    const faults = shown.flatMap((one) => {
      const fault = faultOf(one);
      return fault === undefined ? [] : `${one.where}: twapd ${one.words.join(' ')}: ${fault}`;
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ['nothing', 'no command nothing'],
    ['list --deep', 'list has no --deep'],
    ['show 1 2', 'show takes 1 words'],
    ['show', 'show needs 1 words'],
    ['rfq trade 1 --sideways', 'trade has no --sideways'],
  ])('the check would find: %s', (text, fault) => {
    expect(faultOf({ where: '', words: text.split(' '), isWhole: true })).toBe(fault);
  });
});
