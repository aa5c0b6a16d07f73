// Whether an order's price is one that the leg's rule could have given: judged by what the market showed
// while a quote was fresh enough, not by what the engine believed.
import type { LegSpec } from '../../core/portfolio/spec.ts';
import { toNumber } from '../../values/amounts.ts';
import type { Instrument } from '../../values/instrument.ts';
import type { ShownTouch } from './simulated-market.ts';

export interface PriceCase {
  readonly leg: LegSpec;
  readonly instrument: Instrument;
  readonly price: number;
  /** True after the time is over: priced through the opposite side. */
  readonly isSweep: boolean;
  readonly collar: number;
  /** What was shown while a quote could be believed. */
  readonly shown: readonly ShownTouch[];
}

/** Slack for sums of floats, in ticks. */
const SLACK_TICKS = 1e-6;

/** Why the price is worse than the rule allows; `undefined` when it is not. */
export function judgePrice(given: PriceCase): string | undefined {
  const { leg, instrument, isSweep } = given;
  const worst = worstTicks(given);
  if (worst === undefined) return undefined;
  const ticks = given.price / toNumber(instrument.tickSize);
  const isWorse = leg.side === 'buy' ? ticks > worst + SLACK_TICKS : ticks < worst - SLACK_TICKS;
  if (!isWorse) return undefined;
  const rule = isSweep ? 'a marketable price' : leg.pricing.type;
  return `${leg.side} at ${ticks} ticks, worse than ${worst} by ${rule}`;
}

/** The worst price in ticks; `undefined` where the rule is not judged here (volatilities, dollars). */
function worstTicks(given: PriceCase): number | undefined {
  const { leg, instrument, isSweep } = given;
  const { pricing } = leg;
  const tick = toNumber(instrument.tickSize);
  if (isSweep || pricing.type === 'market') return marketableTicks(given);
  if (pricing.unit !== 'currency') return undefined;
  if (pricing.type === 'limit') return toNumber(pricing.price) / tick;
  const references = given.shown.flatMap((touch) => referenceTicks(touch, pricing.reference));
  if (references.length === 0) return Number.NaN;
  const offset = toNumber(pricing.offset) / tick;
  return leg.side === 'buy' ? Math.max(...references) + offset : Math.min(...references) + offset;
}

function marketableTicks({ leg, collar, shown }: PriceCase): number {
  const isBuy = leg.side === 'buy';
  const touches = shown.flatMap((touch) => deepest(touch, isBuy ? 'ask' : 'bid') ?? []);
  // Nothing to trade against was shown: no price is right.
  if (touches.length === 0) return isBuy ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return isBuy ? Math.max(...touches) * (1 + collar) : Math.min(...touches) * (1 - collar);
}

/** Both ends of what the reference can have been. */
function referenceTicks(touch: ShownTouch, reference: string): readonly number[] {
  const { bid, ask, mark, unit } = touch;
  switch (reference) {
    case 'bid':
      return bid === undefined ? [] : [bid, bid - unit];
    case 'ask':
      return ask === undefined ? [] : [ask, ask + unit];
    case 'mid': {
      if (bid === undefined || ask === undefined) return [];
      const middle = (bid + ask) / 2;
      return [middle - unit / 2, middle + unit / 2];
    }
    default:
      return [mark];
  }
}

function deepest({ bid, ask, unit }: ShownTouch, side: 'bid' | 'ask'): number | undefined {
  if (side === 'bid') return bid === undefined ? undefined : bid - unit;
  return ask === undefined ? undefined : ask + unit;
}
