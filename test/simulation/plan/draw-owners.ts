// Runs in which a busy account changes hands while its message budget is the limit: what one owner has sent must
// count at the next one. Some runs have a budget that the daemons share, too.

import type { Rng } from '../../../src/values/rng.ts';
import { drawClients, plainly } from './draw-client.ts';
import { chance, pick } from './pick.ts';
import type { Act, ClientPlan, SimulationPlan } from './plan.ts';

/** Long enough for a daemon that returns to take its share of the shards again. */
const STORM_MS = 20_000;
/** How many runs have a budget for all accounts, too, which leaves less to send. */
const SHARED_SHARE = 0.3;

/**
 * The run with two daemons of which one goes and returns, and more slices than messages are permitted. Both accounts are
 * busy: which of them a daemon that returns is given depends on the shards.
 */
export function withBusyHandOvers(plan: SimulationPlan, draw: Rng): SimulationPlan {
  const kills = Array.from({ length: 2 + draw.below(3) }, (): Act => {
    return { kind: 'kill', atMs: 1_000 + draw.below(STORM_MS - 4_000), daemon: draw.below(2) };
  });
  const clients: readonly ClientPlan[] = drawClients(draw.split('clients'), 'cheap')
    .slice(0, 1)
    .flatMap((client) =>
      Array.from({ length: 6 }, (_, place) => ({ ...client, account: place % 2 })),
    )
    .map(busily(draw.split('busy')));
  const daemons = plan.daemons.slice(0, 1).map((daemon) => ({
    ...daemon,
    crashes: [],
    restMs: 50 + draw.below(1_500),
  }));
  const drawn: SimulationPlan = {
    ...plan,
    stormMs: STORM_MS,
    hasLeases: true,
    // Leases that lie leave no hand-over by plan to judge.
    faults: chance(draw, 0.5) ? plan.faults.filter(({ kind }) => !kind.startsWith('leases_')) : [],
    daemons: [...daemons, ...daemons],
    clients,
    controls: {
      numbers: {
        messages: {
          perSecond: pick(draw, [0.2, 0.5]),
          burst: 2 + draw.below(3),
          cancelReserve: pick(draw, [0, 0.25]),
        },
      },
      later: undefined,
      overrides: [],
      isOfStrategy: false,
    },
    acts: kills,
  };
  return chance(draw, SHARED_SHARE) ? withSharedBudget(drawn, draw) : drawn;
}

/** The daemons share a budget for all accounts that is smaller than those of the accounts together. */
function withSharedBudget(plan: SimulationPlan, draw: Rng): SimulationPlan {
  const { controls } = plan;
  const messages = controls?.numbers.messages;
  if (controls === undefined || messages === undefined) return plan;
  // A share of one message has none that only cancels use.
  const reserved = { cancelReserve: 0 };
  const ofAll = { perSecond: pick(draw, [0.3, 0.6]), burst: 2 + draw.below(3), ...reserved };
  return { ...plan, controls: { ...controls, numbers: { messages: { ...messages, ofAll } } } };
}

/** Several legs a second, in as many slices as the run has seconds. */
const busily = (draw: Rng) => (client: ClientPlan) => ({
  ...plainly(client),
  submitAtMs: draw.below(800),
  cancelAtMs: undefined,
  changes: [],
  frequencySec: 1,
  durationSec: 16 + draw.below(8),
  legs: [...client.legs, ...client.legs]
    .slice(0, 2)
    .map((leg) => ({ ...leg, lots: 30 + draw.below(60) })),
});
