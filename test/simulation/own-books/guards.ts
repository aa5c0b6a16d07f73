// Whether the guards of a leg let an order through at what the market showed, from below: a guard that certainly does
// is no reason to wait.
import { toNumber } from '../../../src/values/amounts.ts';
import type { Instrument } from '../../../src/values/instrument.ts';
import type { ShownTouch } from '../world/shown-touch.ts';
import type { OwnBook } from './own-book.ts';
import { volatilityPoints } from './unit-price.ts';

/** By the reasons that a waiting slice gives for them. */
export const GUARDS = ['worst_price', 'wide_spread', 'price_band', 'slippage_cap'] as const;
export type Guard = (typeof GUARDS)[number];

/** What keeps an order from being priced, in ticks and basis points; what is absent keeps nothing. */
export interface GuardTerms {
  readonly side: 'buy' | 'sell';
  readonly instrument: Instrument;
  readonly worst: number | undefined;
  readonly spreadMaxBps: number | undefined;
  readonly spreadMaxVol: number | undefined;
  readonly bandBps: number | undefined;
  readonly slippageMaxBps: number | undefined;
  /** The middle of the market when the slice was first priced. */
  readonly arrival: number | undefined;
}

const BPS = 10_000;
/** Of sums of floats, in ticks. */
const SLACK_TICKS = 1e-6;
const POINTS_SLACK = 1e-3;
/** Of a sweep that names no cap (docs/interface.md). */
const END_CAP_BPS = 50;

/** The guards of the leg at this moment; the end action ignores the spread and has a cap of its own. */
export function guardTerms(book: OwnBook, index: number, isSweep: boolean): GuardTerms {
  const { limits } = book.terms;
  const { current, terms } = book.leg(index);
  const { side, instrument } = terms;
  const ticks = (price: number): number => price / toNumber(instrument.tickSize);
  const worst = book.form.legs[index]?.priceOptions.worst;
  const bands = [limits.bandBps, isSweep ? endCap(book) : undefined].filter(
    (bps) => bps !== undefined,
  );
  return {
    side,
    instrument,
    worst: worst && ticks(toNumber(worst)),
    spreadMaxBps: isSweep ? undefined : limits.spreadMaxBps,
    spreadMaxVol: isSweep ? undefined : limits.spreadMaxVol,
    bandBps: bands.length === 0 ? undefined : Math.min(...bands),
    slippageMaxBps: limits.slippageMaxBps,
    arrival: current?.arrival && ticks(current.arrival),
  };
}

/** How far from the mark the end action may go, where it has a cap; the same for what a Block RFQ leaves. */
function endCap({ form: { execution } }: OwnBook): number | undefined {
  const { endAction, rfq, endCapBps = END_CAP_BPS } = execution;
  return (endAction === 'rfq' ? rfq?.fallback : endAction) === 'sweep' ? endCapBps : undefined;
}

/** True when the guard certainly lets an order trade with the book as it was shown, and as users left it. */
export function admits(guard: Guard, touch: ShownTouch, at: number, of: GuardTerms): boolean {
  const best = deepest(touch);
  if (best === undefined) return false;
  const { side, worst, bandBps, slippageMaxBps, arrival } = of;
  const isBuy = side === 'buy';
  const through = isBuy ? best.ask : best.bid;
  const reaches = (bound: number): boolean => (isBuy ? bound >= through : bound <= through);
  // A bound that is computed may come out a trifle short of the tick it means.
  const within = (from: number, bps: number): boolean =>
    reaches(from * (1 + (isBuy ? bps : -bps) / BPS) + (isBuy ? -SLACK_TICKS : SLACK_TICKS));
  switch (guard) {
    case 'worst_price':
      return worst === undefined || reaches(Math.round(worst));
    case 'wide_spread':
      return isNarrow(touch, best, at, of);
    case 'price_band':
      return bandBps === undefined || within(touch.mark, bandBps);
    case 'slippage_cap':
      if (slippageMaxBps === undefined) return true;
      return within(arrival ?? passiveMiddle(touch, isBuy), slippageMaxBps);
  }
}

interface Sides {
  readonly bid: number;
  readonly ask: number;
}

/** What users took from the best level stays taken; absent where a side is not there. */
function deepest({ bid, ask, unit, isDrained }: ShownTouch): Sides | undefined {
  if (bid === undefined || ask === undefined || isDrained) return undefined;
  return { bid: bid - unit, ask: ask + unit };
}

/** Where a slice arrives that has not been priced yet, at worst for it. */
const passiveMiddle = ({ bid = 0, ask = 0, unit }: ShownTouch, isBuy: boolean): number =>
  (bid + ask + (isBuy ? -unit : unit)) / 2;

function isNarrow(touch: ShownTouch, { bid, ask }: Sides, at: number, of: GuardTerms): boolean {
  const { instrument, spreadMaxBps, spreadMaxVol } = of;
  if (spreadMaxBps !== undefined && ((ask - bid) / ((ask + bid) / 2)) * BPS > spreadMaxBps) {
    return false;
  }
  if (spreadMaxVol === undefined || instrument.kind !== 'option') return true;
  return volatilityPoints(instrument, { ...touch, bid, ask }, at) <= spreadMaxVol - POINTS_SLACK;
}
