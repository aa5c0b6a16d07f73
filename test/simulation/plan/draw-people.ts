// Draws the actions of people alongside portfolios: manual orders, Block RFQs, market-maker protection.
import type { Rng } from '../../../src/values/rng.ts';
import { chance, pick } from './pick.ts';
import type { Act, ClientPlan, HandPlan, MmpPlan, RfqPlan, Size } from './plan.ts';

export interface People {
  readonly clients: readonly ClientPlan[];
  readonly hands: readonly HandPlan[];
  readonly rfqs: readonly RfqPlan[];
  readonly mmp: MmpPlan | undefined;
  readonly door: undefined;
  readonly controls: undefined;
  readonly acts: readonly Act[];
}

export interface PeopleFrame {
  readonly profile: Size;
  readonly stormMs: number;
  readonly daemons: number;
}

/** How many of the cheap runs have each kind of people; longer ones have more of everything. */
const CHEAP_SHARE = 0.06;
const FULL_SHARE = 0.35;

export const nobody = (clients: readonly ClientPlan[]): People => ({
  clients,
  hands: [],
  rfqs: [],
  mmp: undefined,
  door: undefined,
  controls: undefined,
  acts: [],
});

export function drawPeople(draw: Rng, clients: readonly ClientPlan[], frame: PeopleFrame): People {
  const share = frame.profile === 'cheap' ? CHEAP_SHARE : FULL_SHARE;
  const hasMmp = chance(draw, share);
  const hasHands = chance(draw, share);
  const hasRfqs = chance(draw, share);
  const { stormMs } = frame;
  const mmp = hasMmp ? drawMmp(draw.split('mmp')) : undefined;
  return {
    clients: mmp === undefined ? clients : clients.map((client) => flagged(client, mmp)),
    hands: hasHands || hasMmp ? drawHands(draw.split('hands'), { stormMs, mmp }) : [],
    rfqs: hasRfqs ? drawRfqs(draw.split('rfqs'), stormMs) : [],
    mmp,
    door: undefined,
    controls: undefined,
    acts: hasMmp ? drawMmpActs(draw.split('mmp-acts'), frame) : [],
  };
}

/** A group protects one index, so all legs are on it; a part of the legs' instruments is lost. */
const flagged = (client: ClientPlan, { instrument }: MmpPlan): ClientPlan => ({
  ...client,
  account: 0,
  isFlagged: true,
  legs: client.legs.slice(0, 1).map((leg) => ({ ...leg, instrument, hedge: false })),
  balance: undefined,
  ...(client.endAction === 'rfq' && { endAction: 'market', options: {} }),
});

function drawMmp(draw: Rng): MmpPlan {
  const plan: MmpPlan = {
    intervalSec: 1 + draw.below(4),
    frozenSec: pick(draw, [0, 1, 1, 2, 3]),
    quantityLimit: pick(draw, ['0.0002', '0.0008', '0.002', '0.005']),
    instrument: 'perpetual',
    hasGreeks: false,
    ...drawDelta(draw.split('delta')),
  };
  const options = draw.split('options');
  return chance(options, 0.5) ? { ...plan, ...drawGreekLimits(options) } : plan;
}

/** Of options: quantity is mostly out of the way, and one limit on a greek or both are in it. */
function drawGreekLimits(draw: Rng): Partial<MmpPlan> {
  const hasVega = chance(draw, 0.7);
  return {
    instrument: 'option',
    hasGreeks: chance(draw, 0.5),
    quantityLimit: pick(draw, ['1', '20', '100', '100']),
    vegaLimit: hasVega ? pick(draw, ['40', '150', '500']) : undefined,
    deltaLimit: !hasVega || chance(draw, 0.3) ? pick(draw, ['0.2', '0.7', '2']) : undefined,
  };
}

/** In half of them net exposure is limited too, mostly below the quantity. */
function drawDelta(draw: Rng): Pick<MmpPlan, 'deltaLimit'> {
  return chance(draw, 0.5) ? { deltaLimit: pick(draw, ['0.0001', '0.0004', '0.001']) } : {};
}

function drawMmpActs(draw: Rng, { stormMs, daemons }: PeopleFrame): readonly Act[] {
  const acts = Array.from({ length: draw.below(4) }, (): Act => {
    const atMs = 500 + draw.below(stormMs - 500);
    const daemon = draw.below(daemons);
    if (chance(draw, 0.75)) return { kind: 'reset_mmp', atMs, daemon };
    return { kind: 'configure_mmp', atMs, daemon, limit: pick(draw, ['0.0003', '0.003']) };
  });
  return acts;
}

function drawHands(
  draw: Rng,
  { stormMs, mmp }: { readonly stormMs: number; readonly mmp: MmpPlan | undefined },
): readonly HandPlan[] {
  return Array.from({ length: 1 + draw.below(4) }, (): HandPlan => {
    const isFlagged = mmp !== undefined && chance(draw, 0.7);
    const edit = { afterMs: 300 + draw.below(1_500), ticks: draw.below(21) - 10 };
    return {
      account: isFlagged ? 0 : draw.below(2),
      atMs: 200 + draw.below(stormMs),
      instrument: isFlagged ? mmp.instrument : pick(draw, ['perpetual', 'spot'] as const),
      side: chance(draw, 0.5) ? 'buy' : 'sell',
      lots: 2 + draw.below(30),
      offsetTicks: draw.below(61) - 30,
      isFlagged,
      edit: chance(draw, 0.4) ? edit : undefined,
      cancelAfterMs: chance(draw, 0.5) ? 400 + draw.below(3_000) : undefined,
    };
  });
}

function drawRfqs(draw: Rng, stormMs: number): readonly RfqPlan[] {
  return Array.from({ length: 1 + draw.below(2) }, () => ({
    // Early, because accepts are refused for some seconds.
    atMs: 200 + draw.below(Math.min(1_500, stormMs - 200)),
    blocks: 1 + draw.below(2),
    quotes: 1 + draw.below(2),
    isDouble: chance(draw, 0.5),
    isEarly: chance(draw, 0.3),
    cancelAfterMs: chance(draw, 0.2) ? 500 + draw.below(3_000) : undefined,
  }));
}
