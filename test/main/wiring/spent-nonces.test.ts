// Nonces that a process has seen, without a store.
import { expect, test } from 'vitest';
import { SpentNonces } from '../../../src/main/wiring/spent-nonces.ts';
import { instant, later } from '../../../src/values/instant.ts';

test('a nonce is accepted once, and never if an earlier process may have seen it', () => {
  let now = instant(1_000_000);
  const nonces = new SpentNonces(() => now);
  const livingUntil = (signedAt: number) => later(instant(signedAt), 20_000);
  expect(nonces.claim('before', livingUntil(999_999))).toBe(false);
  expect(nonces.claim('at', livingUntil(1_000_000))).toBe(false);
  expect(nonces.claim('after', livingUntil(1_000_001))).toBe(true);
  expect(nonces.claim('after', livingUntil(1_000_001))).toBe(false);
  for (let n = 0; n < 3_000; n += 1) {
    now = later(now, 100);
    expect(nonces.claim(`n${n}`, livingUntil(now))).toBe(true);
    expect(nonces.claim(`n${n}`, livingUntil(now))).toBe(false);
  }
});
