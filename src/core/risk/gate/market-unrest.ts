// PT-13: nothing is sent into a market that has just jumped, or whose spread is too wide. Jumps are detected from a
// trail of mids, sampled while anything in the instrument is being worked.
import {
  basisPoints,
  distance,
  isMore,
  midpoint,
  type Price,
  scaled,
  text,
} from '../../../values/amounts.ts';
import { type Instant, later } from '../../../values/instant.ts';
import { isCombo } from '../../../values/instrument.ts';
import type { MarketLimits } from './control-limits.ts';
import type { OrderControl } from './gate-order.ts';

export const marketUnrest: OrderControl = ({ instrument, takes }, { limits, quote, unrest }) => {
  const { market } = limits;
  if (market === undefined) return undefined;
  if (unrest !== undefined) return { why: unrest };
  const isPriceSmall = instrument.kind === 'option' || isCombo(instrument);
  if (!takes || isPriceSmall || quote === undefined) return undefined;
  const { bid, ask } = quote;
  if (bid === undefined || ask === undefined) return undefined;
  const spread = distance(bid.price, ask.price);
  const spreadMax = scaled(midpoint(bid.price, ask.price), basisPoints(market.spreadBps));
  if (!isMore(spread, spreadMax)) return undefined;
  return {
    why: `bid and ask of ${instrument.name} are ${text(spread)} apart, more than ${text(spreadMax)}`,
    limit: text(spreadMax),
    input: text(spread),
  };
};

interface Sample {
  readonly at: Instant;
  readonly middle: Price;
}

/** Until when not to trade in a market, and why. */
export interface Unrest {
  readonly until: Instant;
  readonly why: string;
}

/** Recent mids of one market, and the latest unrest in it. */
export interface MarketTrail {
  readonly samples: readonly Sample[];
  readonly unrest?: Unrest | undefined;
}

export const NO_TRAIL: MarketTrail = { samples: [] };

/** The trail with one more sample of the market. */
export function withSample(trail: MarketTrail, sample: Sample, limits: MarketLimits): MarketTrail {
  const { at, middle } = sample;
  const samples = trail.samples.filter((one) => one.at >= later(at, -limits.windowMs));
  const jumpedFrom = samples.find((one) => isJump(one.middle, middle, limits));
  const unrest =
    jumpedFrom === undefined
      ? trail.unrest
      : {
          until: later(at, limits.restMs),
          why: `the middle went from ${text(jumpedFrom.middle)} to ${text(middle)} within ${at - jumpedFrom.at} ms`,
        };
  return { samples: [...samples, sample], unrest };
}

/** The unrest of the market at `now`, if there is any. */
export const unrestAt = (
  { unrest }: Pick<MarketTrail, 'unrest'>,
  now: Instant,
): Unrest | undefined => (unrest !== undefined && now < unrest.until ? unrest : undefined);

function isJump(from: Price, to: Price, { jumpBps }: MarketLimits): boolean {
  const move = to.gt(from) ? distance(from, to) : distance(to, from);
  return isMore(move, scaled(from, basisPoints(jumpBps)));
}
