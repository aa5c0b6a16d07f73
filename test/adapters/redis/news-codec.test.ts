import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeNews, encodeNews, encodeNudge } from '../../../src/adapters/redis/news-codec.ts';
import { newsOf } from '../../conformance/event-bus.ts';

const message = { from: 'a', sequence: 3, news: newsOf('123', 7) };

test('what is written is read back', () => {
  expect(decodeNews(encodeNews(message))).toEqual(message);
});

test('a nudge names its topic', () => {
  expect(decodeNews(encodeNudge('a', 'mmp'))).toEqual({ nudge: 'mmp' });
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.anything().map(String)), (text) => {
      expect(typeof decodeNews(text)).toBe('string');
    }),
  );
});

test.each([
  ['another version', { v: 2 }],
  ['no sender', { from: '' }],
  ['no number', { sequence: 0 }],
  ['an unknown type', { news: { ...message.news, messageType: 'PORTFOLIO_SOLD' } }],
  ['a portfolio that is no id', { news: { ...message.news, portfolio: '../7' } }],
  ['an instant that is none', { news: { ...message.news, at: 1e300 } }],
  ['no record', { news: { ...message.news, record: null } }],
])('refuses %s, saying so', (_name, change) => {
  const text = JSON.stringify({ ...JSON.parse(encodeNews(message)), ...change });
  const read = decodeNews(text);
  expect(typeof read).toBe('string');
  expect(read).toContain(Object.keys(change)[0]);
});

test('refuses what is too long without reading it', () => {
  expect(decodeNews(`"${'x'.repeat(5_000_000)}"`)).toContain('too long');
});
