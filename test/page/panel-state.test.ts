// What a panel may say of a list: what is not read yet is never an empty list, and what is not current says since when.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { current, mapShown, shownOf } from '../../src/page/model/panel-state.ts';
import { limitedText } from '../../src/page/view/limited-text.ts';

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

/** Of the switches, in a sentence of its own. */
const BANNER = ['src/page/view/held-banner.tsx'];

test('the panels of the page say that there is nothing by what they know of it alone', () => {
  const parts = ['blotter', 'desk', 'instruments', 'operations', 'portfolio'];
  const folders = ['src/page/view', ...parts.map((part) => `src/page/view/${part}`)];
  const views = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.tsx') && name !== 'panel-freshness.tsx')
      .map((name) => `${folder}/${name}`),
  );
  expect(views.length).toBeGreaterThan(40);
  const bare = views.filter((path) =>
    /class="(?:picture|none)|Being read|Not read:|Not current since/.test(
      readFileSync(path, 'utf8'),
    ),
  );
  expect(bare, 'use the pictures of src/page/view/panel-freshness.tsx').toEqual(BANNER);
});

test('fields of the page are bounded in characters, not in the code units of HTML', () => {
  const views = readdirSync('src/page/view', { recursive: true, encoding: 'utf8' });
  const bounded = views.filter(
    (name) =>
      name.endsWith('.tsx') && readFileSync(`src/page/view/${name}`, 'utf8').includes('maxLength'),
  );
  expect(bounded, 'use limitedText of src/page/view/limited-text.ts').toEqual([]);
  const field = { value: `${'😀'.repeat(5)}x` };
  expect([limitedText(field, 6), limitedText(field, 3), field.value]).toEqual([
    '😀😀😀😀😀x',
    '😀😀😀',
    '😀😀😀',
  ]);
});
