import { expect, test } from 'vitest';
import { quotedVolatilityPercent } from '../../src/quant/quoted-volatility.ts';

test('volatility is quoted in percent, capped at 500', () => {
  expect(quotedVolatilityPercent({ kind: 'found', volatility: 0.5 })).toBe(50);
  expect(quotedVolatilityPercent({ kind: 'found', volatility: 7 })).toBe(500);
});

test('a price outside the attainable range is quoted as 0 or 500', () => {
  expect(quotedVolatilityPercent({ kind: 'below_intrinsic' })).toBe(0);
  expect(quotedVolatilityPercent({ kind: 'above_maximum' })).toBe(500);
});

test('an expired option is quoted with no volatility', () => {
  expect(quotedVolatilityPercent({ kind: 'expired' })).toBeUndefined();
});
