// Checks that an order's price is one that the leg's rule could have produced from the market shown
// while a quote was fresh enough, not from what the engine believed.
import type { EscalationManner, Execution } from '../../../src/core/terms/execution.ts';
import type { LegSpec } from '../../../src/core/terms/spec.ts';
import { type Price, toNumber } from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import { type UnitCase, unitTicks, volatilityPoints } from '../own-books/unit-price.ts';
import type { ShownTouch } from '../world/shown-touch.ts';

export interface PriceCase {
  readonly leg: LegSpec;
  readonly instrument: Instrument;
  readonly price: number;
  /** When it was decided. */
  readonly at: number;
  readonly legIndex: number;
  /** Limit for any order of the leg, as its client requested. */
  readonly worst: Price | undefined;
  /** True after the time is over: priced through the opposite side. */
  readonly isSweep: boolean;
  readonly execution: Execution;
  /** The step of the escalation that the slice had come to; absent without one. */
  readonly manner: EscalationManner | undefined;
  /** The middle of the market when the slice was first priced, where slippage is capped. */
  readonly arrival: Price | undefined;
  /** Quotes shown while they were fresh enough. */
  readonly shown: readonly ShownTouch[];
}

/** Slack for sums of floats, in ticks. */
const SLACK_TICKS = 1e-6;
const BPS = 10_000;
/** The same for what goes through a formula. */
const UNIT_SLACK = 0.01;
const POINTS_SLACK = 1e-3;

/** Why the price is worse than the rule allows; `undefined` when it is not. */
export function checkPriceCase(given: PriceCase): string | undefined {
  const { leg, instrument, isSweep } = given;
  const ticks = given.price / toNumber(instrument.tickSize);
  const isBeyond = (worst: number): boolean =>
    leg.side === 'buy' ? ticks > worst + SLACK_TICKS : ticks < worst - SLACK_TICKS;
  const worst = worstTicks(given);
  if (worst !== undefined && isBeyond(worst)) {
    const rule = isSweep ? 'a marketable price' : (given.manner ?? leg.pricing.type);
    return `${leg.side} at ${ticks} ticks, worse than ${worst} by ${rule}`;
  }
  const most = given.worst && toNumber(given.worst) / toNumber(instrument.tickSize);
  if (most !== undefined && isBeyond(most)) {
    return `${leg.side} at ${ticks} ticks, beyond the worst price of its leg, ${most}`;
  }
  const bound = boundsTicks(given).find(isBeyond);
  if (bound !== undefined) return `${leg.side} at ${ticks} ticks, beyond its bound ${bound}`;
  return isSweep ? undefined : tooWide(given);
}

/** The worst price in ticks; `undefined` where the rule has none. */
function worstTicks(given: PriceCase): number | undefined {
  const { leg, legIndex, isSweep, instrument, execution } = given;
  const own = isSweep ? marketableTicks(given) : ruleTicks(given);
  const would = execution.would?.find((one) => one.leg === legIndex)?.price;
  if (would === undefined || own === undefined || isSweep) return own;
  const [better, worse] = leg.side === 'buy' ? [Math.min, Math.max] : [Math.max, Math.min];
  const taken = toNumber(would) / toNumber(instrument.tickSize);
  return worse(own, better(taken, limitTicks(given) ?? taken));
}

/** The leg's limit, where it has one in the instrument's currency. */
function limitTicks({ leg: { pricing }, instrument }: PriceCase): number | undefined {
  if (pricing.type !== 'limit' || pricing.unit !== 'currency') return undefined;
  return toNumber(pricing.price) / toNumber(instrument.tickSize);
}

