import { describe, expect, test } from 'vitest';
import { didYouMean } from '../../../src/gateway/wire/did-you-mean.ts';

const KEYS = ['instrument', 'instrumentType', 'side', 'quantity', 'priceOptions', 'hedge'];

describe('a misspelt key', () => {
  test.each([
    [['quantty'], '; did you mean quantity?'],
    [['Quantity'], '; did you mean quantity?'],
    [['instrumenttype'], '; did you mean instrumentType?'],
    [['sidee'], '; did you mean side?'],
    [['quantty', 'colour', 'hegde'], '; did you mean quantity for quantty, hedge for hegde?'],
  ])('%j suggests the nearest accepted key', (keys, suggestion) => {
    expect(didYouMean(keys, KEYS)).toBe(suggestion);
  });

  test.each([['colour'], ['id'], ['q'], ['quantity'.repeat(20)]])(
    '%s, which is near to nothing accepted, suggests nothing',
    (key) => {
      expect(didYouMean([key], KEYS)).toBe('');
    },
  );

  test('only the first of very many misspelt keys get a suggestion', () => {
    const many = Array.from({ length: 10_000 }, () => 'quantty');
    expect(didYouMean(many, KEYS).match(/quantity/g)).toHaveLength(8);
  });
});
