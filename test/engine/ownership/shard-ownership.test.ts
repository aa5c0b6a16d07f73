// Shards owned by leases: what a daemon takes when it starts, what it gives up and when, how soon others take over what
// a dead one owned, and that a store that cannot be read moves nothing.
import { describe, expect, test } from 'vitest';
import { ALL_SHARDS, SHARDS } from '../../../src/core/ownership/shards.ts';
import { Absences } from '../../../src/engine/ownership/absences.ts';
import { LEASE_MS } from '../../../src/ports/deployment/shard-leases.ts';
import { counted, deployment, OCCUPIED, started } from './owning-daemons.ts';

const LOOK_MS = 500;

/** Two daemons with their shares, quiet. */
async function pair(options: { readonly hasNudges?: boolean } = {}) {
  const d = deployment(options);
  const [first, second] = [d.open('a'), d.open('b')];
  await started(d, first);
  await started(d, second);
  await d.run(3 * LOOK_MS);
  for (const daemon of [first, second]) {
    expect(daemon.owned).toHaveLength(SHARDS / 2);
    daemon.moved.length = 0;
    daemon.gains.length = 0;
    daemon.losses.length = 0;
  }
  return { ...d, first, second };
}

const unavailable = (): never => {
  throw new Error('the store cannot be reached');
};

describe('a start', () => {
  test('a daemon that starts alone owns every shard at once', async () => {
    const d = deployment();
    const daemon = d.open('a');
    expect(daemon.ownership.owns(0)).toBe(false);
    expect(await started(d, daemon)).toBe(0);
    expect(daemon.owned).toEqual(ALL_SHARDS);
    expect(new Set(await d.owners())).toEqual(new Set(['a']));
    expect([...daemon.gains].flat().sort((a, b) => a - b)).toEqual(ALL_SHARDS);
    expect(daemon.moved).toMatchObject([{ lost: [], owned: SHARDS }]);
    await d.run(60_000);
    expect(daemon.moved).toHaveLength(1);
    expect(daemon.failures).toEqual([]);
  });

  test('a daemon that starts beside a killed one owns every shard within two looks, once that one is found gone', async () => {
    const d = deployment();
    const [dead, daemon] = [d.open('dead'), d.open('alive')];
    await started(d, dead);
    dead.kill();
    const from = d.clock.monotonicMs();
    expect(await started(d, daemon)).toBeLessThanOrEqual(1_500);
    await d.run(3 * LOOK_MS);
    expect(daemon.owned).toEqual(ALL_SHARDS);
    expect(daemon.moved).toHaveLength(1);
    const tookMs = (daemon.moved[0]?.atMs ?? 0) - from;
    expect(tookMs).toBeGreaterThanOrEqual(800);
    expect(tookMs).toBeLessThanOrEqual(3 * LOOK_MS);
  });

  test('a start beside a killed daemon resolves only when that one was found gone and its shards are owned', async () => {
    const d = deployment();
    const [dead, daemon] = [d.open('dead'), d.open('alive')];
    await started(d, dead);
    dead.kill();
    const tookMs = await started(d, daemon);
    expect(daemon.owned).toEqual(ALL_SHARDS);
    expect(tookMs).toBeGreaterThanOrEqual(800);
    expect(tookMs).toBeLessThanOrEqual(900);
  });

  test('a daemon that saw the killed one gone before its start need not wait', async () => {
    const d = deployment();
    const dead = d.open('dead');
    await started(d, dead);
    dead.kill();
    const absences = new Absences(d.clock);
    expect(absences.note(await d.leases.view())).toEqual(new Set());
    await d.run(800);
    expect(absences.note(await d.leases.view())).toEqual(new Set(['dead']));
    const daemon = d.open('alive', absences);
    expect(await started(d, daemon)).toBe(0);
    expect(daemon.owned).toEqual(ALL_SHARDS);
  });

  test('a daemon that starts in the data folder of a killed one takes over at once', async () => {
    const d = deployment();
    const dead = d.open('dead');
    await started(d, dead);
    dead.kill();
    const daemon = d.open('alive', new Absences(d.clock, 'dead'));
    expect(await started(d, daemon)).toBe(0);
    expect(daemon.owned).toEqual(ALL_SHARDS);
  });

  test('a daemon whose data folder names one that is connected leaves it what it owns', async () => {
    const d = deployment();
    const [running, daemon] = [d.open('running'), d.open('copy', new Absences(d.clock, 'running'))];
    await started(d, running);
    await started(d, daemon);
    expect([...running.owned, ...daemon.owned].toSorted((a, b) => a - b)).toEqual(ALL_SHARDS);
    expect(running.owned).not.toEqual([]);
  });

  test('a daemon that starts beside a stopped one waits a bounded time, and takes over when the lease has run out', async () => {
    const d = deployment();
    const [stopped, daemon] = [d.open('stopped'), d.open('alive')];
    await started(d, stopped);
    stopped.stop();
    expect(await started(d, daemon)).toBeLessThanOrEqual(1_500);
    expect(daemon.owned).toEqual([]);
    await d.run(LEASE_MS + LOOK_MS);
    expect(daemon.owned).toEqual(ALL_SHARDS);
  });

  test('a daemon that starts while the store is away starts without shards, and takes them when it is back', async () => {
    const d = deployment();
    const daemon = d.open('a');
    daemon.onCall = unavailable;
    expect(await started(d, daemon)).toBeLessThanOrEqual(1_500);
    expect(daemon.owned).toEqual([]);
    expect(daemon.failures.length).toBeGreaterThan(0);
    daemon.onCall = () => undefined;
    await d.run(LOOK_MS);
    expect(daemon.owned).toEqual(ALL_SHARDS);
  });
});

