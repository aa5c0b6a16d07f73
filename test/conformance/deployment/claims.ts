// Contract of every store of one-time keys: the same answers, bounds and refusals.
import { describe, expect, test } from 'vitest';
import { CLAIM_MS_MAX, type ClaimStore } from '../../../src/ports/deployment/claim-store.ts';
import { type Instant, instant, later } from '../../../src/values/instant.ts';
import { expectRefused, NUL_TEXT } from '../refusals.ts';

export interface ClaimsStage {
  readonly claims: ClaimStore;
  /** Sets the wall clock that the store reads. */
  setNow(at: Instant): void;
  /** The store as a restart of its process finds it; absent where the store ends with its process. */
  restarted?(): Promise<ClaimStore>;
}

const T0 = instant(1_800_000_000_000);
/** Longer than any claim lasts, and no divisor of it: instants fall on every part of a period. */
const STRIDE_MS = 137_000;

/** `open` returns an empty store; every test has its own. */
export function claimsConformance(open: () => Promise<ClaimsStage>): void {
  describe('claims', () => {
    describe('of one key', () => keyConformance(open));
    describe('and their bounds', () => boundConformance(open));
    test('a claim holds over a restart until its end', () => restartConformance(open));
  });
}

function keyConformance(open: () => Promise<ClaimsStage>): void {
  test('a claim of a key succeeds once until it ends', async () => {
    const { claims, setNow } = await open();
    setNow(T0);
    expect(await claims.claimOnce('nonce', later(T0, 10))).toBe(true);
    expect(await claims.claimOnce('nonce', later(T0, 99))).toBe(false);
    expect(await claims.claimOnce('other', later(T0, 10))).toBe(true);
    setNow(later(T0, 9));
    expect(await claims.claimOnce('nonce', later(T0, 20))).toBe(false);
    setNow(later(T0, 10));
    expect(await claims.claimOnce('nonce', later(T0, 20))).toBe(true);
    expect(await claims.claimOnce('nonce', later(T0, 20))).toBe(false);
  });

  test('a key that is claimed until one instant cannot be claimed until another, earlier or later', async () => {
    const { claims, setNow } = await open();
    const ends = [1, 1_000, 50_000, 100_000, CLAIM_MS_MAX];
    const pairs = ends.flatMap((first) => ends.map((second) => [first, second] as const));
    for (const [index, [first, second]] of pairs.entries()) {
      const now = later(T0, index * STRIDE_MS);
      setNow(now);
      expect(await claims.claimOnce('nonce', later(now, first))).toBe(true);
      expect(await claims.claimOnce('nonce', later(now, second))).toBe(false);
      setNow(later(now, first - 1));
      expect(await claims.claimOnce('nonce', later(now, second))).toBe(false);
      setNow(later(now, first));
      expect(await claims.claimOnce('nonce', later(now, first + 1))).toBe(true);
    }
  });

  test('claims end and are made again at any time of twenty minutes', async () => {
    const { claims, setNow } = await open();
    for (let turn = 0; turn < 40; turn += 1) {
      const now = later(T0, turn * 30_000);
      setNow(now);
      expect(await claims.claimOnce('each', later(now, 30_000))).toBe(true);
      expect(await claims.claimOnce('each', later(now, 129_000))).toBe(false);
      setNow(later(now, 29_999));
      expect(await claims.claimOnce('each', later(now, 129_000))).toBe(false);
    }
  });

  test('only one of many concurrent claims of a key succeeds', async () => {
    const { claims, setNow } = await open();
    setNow(T0);
    const all = Array.from({ length: 60 }, (_, n) =>
      claims.claimOnce(`nonce-${n % 3}`, later(T0, 10)),
    );
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(3);
  });

  test('keys that differ in one character are different keys', async () => {
    const { claims, setNow } = await open();
    setNow(T0);
    const keys = ['a', 'A', 'a ', 'a\n', 'a\nb', '["a"]', 'a"', "a'", 'a\\', 'é', 'e\u0301', '£😀'];
    for (const key of keys) expect(await claims.claimOnce(key, later(T0, 10))).toBe(true);
    for (const key of keys) expect(await claims.claimOnce(key, later(T0, 10))).toBe(false);
  });
}

function boundConformance(open: () => Promise<ClaimsStage>): void {
  test('a claim that would end later than the longest is refused, and leaves the key free', async () => {
    const { claims, setNow } = await open();
    setNow(T0);
    await expect(claims.claimOnce('nonce', later(T0, CLAIM_MS_MAX + 1))).rejects.toThrow(
      RangeError,
    );
    expect(await claims.claimOnce('nonce', later(T0, CLAIM_MS_MAX))).toBe(true);
    setNow(later(T0, CLAIM_MS_MAX - 1));
    expect(await claims.claimOnce('nonce', later(T0, CLAIM_MS_MAX))).toBe(false);
    setNow(later(T0, CLAIM_MS_MAX));
    expect(await claims.claimOnce('nonce', later(T0, CLAIM_MS_MAX + 1))).toBe(true);
  });

  test('a key with a NUL character is refused', async () => {
    const { claims, setNow } = await open();
    setNow(T0);
    await expectRefused({ claim: () => claims.claimOnce(NUL_TEXT, later(T0, 10)) });
    expect(await claims.claimOnce('nonce', later(T0, 10))).toBe(true);
  });

  test('ended claims are removed and live ones stay', async () => {
    const { claims, setNow } = await open();
    setNow(T0);
    expect(await claims.claimOnce('living', later(T0, 5_000))).toBe(true);
    for (let n = 0; n < 1_200; n += 1) {
      setNow(later(T0, n));
      expect(await claims.claimOnce(`nonce-${n}`, later(T0, n))).toBe(true);
    }
    expect(await claims.claimOnce('living', later(T0, 5_000))).toBe(false);
  });
}

async function restartConformance(open: () => Promise<ClaimsStage>): Promise<void> {
  const { claims, setNow, restarted } = await open();
  if (restarted === undefined) return;
  setNow(T0);
  const ends = [1, 60_000, CLAIM_MS_MAX];
  for (const end of ends) await claims.claimOnce(`until ${end}`, later(T0, end));
  const next = await restarted();
  for (const end of ends) {
    setNow(later(T0, end - 1));
    expect(await next.claimOnce(`until ${end}`, later(T0, end))).toBe(false);
    setNow(later(T0, end));
    expect(await next.claimOnce(`until ${end}`, later(T0, end + 1))).toBe(true);
  }
}
