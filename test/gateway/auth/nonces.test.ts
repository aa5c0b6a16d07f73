// A nonce is remembered as long as any gateway might still accept its timestamp.
import { expect, it } from 'vitest';
import { claimOnce, NONCE_SLACK_MS } from '../../../src/gateway/auth/nonces.ts';
import { type Instant, instant } from '../../../src/values/instant.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';

const USE = { keyId: 'taker', nonce: 'n1', signedAt: instant(1_000_000), windowMs: 30_000 };
const CLOSES_AT = 1_000_000 + 30_000;
const onTime = () => instant(1_000_000);

it('a nonce is kept beyond the window of its timestamp by the largest clock difference between gateways', async () => {
  const kept: [string, number][] = [];
  const claim = (key: string, until: number): Promise<boolean> => {
    kept.push([key, until]);
    return Promise.resolve(true);
  };
  expect(await claimOnce(claim, USE, onTime)).toBe('fresh');
  expect(kept).toEqual([['nonce:taker:n1', CLOSES_AT + 5_000]]);
  expect(NONCE_SLACK_MS).toBe(5_000);
});

it('a nonce is refused if it was used before or if the store does not answer', async () => {
  expect(await claimOnce(() => Promise.resolve(false), USE, onTime)).toBe('reused');
  expect(await claimOnce(() => Promise.reject(new Error('away')), USE, onTime)).toBe('unavailable');
});

it('a nonce is refused as unavailable if the store answers after the window of its timestamp, when an earlier use may be forgotten', async () => {
  const first = () => Promise.resolve(true);
  expect(await claimOnce(first, USE, () => instant(CLOSES_AT))).toBe('fresh');
  expect(await claimOnce(first, USE, () => instant(CLOSES_AT + 1))).toBe('unavailable');
  expect(
    await claimOnce(
      () => Promise.resolve(false),
      USE,
      () => instant(CLOSES_AT + 1),
    ),
  ).toBe('reused');
});

it('of two copies of a request one takes effect, also when the second waits for the store until the nonce is forgotten', async () => {
  let now = 1_000_000;
  const clock = () => instant(now);
  const ledger = new MemoryLedger({ now: clock });
  const delayed = Promise.withResolvers<void>();
  const atOnce = claimOnce((key, until) => ledger.claimOnce(key, until), USE, clock);
  const whenResumed = (key: string, until: Instant): Promise<boolean> =>
    delayed.promise.then(() => ledger.claimOnce(key, until));
  const suspended = claimOnce(whenResumed, USE, clock);
  expect(await atOnce).toBe('fresh');
  now = CLOSES_AT + NONCE_SLACK_MS;
  delayed.resolve();
  expect(await suspended).toBe('unavailable');
});