describe('a daemon that joins', () => {
  test('it gets its share of the shards with accounts and of the others within one look of the first', async () => {
    const d = deployment();
    const [first, second] = [d.open('a'), d.open('b')];
    await started(d, first);
    expect(await started(d, second)).toBe(0);
    expect(second.owned).toEqual([]);
    await d.run(LOOK_MS);
    expect([first, second].map(({ owned }) => counted(owned))).toEqual([
      { occupied: Math.ceil(OCCUPIED.size / 2), empty: Math.ceil((SHARDS - OCCUPIED.size) / 2) },
      { occupied: Math.floor(OCCUPIED.size / 2), empty: Math.floor((SHARDS - OCCUPIED.size) / 2) },
    ]);
    expect([...first.owned, ...second.owned].sort((a, b) => a - b)).toEqual(ALL_SHARDS);
    await d.run(60_000);
    expect(first.losses).toHaveLength(1);
    expect(second.gains).toHaveLength(1);
    expect(second.losses).toEqual([]);
  });

  test('a shard is handed over only after the listeners of its owner have resolved', async () => {
    const d = deployment();
    const [first, second] = [d.open('a'), d.open('b')];
    await started(d, first);
    const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
    first.beforeLoss = () => isDone;
    await started(d, second);
    await d.run(3_000);
    expect(first.losses.flat()).toHaveLength(SHARDS / 2);
    expect(first.owned).toHaveLength(SHARDS / 2);
    expect(first.losses.flat().some((shard) => first.ownership.owns(shard))).toBe(false);
    expect(new Set(await d.owners())).toEqual(new Set(['a']));
    expect(second.owned).toEqual([]);
    done();
    await d.run(0);
    expect(second.owned).toEqual([...first.losses.flat()].sort((a, b) => a - b));
  });

  test('a shard whose release failed is released later, and its listeners are not called twice', async () => {
    const d = deployment();
    const [first, second] = [d.open('a'), d.open('b')];
    await started(d, first);
    let failures = 3;
    first.onCall = (method) => {
      if (method !== 'release' || failures === 0) return;
      failures -= 1;
      unavailable();
    };
    await started(d, second);
    await d.run(4 * LOOK_MS);
    expect(first.failures).toHaveLength(1);
    expect(first.losses).toHaveLength(1);
    expect(first.gains).toHaveLength(1);
    expect(second.owned).toEqual([...first.losses.flat()].sort((a, b) => a - b));
  });

  test('each daemon knows where the owner of every other shard is reached', async () => {
    const { first, second } = await pair();
    for (const [daemon, other] of [
      [first, second],
      [second, first],
    ] as const) {
      for (const shard of ALL_SHARDS) {
        const address = daemon.ownership.owns(shard) ? undefined : `ws://${other.name}`;
        expect(daemon.ownership.addressOf(shard)).toBe(address);
      }
      expect(daemon.ownership.peers()).toEqual([`ws://${other.name}`]);
      expect(daemon.ownership.daemons()).toBe(2);
    }
  });
});

