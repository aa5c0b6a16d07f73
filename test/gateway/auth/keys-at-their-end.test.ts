// Keys at the exact millisecond they expire: none signs or opens a connection any more, and listeners are notified once.
import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KeySeal, newSecret } from '../../../src/gateway/auth/key-seal.ts';
import { type GivenKey, KeysInForce } from '../../../src/gateway/auth/keys-in-force.ts';
import { instant } from '../../../src/values/instant.ts';
import { grantOf } from '../../conformance/key-records.ts';
import { MemoryKeyRecords } from '../../doubles/memory/memory-key-records.ts';
import { NOW_MS, TAKER } from '../gateway-under-test.ts';

const END = instant(NOW_MS + 60_000);
const seal = new KeySeal(randomBytes(32).toString('base64'));

/** Keys that look at their store when the test says so. */
async function opened(nowMs: number, given: readonly GivenKey[]) {
  const clock = { nowMs };
  const records = new MemoryKeyRecords();
  const secret = newSecret();
  const grant = grantOf('stored', { createdAt: instant(NOW_MS), expiresAt: END });
  await records.add(grant, seal.seal(secret, { grant, generation: 1 }));
  const hidden: string[] = [];
  let next = (): void => undefined;
  const keys = await KeysInForce.open({
    records,
    given,
    seal,
    hide: (one) => hidden.push(one),
    now: () => instant(clock.nowMs),
    report: (error) => {
      throw error;
    },
    wait: (_delayMs, then) => {
      next = then;
      return () => undefined;
    },
  });
  const poll = async (): Promise<void> => {
    next();
    await nextTurn();
  };
  return { clock, keys, look: poll, wasOpened: () => hidden.includes(secret) };
}

test('listeners are notified once when a key expires', async () => {
  const { clock, keys, look: poll } = await opened(NOW_MS, [{ ...TAKER, expiresAt: END }]);
  let told = 0;
  keys.watch(() => {
    told += 1;
  });
  for (const [nowMs, times, ids] of [
    [END - 1, 0, ['stored', TAKER.id]],
    [END, 1, []],
    [END, 1, []],
    [END + 1, 1, []],
  ] as const) {
    clock.nowMs = nowMs;
    await poll();
    expect([
      told,
      keys
        .all()
        .map(({ id }) => id)
        .toSorted(),
    ]).toEqual([times, ids.toSorted()]);
  }
  await keys.drain();
});

test('a stored key is opened until its time is over, and not from then on', async () => {
  for (const [nowMs, isOpened] of [
    [END - 1, true],
    [END, false],
  ] as const) {
    const { keys, wasOpened } = await opened(nowMs, []);
    expect(wasOpened()).toBe(isOpened);
    await keys.drain();
  }
});
