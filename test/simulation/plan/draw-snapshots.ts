// Runs whose daemons keep snapshots of states, which are lost, old or unreadable in some of them, and let states leave
// memory as soon as nothing of them is open.
import type { Rng } from '../../../src/values/rng.ts';
import { chance, pick } from './pick.ts';
import { type SimulationPlan, SNAPSHOT_FAULTS } from './plan.ts';

const TROUBLED_SHARE = 0.5;
/** In these runs states leave memory whenever they may. */
const RESTING_SHARE = 0.6;
const CHANCE_MAX = 0.4;

export const withSnapshots = (plan: SimulationPlan, draw: Rng): SimulationPlan => {
  const isTroubled = chance(draw, TROUBLED_SHARE);
  const faults = SNAPSHOT_FAULTS.flatMap((kind) => {
    const rate = CHANCE_MAX * draw.next();
    return isTroubled && chance(draw, 0.7) ? [{ kind, chance: rate, maxMs: 0 }] : [];
  });
  const everyEvents = pick(draw, [1, 4, 16, 64]);
  const restHorizonMs = pick(draw, [150, 500, 1_500]);
  const stateBytesMax = chance(draw, RESTING_SHARE) ? pick(draw, [0, 0, 10_000]) : undefined;
  const snapshots = { everyEvents, stateBytesMax, restHorizonMs };
  return { ...plan, snapshots, faults: [...plan.faults, ...faults] };
};
