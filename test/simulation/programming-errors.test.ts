// A programming error in a store of a simulated run ends the run, also where failures of that store are injected.
import { expect, test } from 'vitest';
import { LedgerFailure } from '../../src/ports/ledger.ts';
import { MemoryEventBus } from '../../src/virtual/memory/memory-event-bus.ts';
import { MemoryLedger } from '../../src/virtual/memory/memory-ledger.ts';
import { MemoryKeptAnswers } from '../doubles/memory/memory-kept-answers.ts';
import { MemoryMmpRecords } from '../doubles/memory/memory-mmp-records.ts';
import { MemoryStateSnapshots } from '../doubles/memory/memory-state-snapshots.ts';
import { MemorySwitchRecords } from '../doubles/memory/memory-switch-records.ts';
import { gateway } from './gateway-door.ts';
import { drawPlan } from './plan/draw-plan.ts';
import type { Profile } from './plan/plan.ts';
import { settle } from './settle.ts';
import { followStrategies } from './strategy-follower.ts';
import type { OpenStores, SimulatedStores } from './world/simulated-stores.ts';
import { simulate } from './world/simulation.ts';

/** As stores of a run, with the snapshots in the ledger. */
const inMemory: OpenStores = (now) => {
  const ledger = new MemoryLedger({ now });
  return {
    ledger,
    snapshots: new MemoryStateSnapshots(ledger),
    bus: new MemoryEventBus(() => undefined),
    kept: new MemoryKeptAnswers(now),
    mmpRecords: new MemoryMmpRecords(),
    switchRecords: new MemorySwitchRecords(),
  };
};

const planted = (): TypeError => new TypeError('planted');
const wrapped = (): LedgerFailure => new LedgerFailure('no answer', false, planted());

interface Plant {
  readonly store: keyof SimulatedStores;
  readonly call: string;
  /** A run that makes the call, on stores that know no leases. */
  readonly run: readonly [Profile, seed: string];
  readonly error: () => Error;
}

const PLANTS: readonly Plant[] = [
  { store: 'ledger', call: 'commit', run: ['cheap', '2'], error: planted },
  { store: 'ledger', call: 'commit', run: ['cheap', '2'], error: wrapped },
  { store: 'ledger', call: 'overdue', run: ['cheap', '2'], error: planted },
  { store: 'ledger', call: 'load', run: ['cheap', '5'], error: planted },
  { store: 'ledger', call: 'claimOnce', run: ['full', '12'], error: planted },
  { store: 'snapshots', call: 'save', run: ['cheap', '2'], error: planted },
  { store: 'bus', call: 'publish', run: ['cheap', '2'], error: planted },
  { store: 'kept', call: 'claim', run: ['full', '12'], error: planted },
  { store: 'mmpRecords', call: 'versions', run: ['full', '2'], error: planted },
  { store: 'switchRecords', call: 'after', run: ['cheap', '57'], error: planted },
  { store: 'switchRecords', call: 'add', run: ['cheap', '57'], error: planted },
];

/** The stores with the plant in one of them, and whether the run has come to it. */
function planting({ store, call, error }: Plant) {
  let isMet = false;
  const openStores: OpenStores = (now) => {
    const stores = inMemory(now);
    const fail = (): unknown => {
      isMet = true;
      if (call === 'publish') throw error();
      return Promise.reject(error());
    };
    Object.defineProperty(stores[store], call, { value: fail });
    return stores;
  };
  return { openStores, isMet: () => isMet };
}

test.each(PLANTS)('a programming error in $call of the store $store is a breach', async (plant) => {
  const { openStores, isMet } = planting(plant);
  const [profile, seed] = plant.run;
  const plan = drawPlan(seed, profile);
  const { breach } = await simulate({ plan, settle, gateway, followStrategies, openStores });
  expect(isMet()).toBe(true);
  expect(breach).toMatchObject({ invariant: 'crash', what: expect.stringContaining('planted') });
});
