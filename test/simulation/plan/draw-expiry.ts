// Runs that begin shortly before the option of every run expires, which is the settlement of all others too.
import type { Rng } from '../../../src/values/rng.ts';
import { chance } from './pick.ts';
import type { ClientPlan, SimulationPlan } from './plan.ts';

/** How many of the clients trade the option. */
const OPTION_SHARE = 0.8;
/** Some portfolios end before it, some would end after it, and some come when it is over. */
const LEAST_MS = 3_000;
const SPREAD_MS = 16_000;

/**
 * The option keeps its price to the end, which no usual volatility explains: nothing goes by one in these runs, neither
 * protection nor a price in volatility.
 */
export const nearExpiry = (plan: SimulationPlan, draw: Rng): SimulationPlan =>
  plan.mmp === undefined ? expiring(plan, draw) : plan;

const expiring = (plan: SimulationPlan, draw: Rng): SimulationPlan => ({
  ...plan,
  expiresAfterMs: LEAST_MS + draw.below(SPREAD_MS),
  clients: plan.clients
    .map(inOwnUnits)
    .map((client, index) => onOption(client, draw.split(`client-${index}`))),
});

function inOwnUnits(client: ClientPlan): ClientPlan {
  const { spreadMaxVol: _none, ...options } = client.options;
  return { ...client, options, legs: client.legs.map(({ unit: _of, ...leg }) => leg) };
}

/** Amendments of its end come with most of them. */
function onOption(client: ClientPlan, draw: Rng): ClientPlan {
  const [first, ...others] = client.legs;
  if (first === undefined || first.hedge || !chance(draw, OPTION_SHARE)) return client;
  const legs = [{ ...first, instrument: 'option' as const }, ...others];
  if (client.changes.length > 0 || chance(draw, 0.3)) return { ...client, legs };
  const atMs = 600 + draw.below(3_000);
  const change = { kind: 'amend', atMs, durationSec: 1 + draw.below(18) } as const;
  return { ...client, legs, changes: [change] };
}
