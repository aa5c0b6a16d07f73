// Each long test has its turn, whatever the commit hashes are.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isSelecting, LONG_FILES } from './long-files.ts';
import { rotated, TASKS } from './tasks.ts';

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

  test('a run of all tests selects none by their path', () => {
    expect(isSelecting(['run', '--coverage', '--reporter=verbose'])).toBe(false);
  });

  test('the only share of one has all tasks', () => {
    expect(rotated(TASKS, 12_345, 1)).toEqual(TASKS);
  });

  test.each([2, 5, 6, 7])(
    'all tasks have their turn within %i turns of as many shares',
    (shares) => {
      for (const first of [0, 1, 0xdeadbeef]) {
        const run = Array.from({ length: shares }, (_, turn) =>
          rotated(TASKS, first + turn, shares),
        );
        const names = new Set(run.flat().map(({ name }) => name));
        expect([...names].toSorted()).toEqual(TASKS.map(({ name }) => name).toSorted());
      }
    },
  );

  test('there are no tasks if there are none to split', () => {
    expect(rotated([], 7, 6)).toEqual([]);
  });
});
