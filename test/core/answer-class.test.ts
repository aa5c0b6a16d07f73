import { describe, expect, test } from 'vitest';
import { answerClass } from '../../src/core/order/answer-class.ts';

describe('the class of an error code', () => {
  test.each([
    [10009, 'final'],
    [10043, 'final'],
    [11054, 'final'],
    [13030, 'final'],
    [-32602, 'final'],
    [10028, 'later'],
    [10041, 'later'],
    [13888, 'later'],
    [10004, 'done'],
    [11044, 'done'],
    [11030, 'final'],
    [10001, 'unknown'],
    [13028, 'unknown'],
  ] as const)('error code %i is classified as %s', (code, expected) => {
    expect(answerClass(code)).toBe(expected);
  });

  test('an unlisted error code is classified as unknown', () => {
    for (const code of [0, 1, 9_999, 10_100, 12_345, 13_999, 20_000, -1, -32_099, Number.NaN]) {
      expect(answerClass(code)).toBe('unknown');
    }
  });
});
