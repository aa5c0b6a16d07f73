// Draws the requests of clients: portfolios, times, execution options and amendments.
import type { AmendLimitsForm } from '../../../src/core/portfolio/admission/admit-limits.ts';
import type { Rng } from '../../../src/values/rng.ts';
import { drawBalance, drawOptions } from './draw-options.ts';
import { drawResidualRfq } from './draw-residual-rfq.ts';
import { chance, pick } from './pick.ts';
import type { ClientChange, ClientPlan, InstrumentPick, LegPlan, Size } from './plan.ts';

export function drawClients(draw: Rng, profile: Size): readonly ClientPlan[] {
  const count = profile === 'cheap' ? pick(draw, [1, 1, 1, 2]) : 1 + draw.below(5);
  const clients = Array.from({ length: count }, () => drawClient(draw, profile));
  // Streams of their own, so that these do not move what was drawn before.
  return clients
    .map((client, index) => drawManner(draw.split(`manner-${index}`), client))
    .map((client, index) => drawUnits(draw.split(`units-${index}`), client))
    .map((client, index) => drawWorst(draw.split(`worst-${index}`), client));
}

/** How many have a worst price on each leg. */
const WORST_SHARE = 0.05;

/** Near where the market begins, so that it is in the way at times. */
function drawWorst(draw: Rng, client: ClientPlan): ClientPlan {
  if (!chance(draw, WORST_SHARE)) return client;
  const legs = client.legs.map((leg) => ({ ...leg, worstTicks: draw.below(24) - 4 }));
  return { ...client, legs };
}

/** They run for longer than others. */
const END_RFQ_SHARE = 0.03;

/** How it is to be worked: mostly as it comes, else with options of all kinds, or in parts. */
function drawManner(draw: Rng, client: ClientPlan): ClientPlan {
  if (chance(draw.split('end-rfq'), END_RFQ_SHARE))
    return drawResidualRfq(draw.split('block'), client);
  if (chance(draw, 0.1)) return drawBalance(draw, client);
  return chance(draw, 0.3) ? drawOptions(draw, client) : client;
}

/** How many trade an option whose price is requested in USD or in volatility. */
const UNITS_SHARE = 0.08;

function drawUnits(draw: Rng, client: ClientPlan): ClientPlan {
  const [first, ...others] = client.legs;
  const isPlain = client.balance === undefined && client.endAction !== 'rfq';
  if (first === undefined || first.hedge || !isPlain || !chance(draw, UNITS_SHARE)) return client;
  const option: LegPlan = {
    ...first,
    instrument: 'option',
    pricing: pick(draw, ['limit', 'dynamic', 'dynamic'] as const),
    timeInForce: undefined,
    unit: pick(draw, ['usd', 'iv'] as const),
  };
  const spreadMaxVol = chance(draw, 0.4) ? pick(draw, [0.9, 1.7, 2.6]) : undefined;
  const { escalation: _none, ...options } = client.options;
  return { ...client, legs: [option, ...others], options: { ...options, spreadMaxVol } };
}

/** Worked as it comes, in the most plain way. */
export const plainly = (client: ClientPlan): ClientPlan => ({
  ...client,
  options: {},
  balance: undefined,
  endAction: client.endAction === 'cancel' ? 'cancel' : 'market',
});

function drawClient(draw: Rng, profile: Size): ClientPlan {
  const slices = profile === 'cheap' ? 1 + draw.below(4) : 1 + draw.below(10);
  const frequencySec = 1 + draw.below(profile === 'cheap' ? 2 : 4);
  return {
    account: draw.below(4) === 0 ? 1 : 0,
    submitAtMs: draw.below(profile === 'cheap' ? 800 : 8_000),
    isImpatient: chance(draw, 0.15),
    cancelAtMs: chance(draw, 0.35) ? 500 + draw.below(8_000) : undefined,
    cancelStorm: chance(draw, 0.3),
    changes: drawChanges(draw, profile),
    frequencySec,
    // At times the end does not fall on a slice.
    durationSec: Math.max(1, slices * frequencySec - (chance(draw, 0.2) ? 1 : 0)),
    phase: chance(draw, 0.3) ? Math.round(draw.next() * 90) / 100 : 0,
    maxCatchUp: pick(draw, [1, 2, 3, 3]),
    endAction: chance(draw, 0.5) ? 'market' : 'cancel',
    options: {},
    balance: undefined,
    isFlagged: false,
    hasShadow: chance(draw, 0.15),
    shadowScale: undefined,
    legs: drawLegs(draw, profile),
  };
}

function drawChanges(draw: Rng, profile: Size): readonly ClientChange[] {
  const count = chance(draw, 0.75) ? 0 : 1 + draw.below(3);
  const reachMs = profile === 'cheap' ? 3_500 : 20_000;
  const changes = Array.from({ length: count }, (): readonly ClientChange[] => {
    const atMs = 600 + draw.below(reachMs);
    if (chance(draw, 0.5)) {
      const lots = chance(draw, 0.7) ? 10 + draw.below(80) : undefined;
      const durationSec = chance(draw, 0.6) ? 3 + draw.below(10) : undefined;
      const limits = drawLimits(draw.split(`limits-${atMs}`));
      return [{ kind: 'amend', atMs, lots, durationSec, limits }];
    }
    const pause = { kind: 'pause', atMs } as const;
    const resume = { kind: 'resume', atMs: atMs + 200 + draw.below(2_500) } as const;
    return chance(draw, 0.7) ? [pause, resume] : [pause];
  });
  return changes.flat().sort((a, b) => a.atMs - b.atMs);
}

/** Some limits tighter or looser than they were, and some lifted. */
function drawLimits(draw: Rng): AmendLimitsForm | undefined {
  if (chance(draw, 0.5)) return undefined;
  const some = <T>(value: T): T | undefined => (chance(draw, 0.4) ? value : undefined);
  const bandBps = some(pick(draw, [0.3, 1, 5]));
  return {
    bandBps,
    maxCatchUp: some(pick(draw, [1, 2, 5])),
    slippageMaxBps: some(pick(draw, [0.2, 0.6, 3])),
    spreadMaxBps: some(pick(draw, [0.2, 0.4])),
    lift: bandBps === undefined && chance(draw, 0.4) ? ['bandBps'] : undefined,
  };
}

function drawLegs(draw: Rng, profile: Size): readonly LegPlan[] {
  const picks: readonly InstrumentPick[] =
    profile === 'cheap' ? ['perpetual', 'spot'] : ['perpetual', 'spot', 'option'];
  const count = chance(draw, 0.7) ? 1 : 2;
  const legs = Array.from({ length: count }, () => drawLeg(draw, pick(draw, picks)));
  if (count === 1 || chance(draw, 0.6)) return legs;
  return legs.map((leg, index) => ({ ...leg, hedge: index === count - 1 }));
}

function drawLeg(draw: Rng, instrument: InstrumentPick): LegPlan {
  const pricing = pick(draw, ['market', 'market', 'limit', 'dynamic', 'dynamic'] as const);
  return {
    instrument,
    side: chance(draw, 0.5) ? 'buy' : 'sell',
    lots: 2 + draw.below(60),
    pricing,
    reference: pick(draw, ['mid', 'bid', 'ask', 'mark'] as const),
    offsetTicks: draw.below(9) - 4,
    everyMs: 200 + 100 * draw.below(12),
    timeInForce:
      pricing === 'market' ? pick(draw, [undefined, undefined, 'ioc', 'fok']) : undefined,
    postOnly: pricing !== 'market' && chance(draw, 0.2),
    hedge: false,
  };
}
