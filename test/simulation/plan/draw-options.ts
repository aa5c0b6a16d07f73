// Draws the execution of a portfolio: some of the execution options, or parts instead of slices.
import type { EscalationManner, EscalationStep } from '../../../src/core/terms/execution.ts';
import type { Rng } from '../../../src/values/rng.ts';
import { chance, pick } from './pick.ts';
import type { ClientPlan, LegPlan, OptionsPlan } from './plan.ts';

/** Each option in a share of the runs; those that hold back much in fewer. */
const SHARE = 0.25;

export function drawOptions(draw: Rng, client: ClientPlan): ClientPlan {
  const some = <T>(value: T, share = SHARE): T | undefined =>
    chance(draw, share) ? value : undefined;
  const endAction = pick(draw, ['cancel', 'market', 'sweep', 'extend'] as const);
  const options: OptionsPlan = {
    randomSize: some(pick(draw, [0.3, 0.9])),
    randomTime: some(pick(draw, [0.4, 0.95])),
    catchUp: some('front'),
    aim: some('middle'),
    downtime: some('skip'),
    slippageMaxBps: some(pick(draw, [0.2, 0.6, 3])),
    spreadMaxBps: some(pick(draw, [0.2, 0.4])),
    bandBps: some(pick(draw, [0.3, 1, 5])),
    participationMax: some(pick(draw, [0.1, 0.5, 1]), 0.1),
    escalation: some(drawEscalation(draw)),
    wouldTicks: some(draw.below(17) - 8),
    endCapBps: endAction === 'sweep' ? pick(draw, [undefined, 0.2, 2]) : undefined,
    extendMs: endAction === 'extend' ? 1_000 + draw.below(4_000) : undefined,
    avoidWindows: some(true as const, 0.15),
  };
  const legs = options.escalation === undefined ? client.legs : client.legs.map(escalated);
  const shadowScale = client.hasShadow ? some(pick(draw, ['0.3', '0.7', '2.5']), 0.5) : undefined;
  return { ...client, endAction, options, legs, shadowScale };
}

const MANNERS: readonly EscalationManner[] = ['post', 'rejoin', 'mid', 'cross'];

function drawEscalation(draw: Rng): readonly EscalationStep[] {
  const first = draw.below(MANNERS.length);
  const later = MANNERS.slice(first + 1).filter(() => chance(draw, 0.6));
  return [MANNERS[first] ?? 'post', ...later].map((manner, index) => ({
    from: index / 4,
    manner,
  }));
}

/** A leg that says itself how its children are priced has no escalation. */
const escalated = (leg: LegPlan): LegPlan => ({
  ...leg,
  pricing: leg.pricing === 'limit' ? 'limit' : 'market',
  timeInForce: undefined,
  postOnly: false,
});

export function drawBalance(draw: Rng, client: ClientPlan): ClientPlan {
  const parts = 1 + draw.below(4);
  const [first] = client.legs;
  const second = chance(draw, 0.8) ? client.legs[1] : undefined;
  if (first === undefined) return client;
  // Mostly two legs, which is what it is for; what follows fills is left to a hedge or to a leader.
  const other: LegPlan = {
    ...first,
    instrument: first.instrument === 'spot' ? 'perpetual' : 'spot',
    lots: first.lots + draw.below(20),
    pricing: pick(draw, ['market', 'limit', 'dynamic'] as const),
    timeInForce: undefined,
  };
  const legs = [first, second ?? other];
  const hasHedge = legs.some(({ hedge }) => hedge);
  return {
    ...client,
    options: { ...(chance(draw, 0.2) && { bandBps: pick(draw, [1, 5]) }) },
    endAction: 'cancel',
    legs,
    balance: {
      parts,
      eachLimitMs: 1_000 + draw.below(2_500),
      totalLimitMs: 3_000 + draw.below(5_000),
      fillsByMarket: chance(draw, 0.6),
      isChased: chance(draw, 0.7),
      leader: !hasHedge && chance(draw, 0.4) ? draw.below(2) : undefined,
    },
  };
}
