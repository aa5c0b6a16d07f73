// Keys by the minute in which they are due.
import { expect, test } from 'vitest';
import { DueMinutes } from '../../src/core/schedule/due-minutes.ts';
import { later } from '../../src/values/instant.ts';
import { NOON } from '../support/engine/markets.ts';

const MINUTE_MS = 60_000;

function filled(): DueMinutes<string, number> {
  const minutes = new DueMinutes<string, number>();
  minutes.add(NOON, 'now', 1);
  minutes.add(later(NOON, MINUTE_MS - 1), 'in this minute', 2);
  minutes.add(later(NOON, MINUTE_MS), 'in the next', 3);
  return minutes;
}

test('What is due in a minute that has begun is listed, with the rest of that minute.', () => {
  const minutes = filled();
  expect([...minutes.begun(later(NOON, -1))]).toEqual([]);
  expect([...minutes.begun(NOON)]).toEqual([
    ['now', 1],
    ['in this minute', 2],
  ]);
  expect([...minutes.begun(later(NOON, MINUTE_MS))]).toHaveLength(3);
});

test('What was taken is not listed again.', () => {
  const minutes = filled();
  expect(minutes.takeBegun(later(NOON, 30_000)).map(([key]) => key)).toEqual([
    'now',
    'in this minute',
  ]);
  expect([...minutes.begun(later(NOON, 2 * MINUTE_MS))]).toEqual([['in the next', 3]]);
});

test('What was removed is not listed, and what is not there can be removed.', () => {
  const minutes = filled();
  minutes.remove(NOON, 'now');
  minutes.remove(NOON, 'now');
  minutes.remove(later(NOON, MINUTE_MS), 'in the next');
  minutes.remove(later(NOON, 5 * MINUTE_MS), 'never there');
  expect([...minutes.begun(later(NOON, MINUTE_MS))]).toEqual([['in this minute', 2]]);
});
