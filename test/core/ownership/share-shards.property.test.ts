// Daemons that act on the same view, in any order and each on what it saw a while ago, come to a state in which every
// shard has an owner who is there, no daemon owns more than its share, and nothing moves any more.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LeaseView, Member } from '../../../src/core/ownership/lease.ts';
import { ALL_SHARDS, SHARDS } from '../../../src/core/ownership/shards.ts';
import { shareOf } from '../../../src/core/ownership/share-shards.ts';
import { LEASE_MS } from '../../../src/ports/deployment/shard-leases.ts';
import { instant, later } from '../../../src/values/instant.ts';
import { MemoryShardLeases } from '../../doubles/memory/memory-shard-leases.ts';

const NAMES = ['a', 'b', 'c', 'd'];

const someShards = fc.uniqueArray(fc.integer({ min: 0, max: SHARDS - 1 }), {
  maxLength: 40,
  size: 'max',
});

interface Start {
  /** Members that are there. */
  readonly here: readonly string[];
  /** Shards owned at the start, by name. */
  readonly owned: readonly (readonly number[])[];
  readonly occupied: readonly number[];
  /** Who acts, and whether on a new view or on the one it has. */
  readonly steps: readonly { readonly who: number; readonly looks: boolean }[];
}

const start: fc.Arbitrary<Start> = fc.record({
  here: fc.subarray(NAMES, { minLength: 1 }),
  owned: fc.array(fc.uniqueArray(fc.integer({ min: 0, max: SHARDS - 1 })), {
    minLength: NAMES.length,
    maxLength: NAMES.length,
  }),
  occupied: someShards,
  steps: fc.array(fc.record({ who: fc.nat(3), looks: fc.boolean() }), {
    maxLength: 20,
    size: 'max',
  }),
});

const ranOut = ({ members }: LeaseView): ReadonlySet<string> =>
  new Set(members.flatMap(({ name, isCurrent }) => (isCurrent ? [] : [name])));

class Daemon {
  readonly #leases: MemoryShardLeases;
  readonly #occupied: ReadonlySet<number>;
  readonly name: string;
  #seen: LeaseView | undefined;

  constructor(name: string, leases: MemoryShardLeases, occupied: readonly number[]) {
    this.name = name;
    this.#leases = leases;
    this.#occupied = new Set(occupied);
  }

  async act(looks: boolean): Promise<number> {
    if (looks || this.#seen === undefined) this.#seen = await this.#leases.view();
    const view = this.#seen;
    const moves = shareOf({ view, self: this.name, gone: ranOut(view), occupied: this.#occupied });
    await this.#leases.release(this.name, moves.giveUp);
    const taken = await this.#leases.take(this.name, moves.take);
    return moves.giveUp.length + taken.length;
  }
}

async function begun({ here, owned, occupied }: Start) {
  const at = instant(1_767_225_600_000);
  let now = at;
  const leases = new MemoryShardLeases(() => now);
  for (const [index, shards] of owned.entries()) {
    const name = NAMES[index] ?? '';
    const { leases: all } = await leases.view();
    await leases.take(
      name,
      all.filter(({ shard }) => shards.includes(shard)),
    );
    await leases.renew({ name, isLeaving: false, address: undefined });
  }
  now = later(at, LEASE_MS);
  for (const name of here) await leases.renew({ name, isLeaving: false, address: undefined });
  return { leases, daemons: here.map((name) => new Daemon(name, leases, occupied)) };
}

const spread = (counts: readonly number[]): number => Math.max(...counts) - Math.min(...counts);

test('every shard comes to an owner who is there, in equal shares, and stays there', async () => {
  await fc.assert(
    fc.asyncProperty(start, async (given) => {
      const { leases, daemons } = await begun(given);
      for (const { who, looks } of given.steps) await daemons[who % daemons.length]?.act(looks);
      for (let round = 0; round < 2; round += 1) for (const one of daemons) await one.act(true);
      const { leases: all } = await leases.view();
      const countOf = (name: string, isOccupied: boolean): number =>
        all.filter(
          ({ shard, owner }) => owner === name && given.occupied.includes(shard) === isOccupied,
        ).length;
      const { here } = given;
      expect(all.filter(({ owner }) => !here.includes(owner ?? ''))).toEqual([]);
      for (const isOccupied of [true, false]) {
        expect(spread(here.map((name) => countOf(name, isOccupied)))).toBeLessThanOrEqual(1);
      }
      for (const one of daemons) expect(await one.act(true)).toBe(0);
    }),
  );
});

const member = (name: string, change: Partial<Member> = {}): Member => ({
  name,
  isLeaving: false,
  address: undefined,
  isCurrent: true,
  isConnected: true,
  ...change,
});

/** Every shard belongs to `owner`. */
const ownedBy = (owner: string | undefined): LeaseView['leases'] =>
  ALL_SHARDS.map((shard) => ({ shard, owner, epoch: 7 }));

const share = (view: LeaseView, self: string, gone: readonly string[] = []) =>
  shareOf({ view, self, gone: new Set(gone), occupied: new Set([1, 2, 3, 4]) });

test('a daemon that is alone takes everything that belongs to members who are gone', () => {
  const view = {
    members: [member('a'), member('late'), member('killed')],
    leases: ownedBy('killed'),
  };
  expect(share(view, 'a', ['late', 'killed']).take).toHaveLength(SHARDS);
  expect(share(view, 'a', ['late', 'killed']).giveUp).toEqual([]);
  expect(share(view, 'a', ['late']).take).toEqual([]);
});

test('what a leaving member still owns is not taken, and it gets nothing more', () => {
  const view = {
    members: [member('a'), member('leaving', { isLeaving: true })],
    leases: ownedBy('leaving'),
  };
  expect(share(view, 'a')).toEqual({ take: [], giveUp: [] });
  const free = { ...view, leases: ownedBy(undefined) };
  expect(share(free, 'a').take).toHaveLength(SHARDS);
  expect(share(free, 'leaving')).toEqual({ take: [], giveUp: [] });
});

test('occupied shards are shared out apart from empty ones', () => {
  const view = { members: [member('a'), member('b')], leases: ownedBy('a') };
  const { giveUp, take } = share(view, 'a');
  expect(take).toEqual([]);
  expect(giveUp.filter((shard) => shard >= 1 && shard <= 4)).toEqual([3, 4]);
  expect(giveUp).toHaveLength(SHARDS / 2);
});

test('one that is not a member takes part in nothing', () => {
  const view = { members: [member('a')], leases: ownedBy(undefined) };
  expect(share(view, 'stranger')).toEqual({ take: [], giveUp: [] });
});
