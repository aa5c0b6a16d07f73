// Counting and cutting text by whole characters.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { charactersOf, cutText, shortened } from '../../../src/values/text/text-length.ts';

describe('text that is counted and cut', () => {
  test('a character outside the basic plane counts as one, whether or not a bound is given', () => {
    expect([charactersOf('a😀'), charactersOf('a😀', 3), charactersOf('a😀', 2)]).toEqual([
      2, 3, 2,
    ]);
  });

  test('a cut that falls within a character leaves the character out', () => {
    // 😀 takes two code units, the second and the third here.
    expect([1, 2, 3, 4].map((most) => cutText('a😀b', most))).toEqual(['a', 'a', 'a😀', 'a😀b']);
    expect(shortened('a😀b', 3)).toBe('a…');
    expect(shortened('a😀b', 4)).toBe('a😀b');
    expect(cutText('a', 0)).toBe('');
  });

  test('every cut of well-formed text is a well-formed start of it within the bound', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12, size: 'max' });
    fc.assert(
      fc.property(text, fc.nat(26), (whole, most) => {
        const cut = cutText(whole, most);
        expect(cut.isWellFormed()).toBe(true);
        expect(whole.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(most);
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(whole.length, most) - 1);
      }),
    );
  });
});
