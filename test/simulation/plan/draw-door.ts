// Draws how clients reach the daemons through the gateway, and the network faults on the way.
import type { Rng } from '../../../src/values/rng.ts';
import { chance, pick } from './pick.ts';
import {
  type ClientPlan,
  DOOR_FAULTS,
  type DoorPlan,
  type FaultRate,
  type SimulationPlan,
} from './plan.ts';

const LATE_MS_MAX = 1_500;
const CHANCE_MAX = 0.3;
const SECOND_MS = 1_000;

export function atDoors(plan: SimulationPlan, draw: Rng): SimulationPlan {
  return {
    ...plan,
    faults: [...plan.faults, ...drawFaults(draw)],
    clients: plan.clients.map(wholeSeconds),
    door: drawDoor(draw, plan.stormMs),
  };
}

function drawDoor(draw: Rng, stormMs: number): DoorPlan {
  const changes = draw.split('changes');
  return {
    isBound: chance(draw, 0.3),
    rotateAtMs: chance(draw, 0.3) ? draw.below(stormMs) : undefined,
    rate: chance(draw, 0.2)
      ? { perSecond: 2 + draw.below(4), burst: pick(draw, [3, 6]) }
      : undefined,
    probes: drawProbes(draw.below(4), draw.split('probes')),
    revokeAtMs: chance(changes, 0.5) ? changes.below(stormMs) : undefined,
    later: chance(changes, 0.5) ? drawLater(changes, stormMs) : undefined,
  };
}

const KINDS_MAX = 1_000;

const drawProbes = (count: number, draw: Rng): readonly number[] =>
  Array.from({ length: count }, () => draw.below(KINDS_MAX));

/** Low enough that a client that sends at every beat reaches it. */
const drawLater = (draw: Rng, stormMs: number): DoorPlan['later'] => ({
  atMs: draw.below(stormMs),
  rate: { perSecond: 1 + draw.below(3), burst: 2 + draw.below(3) },
});

function drawFaults(draw: Rng): readonly FaultRate[] {
  const share = pick(draw, [0, 0.4, 0.8]);
  return DOOR_FAULTS.flatMap((kind) => {
    const isOn = chance(draw, share);
    const rate = CHANCE_MAX * (0.2 + 0.8 * draw.next());
    return isOn ? [{ kind, chance: rate, maxMs: LATE_MS_MAX }] : [];
  });
}

/** The interface knows extensions in whole seconds. */
function wholeSeconds(client: ClientPlan): ClientPlan {
  const { extendMs } = client.options;
  if (extendMs === undefined) return client;
  const rounded = Math.ceil(extendMs / SECOND_MS) * SECOND_MS;
  return { ...client, options: { ...client.options, extendMs: rounded } };
}
