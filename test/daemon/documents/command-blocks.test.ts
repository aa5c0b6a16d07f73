import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FOLLOWED, pathOf } from './followed-pages.ts';
import { blocksOf, COMMANDS, commandsOf, ROOT } from './page-blocks.ts';

const PAGES = globSync('docs/*.md', { cwd: ROOT });
const blocks = PAGES.flatMap(blocksOf);
const isCommand = ({ language }: { readonly language: string }) => COMMANDS.includes(language);

test('every block of a page names its language', () => {
  expect(blocks.length).toBeGreaterThan(100);
  expect(blocks.filter(({ language }) => language === '').map(({ where }) => where)).toEqual([]);
});

test('every command block is run by a test, or says why it cannot be', () => {
  const followed = new Set(FOLLOWED.map(pathOf));
  const commands = blocks.filter(isCommand);
  const left = commands.filter(
    ({ where, notes }) => !notes.has('not run') && !followed.has(where.split(':')[0] ?? ''),
  );
  expect(left.map(({ where }) => where)).toEqual([]);
  expect(commands.filter(({ notes }) => !notes.has('not run')).length).toBeGreaterThan(25);
});

test('a page that a test follows has commands that can be run', () => {
  for (const page of FOLLOWED) {
    const run = blocksOf(pathOf(page)).filter((one) => isCommand(one) && !one.notes.has('not run'));
    expect(run.flatMap(commandsOf), page).not.toEqual([]);
  }
});

test('what prints a command is not taken for text', () => {
  const looksTyped = /^\$ |^(?:npm|npx|twapd|curl|kill|node) /;
  const texts = blocks.filter((one) => !isCommand(one) && one.language === 'text');
  expect(texts.filter(({ lines }) => lines.some((line) => looksTyped.test(line)))).toEqual([
    expect.objectContaining({ where: expect.stringContaining('docs/tutorial.md') }),
  ]);
});
