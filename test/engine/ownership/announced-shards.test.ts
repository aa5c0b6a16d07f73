// What daemons say of shards before these change hands, so that the next owner can connect their accounts first.
import { describe, expect, test } from 'vitest';
import { SHARDS } from '../../../src/core/ownership/shards.ts';
import { deployment, type OwningDaemon, started } from './owning-daemons.ts';

const LOOK_MS = 500;

/** Shards that the daemon has announced or expects, with what it owned at that moment. */
function told(daemon: OwningDaemon, sleep: (forMs: number) => Promise<void>) {
  const announced: { readonly shards: readonly number[]; readonly owned: number }[] = [];
  const expected: number[] = [];
  const preparing = { untilMs: 0 };
  daemon.ownership.onAnnounce(async (shards) => {
    announced.push({ shards, owned: daemon.owned.length });
    await sleep(preparing.untilMs);
  });
  daemon.ownership.onExpect((shards) => void expected.push(...shards));
  return { announced, expected, preparing };
}

describe('shards that are given up', () => {
  test('shards are announced while they are still owned, and given up once the others are prepared', async () => {
    const d = deployment();
    const [first, second] = [d.open('a'), d.open('b')];
    await started(d, first);
    const { announced, preparing } = told(first, d.sleep);
    preparing.untilMs = 1_500;
    await started(d, second);
    await d.run(LOOK_MS);
    expect(announced).toHaveLength(1);
    expect(announced[0]?.shards).toHaveLength(SHARDS / 2);
    expect(announced[0]?.owned).toBe(SHARDS);
    expect(first.owned).toHaveLength(SHARDS);
    await d.run(1_500);
    expect(first.owned).toHaveLength(SHARDS / 2);
    expect(second.owned).toHaveLength(SHARDS / 2);
    expect(first.losses.flat().sort()).toEqual([...(announced[0]?.shards ?? [])].sort());
  });

  test('shards are given up although they could not be announced, which is reported', async () => {
    const d = deployment();
    const [first, second] = [d.open('a'), d.open('b')];
    await started(d, first);
    const refused = new Error('no daemon answers');
    first.ownership.onAnnounce(() => Promise.reject(refused));
    await started(d, second);
    await d.run(3 * LOOK_MS);
    expect(second.owned).toHaveLength(SHARDS / 2);
    expect(first.failures).toEqual([refused]);
  });

  test('a daemon that is going to leave announces its shards, and keeps them until it does', async () => {
    const d = deployment();
    const [first, second] = [d.open('a'), d.open('b')];
    await started(d, first);
    await started(d, second);
    await d.run(3 * LOOK_MS);
    const { announced } = told(first, d.sleep);
    const isAnnounced = first.ownership.announceLeave();
    await d.run(0);
    await isAnnounced;
    expect(announced).toEqual([{ shards: first.ownership.shards(), owned: SHARDS / 2 }]);
    await d.run(3 * LOOK_MS);
    expect(first.owned).toHaveLength(SHARDS / 2);
  });

  test('shards are not announced where there is no other daemon', async () => {
    const d = deployment();
    const only = d.open('a');
    await started(d, only);
    const { announced } = told(only, d.sleep);
    await only.ownership.announceLeave();
    expect(announced).toEqual([]);
  });
});

test('shards of a daemon whose connection is missing are expected before they are taken', async () => {
  const d = deployment();
  const [first, second] = [d.open('a'), d.open('b')];
  await started(d, first);
  await started(d, second);
  await d.run(3 * LOOK_MS);
  const { expected } = told(second, d.sleep);
  const owned = first.owned;
  first.kill();
  await d.run(LOOK_MS + 100);
  expect(second.owned).toHaveLength(SHARDS / 2);
  expect([...new Set(expected)].sort((a, b) => a - b)).toEqual(owned);
  await d.run(2_000);
  expect(second.owned).toHaveLength(SHARDS);
});
