import { describe, expect, test } from 'vitest';
import { answerClass, answerOfCode, refusal } from '../../src/core/order/answer-class.ts';

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
    [11098, 'later'],
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

describe('an error code', () => {
  const details = { param: 'price', reason: 'is too low' };

  test('the error code of a venue refuses if it proves that nothing happened, and otherwise leaves the outcome unknown', () => {
    expect(answerOfCode(10_009, 'not_enough_funds', details)).toEqual({
      kind: 'refused',
      code: 10_009,
      message: 'not_enough_funds',
      class: 'final',
      details,
    });
    for (const code of [10_001, 13_028, 12_345]) {
      expect(answerOfCode(code, 'error', details)).toEqual({
        kind: 'unknown',
        reason: expect.stringContaining(String(code)),
      });
    }
  });

  test('the error code of our own refusal always refuses: what was not sent may be sent later', () => {
    expect(refusal(10_009, details)).toMatchObject({ kind: 'refused', class: 'final', details });
    expect(refusal(11_044)).toMatchObject({ kind: 'refused', class: 'done' });
    expect(refusal(13_028)).toMatchObject({ kind: 'refused', class: 'later' });
  });
});