function ruleTicks(given: PriceCase): number | undefined {
  const { leg, instrument, manner } = given;
  const { pricing, side } = leg;
  const tick = toNumber(instrument.tickSize);
  const limit = limitTicks(given);
  if (manner !== undefined && manner !== 'cross') {
    const ownSide = side === 'buy' ? 'bid' : 'ask';
    const followed = referenced(given, manner === 'mid' ? 'mid' : ownSide);
    if (limit === undefined) return followed;
    return side === 'buy' ? Math.min(followed, limit) : Math.max(followed, limit);
  }
  if (pricing.type === 'market') return marketableTicks(given);
  if (limit !== undefined) return limit;
  if (pricing.unit !== 'currency') return worstInUnit(given, pricing);
  if (pricing.type === 'limit') return undefined;
  return referenced(given, pricing.reference) + toNumber(pricing.offset) / tick;
}

/** In USD or volatility, by each quote that could be believed. */
function worstInUnit(given: PriceCase, pricing: UnitCase['pricing']): number {
  const { leg, instrument, shown, at } = given;
  const reference = pricing.type === 'dynamic' ? pricing.reference : 'mark';
  const ticks = shown.flatMap((touch) => {
    const references = referenceTicks(touch, reference);
    return unitTicks({ pricing, instrument, at, touch, references });
  });
  if (ticks.length === 0) return Number.NaN;
  // Quotes are some seconds old, in which an option loses a trifle.
  return leg.side === 'buy' ? Math.max(...ticks) + UNIT_SLACK : Math.min(...ticks) - UNIT_SLACK;
}

/** The end of a reference that is worst for the leg; NaN when none was shown. */
function referenced({ leg, shown }: PriceCase, reference: string): number {
  const references = shown.flatMap((touch) => referenceTicks(touch, reference));
  if (references.length === 0) return Number.NaN;
  return leg.side === 'buy' ? Math.max(...references) : Math.min(...references);
}

/** How far from the mark and from where its slice began a price may be, in ticks. */
function boundsTicks({
  leg,
  instrument,
  isSweep,
  execution,
  arrival,
  shown,
}: PriceCase): readonly number[] {
  const isBuy = leg.side === 'buy';
  const away = (from: number, bps: number): number => from * (1 + (isBuy ? bps : -bps) / BPS);
  const { bandBps, slippageMaxBps, endAction, endCapBps, rfq } = execution;
  const marks = shown.map(({ mark }) => mark);
  const mark = isBuy ? Math.max(...marks) : Math.min(...marks);
  // What a Block RFQ leaves may be swept too.
  const sweeps = (endAction === 'rfq' ? rfq?.fallback : endAction) === 'sweep';
  const cap = isSweep && sweeps ? endCapBps : undefined;
  const bounds = [bandBps, cap].flatMap((bps) => (bps === undefined ? [] : away(mark, bps)));
  if (slippageMaxBps !== undefined && arrival !== undefined) {
    bounds.push(away(toNumber(arrival) / toNumber(instrument.tickSize), slippageMaxBps));
  }
  return bounds;
}

/** Something narrow enough must have been shown. */
function tooWide({ execution, shown, instrument, at }: PriceCase): string | undefined {
  const { spreadMaxBps, spreadMaxVol } = execution;
  if (spreadMaxVol !== undefined && instrument.kind === 'option') {
    const points = Math.min(...shown.map((touch) => volatilityPoints(instrument, touch, at)));
    if (points > spreadMaxVol + POINTS_SLACK) {
      return `sent while the market was ${points} points of volatility wide, of ${spreadMaxVol}`;
    }
  }
  if (spreadMaxBps === undefined) return undefined;
  const isNarrow = shown.some(({ bid, ask }) => {
    if (bid === undefined || ask === undefined) return false;
    return ((ask - bid) / ((ask + bid) / 2)) * BPS <= spreadMaxBps + SLACK_TICKS;
  });
  return isNarrow ? undefined : `sent while the market was wider than ${spreadMaxBps} bps`;
}

function marketableTicks({ leg, execution, shown }: PriceCase): number {
  const isBuy = leg.side === 'buy';
  const collar = toNumber(execution.collar);
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
