// Draws portfolios whose residual is requested as a Block RFQ: large enough for a block, at prices that usually
// leave a residual, with amendments and cancels while the RFQ is open.
import type { Rng } from '../../../src/values/rng.ts';
import { chance, pick } from './pick.ts';
import type { ClientChange, ClientPlan, InstrumentPick, LegPlan } from './plan.ts';

/** The least lots of a block, and prices so many ticks away that nothing trades there. */
const BLOCKS = {
  perpetual: { lots: 20_000, away: 2_000 },
  spot: { lots: 5_000, away: 2_000 },
  option: { lots: 250, away: 80 },
} as const satisfies Record<InstrumentPick, { readonly lots: number; readonly away: number }>;

export function drawResidualRfq(draw: Rng, client: ClientPlan): ClientPlan {
  const durationSec = 1 + draw.below(3);
  const waitMs = 6_000 + draw.below(3_500);
  const instrument = pick(draw, ['perpetual', 'perpetual', 'spot', 'option'] as const);
  const leg = drawLeg(draw, instrument);
  const isHedged = instrument !== 'perpetual' && chance(draw, 0.6);
  return {
    ...client,
    account: 0,
    durationSec,
    frequencySec: 1,
    endAction: 'rfq',
    balance: undefined,
    options: {
      rfq: {
        limitBps: pick(draw, [0, 2, 20, 200]),
        collectMs: pick(draw, [0, 3_000, 5_500]),
        waitMs,
        wholeOnly: chance(draw, 0.2),
        fallback: pick(draw, ['cancel', 'market', 'sweep'] as const),
      },
    },
    cancelAtMs: chance(draw, 0.45)
      ? durationSec * 1_000 + draw.below(waitMs)
      : chance(draw, 0.1)
        ? client.cancelAtMs
        : undefined,
    changes: drawChanges(draw, durationSec * 1_000, waitMs),
    legs: isHedged ? [leg, hedgeOf(draw, leg)] : [leg],
  };
}

function drawLeg(draw: Rng, instrument: InstrumentPick): LegPlan {
  const { lots, away } = BLOCKS[instrument];
  const side = chance(draw, 0.5) ? 'buy' : 'sell';
  return {
    instrument,
    side,
    // Some are left with too little for a block.
    lots: chance(draw, 0.1) ? lots - 1 - draw.below(lots / 5) : lots + draw.below(lots / 5),
    pricing: chance(draw, 0.75) ? 'limit' : 'market',
    reference: 'mid',
    offsetTicks: side === 'buy' ? -away : away,
    everyMs: 500,
    timeInForce: undefined,
    postOnly: false,
    hedge: false,
  };
}

const hedgeOf = (draw: Rng, { side }: LegPlan): LegPlan => ({
  instrument: 'perpetual',
  side: side === 'buy' ? 'sell' : 'buy',
  lots: 1_000 + draw.below(4_000),
  pricing: 'market',
  reference: 'mid',
  offsetTicks: 0,
  everyMs: 500,
  timeInForce: undefined,
  postOnly: false,
  hedge: true,
});

function drawChanges(draw: Rng, endMs: number, waitMs: number): readonly ClientChange[] {
  if (chance(draw, 0.6)) return [];
  const atMs = endMs + draw.below(waitMs);
  if (chance(draw, 0.4)) {
    return [{ kind: 'amend', atMs: 600 + draw.below(endMs), durationSec: 2 + draw.below(4) }];
  }
  const pause = { kind: 'pause', atMs } as const;
  const resume = { kind: 'resume', atMs: atMs + 200 + draw.below(2_500) } as const;
  return chance(draw, 0.6) ? [pause, resume] : [pause];
}