test('between giving a shard up and the next look its owner is nowhere, and not at the daemon itself', async () => {
  const d = deployment({ hasNudges: false });
  const [first, second] = [d.open('a'), d.open('b')];
  await started(d, first);
  const named: (string | undefined)[] = [];
  first.beforeLoss = () => {
    for (const shard of first.losses.flat()) named.push(first.ownership.addressOf(shard));
    return Promise.resolve();
  };
  await started(d, second);
  await d.run(LOOK_MS);
  const given = first.losses.flat();
  expect(given).toHaveLength(SHARDS / 2);
  for (const shard of given) named.push(first.ownership.addressOf(shard));
  expect(new Set(named)).toEqual(new Set([undefined]));
  await d.run(2 * LOOK_MS);
  for (const shard of given) expect(first.ownership.addressOf(shard)).toBe('ws://b');
});

test('listeners are called when a daemon joins or is gone, and not at every look', async () => {
  const d = deployment();
  const [first, second] = [d.open('a'), d.open('b')];
  const peers: (readonly string[])[] = [];
  first.ownership.onPeers(() => peers.push(first.ownership.peers()));
  await started(d, first);
  await started(d, second);
  await d.run(10 * LOOK_MS);
  expect(peers).toEqual([['ws://b']]);
  second.kill();
  await d.run(10 * LOOK_MS);
  expect(peers).toEqual([['ws://b'], []]);
});

describe('a daemon that ends', () => {
  test('the others own at once what a leaving daemon gives up', async () => {
    const { first, second, run, leases } = await pair();
    await first.ownership.leave();
    await run(0);
    expect(first.owned).toEqual([]);
    expect(second.owned).toEqual(ALL_SHARDS);
    expect((await leases.view()).members.map(({ name }) => name)).toEqual(['b']);
    expect(second.ownership.addressOf(0)).toBeUndefined();
    await run(60_000);
    expect(first.owned).toEqual([]);
    expect(second.moved).toHaveLength(1);
  });

  test('without nudges they own it after one look', async () => {
    const { first, second, run } = await pair({ hasNudges: false });
    await first.ownership.leave();
    await run(LOOK_MS);
    expect(second.owned).toEqual(ALL_SHARDS);
  });

  test('a daemon that drains takes nothing more and keeps what it owns', async () => {
    const { first, second, run } = await pair();
    await first.ownership.drain();
    second.kill();
    await run(3 * LOOK_MS);
    expect(first.owned).toHaveLength(SHARDS / 2);
    expect(first.moved).toEqual([]);
  });

  test('a daemon that leaves while it gives up shards completes that first', async () => {
    const d = deployment();
    const [first, second] = [d.open('a'), d.open('b')];
    await started(d, first);
    const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
    first.beforeLoss = () => isDone;
    await started(d, second);
    await d.run(LOOK_MS);
    const left = first.ownership.leave();
    await d.run(100);
    expect(new Set(await d.owners())).toEqual(new Set(['a']));
    done();
    await left;
    await d.run(0);
    expect(second.owned).toEqual(ALL_SHARDS);
  });

  test('a daemon that cannot reach the store leaves all the same, and is found gone', async () => {
    const { first, second, run } = await pair();
    first.onCall = unavailable;
    await first.ownership.leave();
    first.kill();
    expect(first.owned).toEqual([]);
    expect(first.failures).toHaveLength(1);
    await run(3 * LOOK_MS);
    expect(second.owned).toEqual(ALL_SHARDS);
  });

  test('the shards of a killed daemon are owned by the others within three looks, and not before it is surely gone', async () => {
    const { first, second, run } = await pair();
    first.kill();
    await run(799);
    expect(second.owned).toHaveLength(SHARDS / 2);
    await run(3 * LOOK_MS - 799);
    expect(second.owned).toEqual(ALL_SHARDS);
    expect(second.ownership.peers()).toEqual([]);
    expect(second.ownership.daemons()).toBe(1);
  });

  test('the shards of a stopped daemon are owned by the others when its lease has run out', async () => {
    const { first, second, clock, run } = await pair();
    const stoppedAtMs = clock.monotonicMs();
    first.stop();
    // It had renewed its membership two seconds before at the most.
    await run(LEASE_MS - 2_001 - LOOK_MS);
    expect(second.owned).toHaveLength(SHARDS / 2);
    expect(first.owned).toHaveLength(SHARDS / 2);
    await run(2_001 + 2 * LOOK_MS);
    expect(second.owned).toEqual(ALL_SHARDS);
    expect((second.moved[0]?.atMs ?? 0) - stoppedAtMs).toBeLessThanOrEqual(LEASE_MS + LOOK_MS);
    first.resume();
    await run(0);
    expect(first.losses.flat()).toHaveLength(SHARDS / 2);
    await run(2 * LOOK_MS);
    expect(first.owned).toHaveLength(SHARDS / 2);
    expect([...first.owned, ...second.owned].sort((a, b) => a - b)).toEqual(ALL_SHARDS);
  });
});

