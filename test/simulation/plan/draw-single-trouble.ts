// Runs that have one kind of trouble only, at the edge of what is promised.
import type { Rng } from '../../../src/values/rng.ts';
import type { Margins } from '../checks/bounds.ts';
import { drawClients, plainly } from './draw-client.ts';
import { drawDaemons } from './draw-daemons.ts';
import { drawFaults, SPELLS } from './draw-faults.ts';
import { nobody } from './draw-people.ts';
import { chance, pick } from './pick.ts';
import type { Act, DaemonPlan, SimulationPlan } from './plan.ts';

/**
 * Requests that arrive around their deadline, at a venue whose clock is behind as far as it may be, asked
 * about by a daemon whose clock is as far ahead, with queries that lag and notices that do not come: the
 * edge of what is promised.
 */
export function edgePlan(seed: string, margins: Margins, draw: Rng): SimulationPlan {
  const most = margins.skewMs / 2;
  const daemon: DaemonPlan = { offsetMs: most, crashes: [], restMs: 100, settings: [] };
  const maxMs = SPELLS.query_stale ?? 0;
  return {
    seed,
    stormMs: 5_000,
    latencyMs: 0,
    venueOffsetMs: -most,
    marketStepMs: 600,
    quietWindow: { fromMs: 0, toMs: 0 },
    takerShare: 0,
    refusalCode: 10_009,
    margins,
    settings: {},
    retiredMax: 200,
    faults: [
      { kind: 'request_at_deadline', chance: 0.7, maxMs: 0 },
      { kind: 'query_stale', chance: 0.9, maxMs },
      { kind: 'notice_lost', chance: 0.8, maxMs: 0 },
    ],
    daemons: Array.from({ length: 1 + draw.below(2) }, () => daemon),
    ...nobody([]),
    clients: drawClients(draw.split('clients'), 'cheap').map((client) => ({
      ...plainly(client),
      cancelAtMs: undefined,
      changes: [],
      // Long enough for a slice to place again.
      frequencySec: 3,
      durationSec: 6,
      legs: client.legs.slice(0, 1),
    })),
    acts: [],
  };
}

/** Only a queue that loses, delays and repeats jobs, and is wiped repeatedly. */
export function queuePlan(seed: string, margins: Margins, draw: Rng): SimulationPlan {
  const kinds = [
    'queue_loses',
    'queue_late',
    'queue_repeats',
    'queue_refuses',
    'queue_early',
  ] as const;
  const stormMs = 8_000;
  const wipes = Array.from({ length: draw.below(30) }, () => draw.below(stormMs));
  return {
    ...edgePlan(seed, margins, draw),
    stormMs,
    venueOffsetMs: 0,
    faults: kinds.map((kind) => ({ kind, chance: draw.next(), maxMs: SPELLS[kind] ?? 0 })),
    acts: wipes.map((atMs): Act => ({ kind: 'wipe_queue', atMs })),
  };
}

/** How many runs have thin books and nothing else that goes wrong. */
export const THIN_SHARE = 0.02;

/**
 * Books that are thin most of the time, so that a slice takes out a side and has to come back for more: what is
 * shown and not ordered has no other cause. Slices last long enough for several attempts.
 */
export function thinPlan(seed: string, margins: Margins, draw: Rng): SimulationPlan {
  const plan = edgePlan(seed, margins, draw);
  return {
    ...plan,
    stormMs: 10_000,
    venueOffsetMs: 0,
    settings: { attemptsMax: 20 },
    faults: [{ kind: 'market_thin', chance: 0.6 + 0.4 * draw.next(), maxMs: 0 }],
    daemons: plan.daemons.map((daemon) => ({ ...daemon, offsetMs: 0 })),
    clients: plan.clients.map((client) => ({
      ...client,
      frequencySec: 5,
      durationSec: 10,
      legs: client.legs.map((leg) => ({ ...leg, lots: 30 + draw.below(90) })),
    })),
  };
}

/** How many runs have a portfolio of many slices. */
export const LONG_SHARE = 0.02;

/**
 * So many slices that settled children leave the state, and notices that come again when they have left: what is in
 * the state no longer tells what has been counted.
 */
export function longPlan(seed: string, margins: Margins, draw: Rng): SimulationPlan {
  const plan = edgePlan(seed, margins, draw);
  const hasShadow = chance(draw, 0.5);
  return {
    ...plan,
    stormMs: 30_000,
    venueOffsetMs: 0,
    retiredMax: pick(draw, [0, 200]),
    faults: [
      ...drawFaults(draw.split('faults'), 'cheap').filter(({ kind }) => kind !== 'notice_repeated'),
      { kind: 'notice_repeated', chance: 0.3 + 0.7 * draw.next(), maxMs: 25_000 },
    ],
    daemons: drawDaemons(draw.split('daemons'), { profile: 'cheap', margins }),
    clients: plan.clients.slice(0, 1).map((client) => ({
      ...client,
      hasShadow,
      frequencySec: 1,
      durationSec: 22 + draw.below(12),
      legs: client.legs.map((leg) => ({ ...leg, lots: 80 + draw.below(200) })),
    })),
  };
}
