// A map of the latest entries.
import { expect, test } from 'vitest';
import { LatestMap } from '../../src/values/latest-map.ts';

test('Beyond its size the map forgets the entry that was set longest ago.', () => {
  const map = new LatestMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([3, undefined, 4]);
  expect(['a', 'b', 'c'].map((key) => map.has(key))).toEqual([true, false, true]);
});
