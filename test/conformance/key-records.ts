// Contract of every key store: ids are used once, changes are visible by version, and only one of two concurrent
// rotations succeeds.
import { expect, test } from 'vitest';
import type { KeyGrant, KeyRecords } from '../../src/ports/key-records.ts';
import { must } from '../../src/values/assert.ts';
import { accountId } from '../../src/values/ids.ts';
import { instant } from '../../src/values/instant.ts';
import { expectRefused, NUL_TEXT } from './refusals.ts';

export const grantOf = (id: string, changes: Partial<KeyGrant> = {}): KeyGrant => ({
  id,
  uid: '7001',
  nickname: 'Desk ünö',
  accounts: [accountId('10001'), accountId('20001')],
  scopes: ['read', 'trade'],
  makerAlias: undefined,
  bindBody: false,
  addresses: [],
  createdAt: instant(1_800_000_000_000),
  expiresAt: undefined,
  ...changes,
});

/** `open` returns an empty store; every test has its own. */
export function keyRecordsConformance(open: () => Promise<KeyRecords>): void {
  test('list returns an added key unchanged, in order of id', async () => {
    const records = await open();
    const whole = grantOf('b', {
      makerAlias: 'MAKER9',
      bindBody: true,
      addresses: ['10.0.0.0/8', '::1'],
      expiresAt: instant(1_900_000_000_000),
    });
    expect(await records.add(whole, 'sealed b')).toBe(true);
    expect(await records.add(grantOf('a'), 'sealed a')).toBe(true);
    expect(await records.add(grantOf('B'), 'sealed B')).toBe(true);
    const fresh = { generation: 1, previous: undefined, revokedAt: undefined };
    expect((await records.list()).map(({ id }) => id)).toEqual(['B', 'a', 'b']);
    expect((await records.list())[2]).toEqual({ ...whole, ...fresh, sealed: 'sealed b' });
  });

  test('an id is accepted once, even after its key was revoked', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    expect(await records.add(grantOf('a'), 'second')).toBe(false);
    await records.revoke('a', instant(5));
    expect(await records.add(grantOf('a'), 'third')).toBe(false);
    expect((await records.list()).map(({ sealed }) => sealed)).toEqual(['']);
  });

  test('a rotation keeps only the previous secret, until its overlap ends', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    const first = { from: 1, sealed: 'second', overlapUntil: instant(10) };
    expect(await records.rotate('a', first)).toBe(true);
    const second = { from: 2, sealed: 'third', overlapUntil: instant(20) };
    expect(await records.rotate('a', second)).toBe(true);
    expect((await records.list())[0]).toMatchObject({
      generation: 3,
      sealed: 'third',
      previous: { sealed: 'second', until: 20 },
    });
  });

  test('a rotation with a kept secret replaces the latest one and advances two generations', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    await records.rotate('a', { from: 1, sealed: 'second', overlapUntil: instant(10) });
    const third = { sealed: 'third', overlapUntil: instant(20), kept: 'first, sealed anew' };
    expect(await records.rotate('a', { from: 1, ...third })).toBe(false);
    expect(await records.rotate('a', { from: 2, ...third })).toBe(true);
    expect((await records.list())[0]).toMatchObject({
      generation: 4,
      sealed: 'third',
      previous: { sealed: 'first, sealed anew', until: 20 },
    });
  });

  test('only one of several concurrent rotations succeeds', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    const tries = ['x', 'y', 'z'].map((sealed) =>
      records.rotate('a', { from: 1, sealed, overlapUntil: instant(10) }),
    );
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect((await records.list())[0]).toMatchObject({
      generation: 2,
      previous: { sealed: 'first' },
    });
  });

  test('a revoked or unknown key can be neither revoked nor rotated', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    expect(await records.revoke('a', instant(5))).toBe(true);
    expect(await records.revoke('a', instant(6))).toBe(false);
    const rotation = { from: 1, sealed: 'second', overlapUntil: instant(10) };
    expect(await records.rotate('a', rotation)).toBe(false);
    expect(await records.revoke('nobody', instant(5))).toBe(false);
    expect(await records.rotate('nobody', rotation)).toBe(false);
    expect((await records.list())[0]).toMatchObject({ revokedAt: 5 });
  });

  test('a revoked key keeps none of its secrets', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    await records.rotate('a', { from: 1, sealed: 'second', overlapUntil: instant(10) });
    await records.revoke('a', instant(5));
    const [key] = await records.list();
    expect(key).toMatchObject({ ...grantOf('a'), sealed: '', previous: undefined, revokedAt: 5 });
  });

  test('every change raises the version, and nothing else does', async () => {
    const records = await open();
    const empty = must(await records.changedSince(0), 'the first look');
    expect(empty.keys).toEqual([]);
    let { version } = empty;
    const changed = async (): Promise<boolean> => {
      const read = await records.changedSince(version);
      if (read === undefined) return false;
      expect(read.version).toBeGreaterThan(version);
      expect(read.keys).toEqual(await records.list());
      version = read.version;
      return true;
    };
    expect(await changed()).toBe(false);
    await records.add(grantOf('a'), 'first');
    expect(await changed()).toBe(true);
    await records.add(grantOf('a'), 'again');
    expect(await changed()).toBe(false);
    await records.rotate('a', { from: 1, sealed: 'second', overlapUntil: instant(10) });
    expect(await changed()).toBe(true);
    await records.rotate('a', { from: 1, sealed: 'late', overlapUntil: instant(10) });
    expect(await changed()).toBe(false);
    await records.revoke('a', instant(5));
    expect(await changed()).toBe(true);
    await records.revoke('a', instant(6));
    expect(await changed()).toBe(false);
  });

  test('concurrent changes are all seen by a concurrent reader', async () => {
    const records = await open();
    let version = 0;
    let seen = 0;
    const ids = Array.from({ length: 20 }, (_, index) => `key-${index}`);
    const adding = Promise.all(ids.map((id) => records.add(grantOf(id), 'sealed')));
    const poll = async (): Promise<void> => {
      const read = await records.changedSince(version);
      if (read === undefined) return;
      ({ version } = read);
      seen = read.keys.length;
    };
    for (let round = 0; round < 10; round += 1) await poll();
    await adding;
    await poll();
    expect(seen).toBe(20);
  });

  test('a rotation from a generation that no key can have fails like one that came too late', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    const beyond = { from: 2 ** 40, sealed: 'second', overlapUntil: instant(10) };
    expect(await records.rotate('a', beyond)).toBe(false);
  });

  test('text with a NUL character is refused wherever a key has text', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    const { version } = must(await records.changedSince(0), 'a key is there');
    const grants = [
      ...(['id', 'uid', 'nickname', 'makerAlias'] as const).map((field) => ({ [field]: NUL_TEXT })),
      { addresses: ['::1', NUL_TEXT] },
      { accounts: [accountId('1'), NUL_TEXT as never] },
    ];
    for (const change of grants) {
      await expectRefused({ add: () => records.add(grantOf('b', change), 'sealed') });
    }
    const rotation = { from: 1, sealed: 'second', overlapUntil: instant(10) };
    await expectRefused({
      sealed: () => records.add(grantOf('b'), NUL_TEXT),
      rotate: () => records.rotate('a', { ...rotation, sealed: NUL_TEXT }),
      kept: () => records.rotate('a', { ...rotation, kept: NUL_TEXT }),
      unknown: () => records.rotate(NUL_TEXT, rotation),
      revoke: () => records.revoke(NUL_TEXT, instant(5)),
    });
    expect(await records.changedSince(version)).toBeUndefined();
  });

  test('a closed store refuses every request, and may be closed again', async () => {
    const records = await open();
    await records.add(grantOf('a'), 'first');
    await records.close();
    await expectRefused({
      list: () => records.list(),
      changedSince: () => records.changedSince(0),
      add: () => records.add(grantOf('b'), 'sealed'),
      rotate: () => records.rotate('a', { from: 1, sealed: 's', overlapUntil: instant(10) }),
      revoke: () => records.revoke('a', instant(5)),
    });
    await records.close();
  });
}
