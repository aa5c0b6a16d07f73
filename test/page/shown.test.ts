// What a panel may say of a list: what is not read yet is never an empty list, and what is not current says since when.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { current, mapShown, shownOf } from '../../src/page/model/shown.ts';

test('a value that was never read is unread, whether its request has failed or not', () => {
  expect(shownOf(undefined, { fault: '', readMs: undefined })).toEqual({
    kind: 'unread',
    fault: '',
  });
  expect(shownOf(undefined, { fault: 'no answer', readMs: undefined })).toEqual({
    kind: 'unread',
    fault: 'no answer',
  });
});

test('an empty list that was read is current until its request fails, and stale since it was read then', () => {
  expect(shownOf([], { fault: '', readMs: 5 })).toEqual(current([]));
  expect(shownOf([], { fault: 'no answer', readMs: 5 })).toEqual({
    kind: 'stale',
    value: [],
    sinceMs: 5,
    fault: 'no answer',
  });
});

test('a part of what is shown is as current as the whole', () => {
  const stale = shownOf({ rows: [1] }, { fault: 'no answer', readMs: 5 });
  expect(mapShown(stale, ({ rows }) => rows)).toEqual({
    kind: 'stale',
    value: [1],
    sinceMs: 5,
    fault: 'no answer',
  });
  const unread = shownOf<{ rows: number[] }>(undefined, { fault: '', readMs: undefined });
  expect(mapShown(unread, ({ rows }) => rows).kind).toBe('unread');
});

test('the panels of the desk, of operations and the blotter say that there is nothing by what they know of it alone', () => {
  const folders = ['src/page/view', 'src/page/view/desk', 'src/page/view/operations'];
  const views = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.tsx') && name !== 'how-current.tsx')
      .map((name) => `${folder}/${name}`),
  );
  expect(views.length).toBeGreaterThan(20);
  const bare = views.filter((path) => readFileSync(path, 'utf8').includes('class="none"'));
  expect(bare, 'use None of src/page/view/how-current.tsx').toEqual([]);
});
