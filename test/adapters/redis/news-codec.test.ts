import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeNews, encodeNews, encodeNudge } from '../../../src/adapters/redis/news-codec.ts';
import { newsOf } from '../../conformance/event-bus.ts';

const message = { from: 'a', sequence: 3, news: newsOf('123', 7) };

test('encoded news decodes to the same news', () => {
  expect(decodeNews(encodeNews(message))).toEqual(message);
});

test('an encoded nudge decodes to its topic and its text', () => {
  for (const text of ['', '1767225600000001 1767225600000']) {
    const nudge = { nudge: 'wake', text };
    expect(decodeNews(encodeNudge('a', nudge))).toEqual(nudge);
  }
});

test('a nudge of a version without texts is one without a text', () => {
  expect(decodeNews('{"v":1,"from":"a","nudge":"mmp"}')).toEqual({ nudge: 'mmp', text: '' });
});

test('decoding never throws, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.anything().map((value) => fc.stringify(value)),
      ),
      (text) => {
        expect(typeof decodeNews(text)).toBe('string');
      },
    ),
  );
});

test.each([
  ['another version', { v: 2 }],
  ['no sender', { from: '' }],
  ['no number', { sequence: 0 }],
  ['an unknown type', { news: { ...message.news, messageType: 'PORTFOLIO_SOLD' } }],
  ['an invalid portfolio id', { news: { ...message.news, portfolio: '../7' } }],
  ['an invalid instant', { news: { ...message.news, at: 1e300 } }],
  ['no record', { news: { ...message.news, record: null } }],
])('news with %s is refused with the field named', (_name, change) => {
  const text = JSON.stringify({ ...JSON.parse(encodeNews(message)), ...change });
  const read = decodeNews(text);
  expect(typeof read).toBe('string');
  expect(read).toContain(Object.keys(change)[0]);
});

test('an overlong message is refused without being parsed', () => {
  expect(decodeNews(`"${'x'.repeat(5_000_000)}"`)).toContain('too long');
});
