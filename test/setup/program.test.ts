// The bundle that a clone runs instead of its sources, in a small stand-in for the clone: the real set-up scripts and packages, and
// a program that says which file it runs from.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Finished, finished, runSetUp } from './fake-clone.ts';

const WORKERS = [
  'src/adapters/postgres/pages/page-worker.ts',
  'src/main/commands/backtest/cell-worker.ts',
  'src/main/commands/rehearse/rehearsal-worker.ts',
  'src/main/strategy/document-worker.ts',
];
const WORD = 'src/main/word.ts';
const DAY_S = 86_400;

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'twapd clone-')));
  cpSync('src/setup', join(root, 'src/setup'), { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(name, join(root, name));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  put('src/main/cli.ts', [
    `import { createServer } from 'node:http';`,
    `console.log(import.meta.url.slice(-8), (await import('./word.ts')).word());`,
    `if (process.argv[2] === 'serve') {`,
    `  process.once('SIGUSR2', async () => {`,
    `    console.log((await import('./late.ts')).late());`,
    `    process.exit(0);`,
    `  });`,
    `  createServer().listen(0, '127.0.0.1', () => console.log('listening'));`,
    `}`,
  ]);
  put('src/main/late.ts', [`export const late = (): string => 'as it was at the start';`]);
  put(WORD, [`export const word = (): string => 'first';`]);
  for (const path of WORKERS) put(path, [`console.log('a worker');`]);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, lines: readonly string[]): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), lines.join('\n'));
}

const run = (): Promise<Finished> =>
  finished(runSetUp(root, ['--quiet', 'src/main/cli.ts', 'once']));

const bundles = (): readonly string[] => readdirSync(join(root, '.twapd-setup/program'));

test('a clone runs a bundle, which is made by the first command and again when a source changes', async () => {
  const first = await run();
  const [bundle] = bundles();
  expect(first.stdout).toBe(`${bundle?.at(-1)}/cli.js first\n`);
  put('README.md', ['not a part of it']);
  expect((await run()).stdout).toBe(first.stdout);
  expect(bundles()).toEqual([bundle]);
  put(WORD, [`export const word = (): string => 'other';`]);
  const changed = await run();
  expect(changed.stdout).toMatch(/^\w\/cli\.js other\n$/);
  expect(bundles()).toHaveLength(2);
});

test('a bundle names the packages in it with their licences', async () => {
  put(WORD, [
    `import { Decimal } from 'decimal.js';`,
    `export const word = (): string => String(new Decimal(1));`,
  ]);
  expect((await run()).stdout).toMatch(/ 1\n$/);
  const text = readFileSync(
    join(root, '.twapd-setup/program', bundles()[0] ?? '', 'licences.txt'),
    'utf8',
  );
  expect(text).toMatch(/^decimal\.js \d+\.\d+\.\d+ \(MIT\)\n\n[\s\S]*Permission is hereby granted/);
});

test('a source that cannot be bundled is said, and the sources are run', async () => {
  put(WORD, [`import { none } from './none.ts';`, `export const word = none;`]);
  const { code, stderr } = await run();
  expect(code).toBe(1);
  expect(stderr).toContain('twapd: the program is not bundled: ');
  expect(stderr).toContain('Could not resolve "./none.ts"');
  expect(stderr).toContain('ERR_MODULE_NOT_FOUND');
});

test('a running program keeps the bundle that it was started from, and one that nothing runs is removed', async () => {
  await run();
  const unused = bundles();
  put(WORD, [`export const word = (): string => 'second';`]);
  const child = runSetUp(root, ['--quiet', 'src/main/cli.ts', 'serve']);
  const ended = finished(child);
  await new Promise<void>((done) => {
    child.stdout?.on('data', (text) => {
      if (String(text).includes('listening')) done();
    });
  });
  const old = Date.now() / 1_000 - DAY_S;
  for (const name of bundles()) utimesSync(join(root, '.twapd-setup/program', name), old, old);
  put('src/main/late.ts', [`export const late = (): string => 'changed';`]);
  expect((await run()).stdout).toContain('second');
  expect(bundles()).toHaveLength(2);
  expect(bundles()).not.toContain(unused[0]);
  child.kill('SIGUSR2');
  expect((await ended).stdout).toContain('as it was at the start');
});

test('two first commands at the same time make one bundle', async () => {
  const both = await Promise.all([run(), run()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.map(({ stdout }) => stdout)).toEqual([both[0].stdout, both[0].stdout]);
  expect(bundles()).toHaveLength(1);
});
