// Contract of every ShardLeases: who takes part, and whose a shard is, the same for every view.
import { expect, test } from 'vitest';
import type { Lease } from '../../../src/core/ownership/lease.ts';
import { ALL_SHARDS } from '../../../src/core/ownership/shards.ts';
import type { ShardLeases } from '../../../src/ports/deployment/shard-leases.ts';
import { until } from '../../adapters/until.ts';
import { expectRefused, NUL_TEXT } from '../refusals.ts';

export interface LeasesStage {
  /** Another view of the same leases, as another process has it. */
  readonly open: () => Promise<ShardLeases>;
  /** Ends the process that renews `name` through `view`, as a kill does. */
  readonly kill: (view: ShardLeases, name: string) => Promise<void>;
  /** Lets the time of a membership pass. */
  readonly pass: () => Promise<void>;
}

const ownedBy = async (view: ShardLeases, name: string): Promise<readonly Lease[]> =>
  (await view.view()).leases.filter(({ owner }) => owner === name);

const memberOf = async (view: ShardLeases, name: string) =>
  (await view.view()).members.find((one) => one.name === name);

export function shardLeasesConformance(stage: () => Promise<LeasesStage>): void {
  test('every shard has one lease, which nobody owns at first', async () => {
    const { open } = await stage();
    const { leases } = await (await open()).view();
    expect(leases).toEqual(ALL_SHARDS.map((shard) => ({ shard, owner: undefined, epoch: 0 })));
  });

  test('a member is seen by all views until it leaves', async () => {
    const { open } = await stage();
    const [one, other] = [await open(), await open()];
    await one.renew({ name: 'b', isLeaving: false, address: undefined });
    await other.renew({ name: 'a', isLeaving: false, address: undefined });
    const state = { isLeaving: false, isCurrent: true, isConnected: true };
    const present = { ...state, address: undefined };
    const both = [
      { name: 'a', ...present },
      { name: 'b', ...present },
    ];
    expect((await one.view()).members).toEqual(both);
    expect((await other.view()).members).toEqual(both);
    await one.renew({ name: 'b', isLeaving: true, address: 'there' });
    expect(await memberOf(other, 'b')).toEqual({
      name: 'b',
      ...present,
      isLeaving: true,
      address: 'there',
    });
    await one.leave('b');
    expect((await other.view()).members).toEqual(both.slice(0, 1));
  });

  test('a killed member is seen without its connection although its membership lasts', async () => {
    const { open, kill } = await stage();
    const [one, other] = [await open(), await open()];
    await one.renew({ name: 'dies', isLeaving: false, address: undefined });
    await kill(one, 'dies');
    await until(async () => (await memberOf(other, 'dies'))?.isConnected === false);
    expect(await memberOf(other, 'dies')).toMatchObject({ isCurrent: true });
  });

  test('a membership that is not renewed runs out although its connection is there', async () => {
    const { open, pass } = await stage();
    const [one, other] = [await open(), await open()];
    await one.renew({ name: 'stopped', isLeaving: false, address: undefined });
    await pass();
    expect(await memberOf(other, 'stopped')).toMatchObject({ isCurrent: false, isConnected: true });
    await one.renew({ name: 'stopped', isLeaving: false, address: undefined });
    expect(await memberOf(other, 'stopped')).toMatchObject({ isCurrent: true, isConnected: true });
  });

  test('a member that renews again after its connection was lost is seen with a connection', async () => {
    const { open, kill } = await stage();
    const [one, other] = [await open(), await open()];
    await one.renew({ name: 'back', isLeaving: false, address: undefined });
    await kill(one, 'back');
    await until(async () => (await memberOf(other, 'back'))?.isConnected === false);
    const again = await open();
    await again.renew({ name: 'back', isLeaving: false, address: undefined });
    expect(await memberOf(other, 'back')).toMatchObject({ isConnected: true, isCurrent: true });
  });

  test('a lease is taken by one of two that saw it the same way, with the next epoch', async () => {
    const { open } = await stage();
    const [one, other] = [await open(), await open()];
    const seen = (await one.view()).leases.slice(3, 6);
    const [mine, theirs] = await Promise.all([one.take('one', seen), other.take('other', seen)]);
    expect([...mine, ...theirs].sort((a, b) => a.shard - b.shard)).toEqual(
      seen.map(({ shard, epoch }) => ({
        shard,
        epoch: epoch + 1,
        owner: mine.some((lease) => lease.shard === shard) ? 'one' : 'other',
      })),
    );
    expect(await ownedBy(other, 'one')).toEqual(mine);
    expect(await ownedBy(one, 'other')).toEqual(theirs);
  });

  test('a lease can be taken from its owner by one that saw it so', async () => {
    const { open } = await stage();
    const [one, other] = [await open(), await open()];
    const seen = (await one.view()).leases.slice(0, 2);
    const mine = await one.take('one', seen);
    const theirs = await other.take('other', mine.slice(0, 1));
    expect(theirs).toEqual([{ shard: 0, owner: 'other', epoch: 2 }]);
    expect(await ownedBy(one, 'one')).toEqual(mine.slice(1));
    expect(await one.take('one', mine.slice(0, 1))).toEqual([]);
  });

  test('a released lease belongs to nobody and has the next epoch; those of others stay', async () => {
    const { open } = await stage();
    const view = await open();
    const seen = (await view.view()).leases;
    await view.take('one', seen.slice(0, 3));
    await view.take('other', seen.slice(3, 5));
    await view.release('one', [1, 3]);
    expect((await view.view()).leases.slice(0, 5)).toEqual([
      { shard: 0, owner: 'one', epoch: 1 },
      { shard: 1, owner: undefined, epoch: 2 },
      { shard: 2, owner: 'one', epoch: 1 },
      { shard: 3, owner: 'other', epoch: 1 },
      { shard: 4, owner: 'other', epoch: 1 },
    ]);
  });

  test('the name or the address of a member is refused with a NUL character', async () => {
    const { open } = await stage();
    const view = await open();
    const [lease] = (await view.view()).leases;
    await expectRefused({
      name: () => view.renew({ name: NUL_TEXT, isLeaving: false, address: undefined }),
      address: () => view.renew({ name: 'a', isLeaving: false, address: NUL_TEXT }),
      take: () => view.take(NUL_TEXT, lease === undefined ? [] : [lease]),
      release: () => view.release(NUL_TEXT, [0]),
      leave: () => view.leave(NUL_TEXT),
    });
    expect(await ownedBy(view, NUL_TEXT)).toEqual([]);
  });

  test('one that leaves owns nothing any more', async () => {
    const { open } = await stage();
    const view = await open();
    await view.renew({ name: 'one', isLeaving: false, address: undefined });
    await view.take('one', (await view.view()).leases);
    await view.leave('one');
    expect(await ownedBy(view, 'one')).toEqual([]);
    expect((await view.view()).leases.every(({ epoch }) => epoch === 2)).toBe(true);
  });

  test('leases are taken once each and returned in order of shard, however they were requested', async () => {
    const { open } = await stage();
    const view = await open();
    const seen = (await view.view()).leases.slice(0, 3);
    const unknown = { shard: ALL_SHARDS.length, owner: undefined, epoch: 0 };
    const taken = await view.take('one', [...seen.toReversed(), ...seen, unknown]);
    expect(taken).toEqual(seen.map(({ shard }) => ({ shard, owner: 'one', epoch: 1 })));
    expect(await view.take('other', [])).toEqual([]);
  });
}
