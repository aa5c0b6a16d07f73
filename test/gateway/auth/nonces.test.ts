// A nonce is remembered as long as any gateway might still accept its timestamp.
import { expect, it } from 'vitest';
import { claimOnce, NONCE_SLACK_MS } from '../../../src/gateway/auth/nonces.ts';
import { instant } from '../../../src/values/instant.ts';

const USE = { keyId: 'taker', nonce: 'n1', signedAt: instant(1_000_000), windowMs: 30_000 };

it('a nonce is kept beyond the window of its timestamp by the largest clock difference between gateways', async () => {
  const kept: [string, number][] = [];
  const claim = (key: string, until: number): Promise<boolean> => {
    kept.push([key, until]);
    return Promise.resolve(true);
  };
  expect(await claimOnce(claim, USE)).toBe('fresh');
  expect(kept).toEqual([['nonce:taker:n1', 1_000_000 + 30_000 + 5_000]]);
  expect(NONCE_SLACK_MS).toBe(5_000);
});

it('a nonce is refused if it was used before or if the store does not answer', async () => {
  expect(await claimOnce(() => Promise.resolve(false), USE)).toBe('reused');
  expect(await claimOnce(() => Promise.reject(new Error('away')), USE)).toBe('unavailable');
});
