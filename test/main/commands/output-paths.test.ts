// Options that name a file or a folder for results, each with paths that cannot be written: refused before the work, in one line that
// names the option. An option that is new has to be in the lists below.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, test } from 'vitest';
import { CommandFailure } from '../../../src/main/command-failure.ts';
import { ALL_COMMANDS } from '../../../src/main/commands/all-commands.ts';
import { processTerminal } from '../../../src/main/commands/command.ts';
import { outputFile } from '../../../src/main/commands/output-path.ts';
import { captured } from '../captured-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'twapd-outputs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILE = 'strategies/perpetual-accumulation.yaml';
const inside = (name: string): string => join(folder, name);
const NOWHERE = ['--url', 'http://127.0.0.1:9'];

/** By command and option, how it is called; the path follows. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'report --html': ['report', '1', ...NOWHERE, '--html'],
  'report compare --html': ['report', 'compare', '1', '2', ...NOWHERE, '--html'],
  'backtest --report': ['backtest', FILE, '--data', folder, '--report'],
  'rehearse --report': ['rehearse', FILE, '--out', inside('runs'), '--report'],
};
const NEW_FILES: Readonly<Record<string, readonly string[]>> = {
  'export events --output': ['export', 'events', '--output'],
  ...Object.fromEntries(
    ['fills', 'slices', 'children', 'portfolios', 'legs'].map((table) => [
      `export ${table} --out`,
      ['export', table, '--out'],
    ]),
  ),
  'ledger key <file>': ['ledger', 'key'],
};
const NEW_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'report --parquet': ['report', '1', ...NOWHERE, '--parquet'],
  'report compare --parquet': ['report', 'compare', '1', '2', ...NOWHERE, '--parquet'],
};
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'backup --to': ['backup', '--to'],
  'archive --to': ['archive', '--to'],
  'record --to': ['record', '--instruments', 'BTC-PERPETUAL', '--to'],
  'backtest --cache': ['backtest', FILE, '--data', folder, '--cache'],
  'backtest --out': ['backtest', FILE, '--data', folder, '--sweep', '--out'],
  'rehearse --out': ['rehearse', FILE, '--out'],
  'doctor --capture': ['doctor', '--config', 'config/paper.yaml', '--capture'],
  'init [folder]': ['init'],
};
/** What commands read, and the root of the project itself. */
const READ = new Set([
  '--config',
  '--ca',
  '--cert',
  '--cert-key',
  '--data',
  '--instruments',
  '--strategies',
  '--archive',
  '--witness',
  '--from',
  '--public-key',
]);
const READ_ARGUMENTS = new Set([
  'backtest <file>',
  'rehearse <file>',
  'submit <file>',
  'plan <file>',
  'backup verify <folder>',
  'restore <folder>',
  'check [file]',
  'schema --out',
]);

const program = new Command('twapd');
for (const { load } of ALL_COMMANDS) (await load())(program, processTerminal);

/** Every option and argument that names a place, as in the lists above. */
function places(command: Command, words: readonly string[]): string[] {
  const options = command.options
    .filter(({ flags }) => /<(?:file|folder|place)>/.test(flags))
    .map(({ long }) => long ?? '')
    .filter((long) => !READ.has(long));
  const own = command.registeredArguments
    .filter((argument) => ['file', 'folder'].includes(argument.name()))
    .map((argument) => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`));
  const listed = [...options, ...own].map((each) => [...words, each].join(' '));
  const below = command.commands.flatMap((each) => places(each, [...words, each.name()]));
  return [...listed, ...below];
}

test('every option that names a place for results is tried here', () => {
  const tried = [FILES, NEW_FILES, NEW_FOLDERS, FOLDERS].flatMap((each) => Object.keys(each));
  const found = places(program, []).filter((each) => !READ_ARGUMENTS.has(each));
  expect(found.toSorted()).toEqual(tried.toSorted());
});

writeFileSync(inside('file'), 'kept');
mkdirSync(inside('folder.html'));
/** Under a file, and where the kernel creates nothing, which Node.js tries for ever. */
const NOWHERE_PATHS = [inside('file/below/it.html'), '/proc/nope/it.html'];

async function refused(words: readonly string[], path: string, name: string): Promise<void> {
  const { code, out, err } = await captured([...words, path]);
  expect([code, out], err).toEqual([1, '']);
  expect(err.trim().split('\n')).toHaveLength(1);
  const option = name.split(' ').at(-1) ?? '';
  const [told = ''] = err.split(' ');
  // An argument has no option to name; what stands in its way may be a folder above it, or the file of a pair.
  if (option.startsWith('--')) expect(err).toContain(`${option} ${path}`);
  else expect([path.startsWith(told), told.startsWith(path)]).toContain(true);
  expect(err).toContain('; accepted: a');
}

describe.each(Object.entries({ ...FILES, ...NEW_FILES, ...NEW_FOLDERS, ...FOLDERS }))(
  '%s',
  (name, words) => {
    test.each(NOWHERE_PATHS)('%s is refused before the work', async (path) => {
      await refused(words, path, name);
      expect(existsSync(path)).toBe(false);
    });
  },
);

test('a folder is no file, a file is no folder, and what exists is not new', async () => {
  for (const [name, words] of Object.entries(FILES)) {
    await refused(words, inside('folder.html'), name);
    await refused(words, inside('missing/it.html'), name);
  }
  for (const [name, words] of Object.entries({ ...NEW_FILES, ...NEW_FOLDERS, ...FOLDERS })) {
    await refused(words, inside('file'), name);
  }
});

test('a full disk is named with the option, and a file is unchanged until it is written', () => {
  writeFileSync(inside('old.html'), 'old');
  const file = outputFile({ option: '--html', name: inside('old.html') });
  outputFile({ option: '--html', name: inside('new.html') });
  expect([readFileSync(file.path, 'utf8'), existsSync(inside('new.html'))]).toEqual(['old', false]);
  file.write('page');
  expect(readFileSync(file.path, 'utf8')).toBe('page');
  const full = outputFile({ option: '--html', name: '/dev/full' });
  expect(() => full.write('page')).toThrow(CommandFailure);
});
