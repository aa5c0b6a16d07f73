// Snapshots behind the commits of an engine: what they save a later load, and that nothing depends on them.
import { expect, test } from 'vitest';
import {
  SNAPSHOT_FORMAT,
  type StateSnapshot,
} from '../../../src/core/portfolio/snapshot/state-snapshot.ts';
import type { StateSnapshots } from '../../../src/ports/snapshots/state-snapshots.ts';
import { quantity, text } from '../../../src/values/amounts.ts';
import { must } from '../../../src/values/assert.ts';
import { isProgrammingError } from '../../../src/values/errors/programming-error.ts';
import type { PortfolioId } from '../../../src/values/ids.ts';
import { MemoryLedger } from '../../../src/virtual/memory/memory-ledger.ts';
import { VirtualClock } from '../../../src/virtual/virtual-clock.ts';
import { MemoryStateSnapshots } from '../../doubles/memory/memory-state-snapshots.ts';
import { life } from '../../support/daemon/mortal.ts';
import { form, legForm, submitted, type World, world } from '../../support/engine/engine-world.ts';
import { NOON, perpetual, quote } from '../../support/engine/markets.ts';

const PERP = perpetual();

interface Scene {
  readonly w: World;
  readonly id: PortfolioId;
  /** An engine of the next process, after this one was killed. */
  readonly next: () => Promise<World>;
  /** Histories that were read from their first event. */
  readonly wholeReads: () => number;
}

/** A portfolio of a slice a second after fifty of them: about 300 events. */
async function atWork(around: (all: StateSnapshots) => StateSnapshots = (all) => all) {
  const clock = new VirtualClock(NOON);
  const ledger = new MemoryLedger({ now: () => clock.now() });
  const kept = new MemoryStateSnapshots(ledger);
  const snapshots = around(kept);
  const mortal = life(0);
  const parts = { clock, ledger, snapshots };
  const w = world({ ...parts, life: mortal });
  w.venue.isTalkative = true;
  w.venue.show(quote(PERP, [99_999.5, 100_000]));
  await w.engine.start();
  const asked = form({
    legs: [legForm({ quantity: quantity('900') })],
    twapTrade: { durationSec: 90, frequencySec: 1 },
  });
  const id = await submitted(w, asked);
  await w.run(50_500);
  let wholeReads = 0;
  const counted: MemoryLedger = new Proxy(ledger, {
    get: (target, name) => {
      if (name === 'load') wholeReads += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const next = async (): Promise<World> => {
    mortal.isDead = true;
    w.engine.stop();
    const after = world({ ...parts, ledger: counted, venue: w.venue });
    await after.engine.start();
    return after;
  };
  const scene: Scene = { w, id, next, wholeReads: () => wholeReads };
  return { ...scene, kept };
}

const filled = (w: World, id: PortfolioId): string =>
  text(must(w.engine.turns.peek(id)?.legs[0], 'it is in memory').filled);

test('a portfolio is loaded from its snapshot and the events after it, and continues to its end', async () => {
  const { w, id, next, wholeReads, kept } = await atWork();
  const snapshot = must(await kept.of(id), 'it was written');
  expect(snapshot.version).toBeGreaterThanOrEqual(256);
  const before = must(w.engine.turns.peek(id), 'it is in memory');
  expect(snapshot.version).toBeLessThan(before.version);
  const after = await next();
  expect(wholeReads()).toBe(0);
  expect(filled(after, id)).toBe(text(must(before.legs[0], 'it has a leg').filled));
  await after.run(60_000);
  expect(filled(after, id)).toBe('900');
  expect(after.engine.turns.peek(id)?.status).toBe('filled');
  expect(after.observer.failures).toEqual([]);
});

test('the snapshot of a portfolio that has ended is deleted', async () => {
  const { w, id, kept } = await atWork();
  expect(await kept.of(id)).toBeDefined();
  await w.run(60_000);
  expect(w.engine.turns.peek(id)?.status).toBe('filled');
  expect(await kept.of(id)).toBeUndefined();
});

test('snapshots that cannot be written are reported and delay nothing', async () => {
  const { w, id, next, wholeReads } = await atWork((all) => ({
    load: (portfolio, format) => all.load(portfolio, format),
    of: (portfolio) => all.of(portfolio),
    save: () => Promise.reject(new Error('no space')),
    delete: (portfolios) => all.delete(portfolios),
  }));
  expect(w.observer.failures).toMatchObject([{ where: 'snapshot' }]);
  expect(Math.max(...w.observer.lateMs)).toBeLessThan(5);
  const after = await next();
  await after.run(60_000);
  expect(filled(after, id)).toBe('900');
  expect(wholeReads()).toBe(0);
});

/** What a store may give back instead of what was saved, and whether that is a fault worth a report. */
const MISFITS: readonly (readonly [string, (snapshot: StateSnapshot) => StateSnapshot, number])[] =
  [
    ['is cut off', (one) => ({ ...one, text: one.text.slice(0, 100) }), 1],
    ['is of another version', (one) => ({ ...one, version: one.version - 1 }), 1],
    ['is ahead of the ledger', (one) => ({ ...one, version: one.version + 10_000 }), 0],
    ['has a newer format', (one) => ({ ...one, format: SNAPSHOT_FORMAT + 1 }), 0],
  ];

test.each(MISFITS)('the history is folded if the snapshot %s', async (_how, spoil, reports) => {
  const { id, next } = await atWork((all) => ({
    load: (portfolio, format) => all.load(portfolio, format),
    of: (portfolio) => all.of(portfolio),
    save: (some) => all.save(some.map(spoil)),
    delete: (portfolios) => all.delete(portfolios),
  }));
  const after = await next();
  expect(after.observer.failures.map(({ where }) => where)).toEqual(
    Array.from({ length: reports }, () => 'snapshot'),
  );
  expect(after.observer.failures.filter(({ error }) => isProgrammingError(error))).toEqual([]);
  await after.run(60_000);
  expect(filled(after, id)).toBe('900');
});
