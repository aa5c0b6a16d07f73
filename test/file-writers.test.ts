// The table of written files in docs/faults.md against the sources: every module that writes the content of a file is in it, with a
// test that fills the disk at each of its writes. A new writer uses `writeWhole`, or gets a row and a test of its own.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { must } from '../src/values/assert.ts';
import { nonEmpty } from './support/non-empty.ts';

const WRITERS = [
  'writeFile',
  'writeFileSync',
  'appendFile',
  'appendFileSync',
  'createWriteStream',
  'write',
  'writeSync',
  'writev',
  'writevSync',
  'copyFile',
  'copyFileSync',
  'cp',
  'cpSync',
];
const OF_FS = /import\s+([^;]*?)\s+from\s+'(?:node:)?fs(?:\/promises)?'/g;
/** Opened to be written. */
const OPENED = /\bopen(?:Sync)?\((?:[^()]|\([^()]*\))*'(?:w|a|ax|wx|a\+|w\+|r\+)'/;
/** Of a package that writes Parquet. */
const OF_PACKAGE = /\bfileWriter\(/;

function isWriter(text: string): boolean {
  const imported = [...text.matchAll(OF_FS)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []);
  // A default import has everything.
  const hasAll = /import (?:\* as )?fs\b/.test(text);
  return (
    hasAll ||
    imported.some((name) => WRITERS.includes(name)) ||
    OPENED.test(text) ||
    OF_PACKAGE.test(text)
  );
}

const section = must(
  readFileSync('docs/faults.md', 'utf8')
    .split('\n## ')
    .find((part) => part.startsWith('Files on a full disk')),
  'docs/faults.md has the section',
);
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '));
const quoted = (cell = ''): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

test('the table of written files names every module that writes one, and no other', () => {
  const found = globSync('src/**/*.ts').filter((path) => isWriter(readFileSync(path, 'utf8')));
  expect(rows.flatMap(([paths]) => quoted(paths)).toSorted()).toEqual(nonEmpty(found).toSorted());
});

test('every written file has a test that fills the disk, or a reason why it needs none', () => {
  const without = rows.flatMap(([paths = '', , shown = '']) => {
    if (/^no test: \S.{15,}/.test(shown)) return [];
    const tests = quoted(shown).map((path) => readFileSync(path, 'utf8'));
    const fills = tests.some((text) => /\b(?:FullDisk|fullAtEachWrite|smallDisk)\(/.test(text));
    return fills ? [] : [paths];
  });
  expect(without).toEqual([]);
});

test.each([
  ["import { writeFileSync } from 'node:fs';", true],
  ["import { readFile, appendFile } from 'node:fs/promises';", true],
  ["import * as fs from 'node:fs';", true],
  ["import { open } from 'node:fs/promises'; await open(join(folder, 'x'), 'a', 0o600);", true],
  ["import { openSync } from 'node:fs'; openSync(path, 'r');", false],
  ["import { readFileSync, rmSync } from 'node:fs';", false],
  ['const writer = fileWriter(path);', true],
])('a module with %s is a writer: %s', (text, expected) => {
  expect(isWriter(text)).toBe(expected);
});
