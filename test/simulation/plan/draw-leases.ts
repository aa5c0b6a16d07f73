// Runs whose daemons own shards by leases, which are unreadable, stale or wrong in some of them. In the other runs
// every daemon takes everything for its own: the worst that leases can say.
import type { Rng } from '../../../src/values/rng.ts';
import { chance } from './pick.ts';
import { LEASE_FAULTS, type SimulationPlan } from './plan.ts';

const LYING_SHARE = 0.5;
const CHANCE_MAX = 0.3;

export const withLeases = (plan: SimulationPlan, draw: Rng): SimulationPlan => {
  const lie = chance(draw, LYING_SHARE);
  const faults = LEASE_FAULTS.flatMap((kind) => {
    const rate = CHANCE_MAX * draw.next();
    return lie && chance(draw, 0.6) ? [{ kind, chance: rate, maxMs: 0 }] : [];
  });
  return { ...plan, hasLeases: true, faults: [...plan.faults, ...faults] };
};
