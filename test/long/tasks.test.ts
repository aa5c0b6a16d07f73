// Each long test has its turn, whatever the commit hashes are.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CASE_SUBJECTS, isSelecting, LONG_FILES } from './long-files.ts';
import { TASKS, type Task } from './tasks.ts';
import { inTurn, type LastRuns } from './turns.ts';

describe('the tasks of the long tests', () => {
  test('the tasks of the long tests have names of their own', () => {
    expect(new Set(TASKS.map(({ name }) => name)).size).toBe(TASKS.length);
  });

  test.each(LONG_FILES)('%s, which a run of all tests leaves out, belongs to a task', (file) => {
    expect(existsSync(file)).toBe(true);
    const tasks = TASKS.filter(({ words }) =>
      words.some((word) => word.startsWith('test/') && file.startsWith(word)),
    );
    expect(tasks).not.toEqual([]);
    for (const { words } of tasks) expect(isSelecting(words)).toBe(true);
  });

  test('each file that draws a few cases in every run draws more in a task', () => {
    const drawing = globSync('test/**/*.test.ts')
      .filter((file) => /^import .*\/support\/cases\.ts';$/m.test(readFileSync(file, 'utf8')))
      .toSorted();
    expect(CASE_SUBJECTS.flatMap(({ files }) => files).toSorted()).toEqual(drawing);
  });

  test('a run of all tests selects none by their path', () => {
    expect(isSelecting(['run', '--coverage', '--reporter=verbose'])).toBe(false);
  });

  test('the file of last runs names only tasks, with days that were', () => {
    const runs = JSON.parse(readFileSync('test/long/last-runs.json', 'utf8')) as LastRuns;
    const names = new Set(TASKS.map(({ name }) => name));
    expect(Object.keys(runs).filter((name) => !names.has(name))).toEqual([]);
    for (const { day, seconds } of Object.values(runs)) {
      expect(day).toMatch(/^20\d\d-\d\d-\d\d$/);
      expect(Number.isInteger(seconds)).toBe(true);
    }
  });
});

describe('the turns of the long tests', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name): Task => ({ name, words: [] })) as [
    Task,
    Task,
    Task,
    Task,
  ];
  const ran = (day: string) => ({ day, seconds: 1 });
  const today = '2026-11-29';
  const order = (lastRuns: LastRuns, commit: number): string =>
    inTurn([a, b, c, d], { lastRuns, today, commit })
      .map(({ name }) => name)
      .join('');

  test('what never ran comes first, then what has waited longest', () => {
    const lastRuns = { a: ran('2026-11-28'), b: ran('2026-11-27'), c: ran('2026-11-01') };
    expect(order(lastRuns, 0)).toBe('dcba');
  });

  test('the commit chooses where a run begins among those that wait, and among the rest', () => {
    const lastRuns = { a: ran('2026-11-28'), b: ran('2026-11-27') };
    expect([0, 1, 2].map((commit) => order(lastRuns, commit))).toEqual(['cdba', 'dcab', 'cdba']);
    expect([0, 1, 2, 3].map((commit) => order({}, commit)[0])).toEqual(['a', 'b', 'c', 'd']);
  });

  test('no task is lost, whatever the commit and the file', () => {
    for (const commit of [0, 7, 0xdeadbeef]) {
      const names = inTurn(TASKS, { lastRuns: {}, today, commit }).map(({ name }) => name);
      expect(names.toSorted()).toEqual(TASKS.map(({ name }) => name).toSorted());
    }
    expect(inTurn([], { lastRuns: {}, today, commit: 7 })).toEqual([]);
  });
});