describe('a store that fails', () => {
  test('a daemon whose connection to the store was replaced is not taken for gone', async () => {
    const { first, second, leases, run } = await pair();
    leases.disconnect(first.name);
    await run(LEASE_MS);
    expect([...first.moved, ...second.moved]).toEqual([]);
  });

  test('an outage of the store that is longer than a lease moves no shard, and every daemon reports it once', async () => {
    const { first, second, run } = await pair();
    const owned = [first.owned, second.owned];
    for (const daemon of [first, second]) daemon.onCall = unavailable;
    await run(20_000);
    for (const daemon of [first, second]) {
      expect(daemon.failures).toHaveLength(1);
      expect(daemon.moved).toEqual([]);
      daemon.onCall = () => undefined;
    }
    expect([first.owned, second.owned]).toEqual(owned);
    await run(4 * LOOK_MS);
    expect([first.owned.length, second.owned.length]).toEqual([SHARDS / 2, SHARDS / 2]);
    expect([...first.owned, ...second.owned].sort((a, b) => a - b)).toEqual(ALL_SHARDS);
    expect([...first.moved, ...second.moved]).toEqual([]);
  });

  test('an absence of the store that is shorter than a lease moves nothing', async () => {
    const { first, second, run } = await pair();
    for (const daemon of [first, second]) daemon.onCall = unavailable;
    await run(LEASE_MS - 2_000 - LOOK_MS);
    for (const daemon of [first, second]) daemon.onCall = () => undefined;
    await run(30_000);
    expect([...first.moved, ...second.moved]).toEqual([]);
  });

  test('a lease that was taken without its answer coming back is owned after the next look', async () => {
    const d = deployment();
    const daemon = d.open('a');
    let isLost = true;
    daemon.onAnswer = (method) => {
      if (method !== 'take' || !isLost) return;
      isLost = false;
      unavailable();
    };
    await started(d, daemon);
    expect(daemon.failures).toHaveLength(1);
    expect(daemon.owned).toEqual(ALL_SHARDS);
    expect((await d.leases.view()).leases.every(({ epoch }) => epoch === 1)).toBe(true);
    expect(daemon.moved).toMatchObject([{ owned: SHARDS }]);
  });

  test('leases that are another one’s in the store are lost within one look, and the listeners are called', async () => {
    const { first, second, leases, run } = await pair();
    const taken = first.owned.slice(0, 5);
    const seen = (await leases.view()).leases;
    await leases.take(
      'b',
      seen.filter(({ shard }) => taken.includes(shard)),
    );
    await run(LOOK_MS);
    expect(first.losses).toEqual([taken]);
    expect(taken.some((shard) => first.ownership.owns(shard))).toBe(false);
    await run(3 * LOOK_MS);
    expect([...first.owned, ...second.owned].sort((a, b) => a - b)).toEqual(ALL_SHARDS);
    expect([first.owned.length, second.owned.length]).toEqual([SHARDS / 2, SHARDS / 2]);
  });
});
