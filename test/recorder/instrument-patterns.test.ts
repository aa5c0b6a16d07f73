import { describe, expect, test } from 'vitest';
import { InstrumentPatterns } from '../../src/recorder/instrument-patterns.ts';

describe('patterns of instruments', () => {
  test.each([
    ['BTC-PERPETUAL', 'BTC-PERPETUAL', true],
    ['BTC-PERPETUAL', 'BTC-PERPETUAL-2', false],
    ['BTC-*-C', 'BTC-27MAR26-90000-C', true],
    ['BTC-*-C', 'BTC-27MAR26-90000-P', false],
    ['*', 'anything', true],
    ['XRP_USDC-27MAR26-0.5-C', 'XRP_USDC-27MAR26-0d5-C', false],
  ])('%s and %s', (pattern, name, isMatch) => {
    expect(new InstrumentPatterns([pattern]).matches(name)).toBe(isMatch);
  });

  test('patterns that match nothing are known', () => {
    const patterns = new InstrumentPatterns(['A*', 'B*']);
    expect(patterns.unmatched(['A1'])).toEqual(['B*']);
  });
});
