// No kind of fault is left to the long tests alone: the table of docs/testing.md has a quick test in each row, and each long one in some row.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONG_FILES } from './long-files.ts';
import { TASKS } from './tasks.ts';

interface Row {
  readonly kind: string;
  readonly quick: readonly string[];
  readonly long: readonly string[];
}

const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);

/** The rows of the table that begins with the kinds of fault. */
function rowsOf(page: string): readonly Row[] {
  const from = page.slice(page.indexOf('| Kind of fault |'));
  return from
    .slice(0, from.indexOf('\n\n'))
    .split('\n')
    .slice(2)
    .map((line) => {
      const [kind = '', quick = '', long = ''] = line.split('|').slice(1);
      return { kind: kind.trim(), quick: pathsIn(quick), long: pathsIn(long) };
    });
}

/** Rows whose quick tests are none, do not exist, or are left out of `npm test`. */
const withoutQuick = (rows: readonly Row[]): readonly string[] =>
  rows
    .filter(
      ({ quick }) =>
        quick.length === 0 || quick.some((path) => !existsSync(path) || LONG_FILES.includes(path)),
    )
    .map(({ kind }) => kind);

const rows = rowsOf(readFileSync('docs/testing.md', 'utf8'));
const isInARow = (path: string): boolean =>
  rows.some(({ long }) =>
    long.some((named) => path === named || (named.endsWith('/') && path.startsWith(named))),
  );

test('each kind of fault has a quick test, which `npm test` runs', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(withoutQuick(rows)).toEqual([]);
  const planted = rowsOf(
    '| Kind of fault | Quick test | Long test |\n|---|---|---|\n| one | none | `test/x.ts` |\n' +
      '| two | `test/resident/resident.daemon.test.ts` | `test/x.ts` |\n\n',
  );
  expect(withoutQuick(planted)).toEqual(['one', 'two']);
});

test('each file that `npm test` leaves out stands in a row', () => {
  expect(LONG_FILES.filter((file) => !isInARow(file))).toEqual([]);
});

test('what a long task runs stands in a row', () => {
  const started = TASKS.flatMap(({ words }) => words.filter((word) => word.startsWith('test/')));
  const unnamed = [...new Set(started)].filter(
    (path) =>
      !isInARow(path) &&
      !rows.some(({ quick, long }) => [...quick, ...long].some((one) => one.startsWith(path))),
  );
  expect(unnamed).toEqual([]);
});
