// Computes leg prices that add up to the price of the structure, as near as possible to given prices: on
// tick, inside each leg's band, and moving as few legs as possible.
//
// Source: the venue and its block brokers move one leg, preferring ratio 1 and among those the most
// expensive, and a second one if the remainder does not divide.
import { type Price, toNumber } from '../../values/amounts.ts';
import { signOf } from '../../values/instrument.ts';
import type { Reference } from '../model/market-view.ts';
import { gcdOf, type StructureLeg, structureTicks } from './structure-leg.ts';

/** In the leg's ticks; both ends are included. */
export interface TickRange {
  readonly low: number;
  readonly high: number;
}

/** Far above any market, and small enough for sums to stay exact. */
const TICKS_MAX = 1_000_000_000;
/** The maximum number of steps of a second leg that are tried for a remainder the first cannot absorb. */
const TRIED_MAX = 10_000;

/** The prices at which a leg may trade: above zero, and inside the band if there is one. */
export function legRange(
  leg: Pick<StructureLeg, 'tick'>,
  { reference }: { readonly reference?: Reference | undefined },
): TickRange {
  const { minPrice, maxPrice } = reference ?? {};
  const ticks = (limit: Price): number => limit.div(leg.tick).toNumber();
  return {
    low: Math.max(1, minPrice === undefined ? 1 : Math.ceil(ticks(minPrice))),
    high: Math.min(TICKS_MAX, maxPrice === undefined ? TICKS_MAX : Math.floor(ticks(maxPrice))),
  };
}

interface Fit {
  readonly legs: readonly StructureLeg[];
  /** The prices to start from. */
  readonly from: readonly number[];
  readonly ranges: readonly TickRange[];
  /** The price of the structure. */
  readonly target: number;
}

/** `undefined` if no prices within the ranges add up to the target. */
export function fittedLegs(fit: Fit): readonly number[] | undefined {
  const { legs, ranges, target } = fit;
  const ticks = fit.from.map((at, leg) => clamped(at, ranges[leg] as TickRange));
  const rest = (): number => target - structureTicks(legs, ticks);
  if (rest() === 0) return ticks;
  const order = preferred(fit);
  for (const leg of order) {
    const moved = movedWhole(fit, ticks, { leg, by: rest() });
    if (moved !== undefined) return moved;
  }
  for (const leg of order) {
    const { side, step } = legs[leg] as StructureLeg;
    const at = ticks[leg] as number;
    ticks[leg] = clamped(at + Math.trunc(rest() / step) * signOf(side), ranges[leg] as TickRange);
  }
  return rest() === 0 ? ticks : movedPair(fit, ticks, order);
}

const clamped = (at: number, { low, high }: TickRange): number => Math.min(high, Math.max(low, at));

/** The legs in the order in which they are moved. */
function preferred({ legs, from }: Fit): readonly number[] {
  const worth = (leg: number): number =>
    (from[leg] ?? 0) * toNumber((legs[leg] as StructureLeg).tick);
  const awkward = (leg: number): number => {
    const ratio = toNumber((legs[leg] as StructureLeg).ratio);
    return ratio === 1 ? 0 : ratio;
  };
  return legs.map((_, leg) => leg).sort((a, b) => awkward(a) - awkward(b) || worth(b) - worth(a));
}

interface Move {
  readonly leg: number;
  /** In the structure's resolution. */
  readonly by: number;
}

function movedWhole(
  { legs, ranges }: Fit,
  ticks: readonly number[],
  { leg, by }: Move,
): number[] | undefined {
  const { side, step } = legs[leg] as StructureLeg;
  if (by % step !== 0) return undefined;
  const moved = (ticks[leg] as number) + (by / step) * signOf(side);
  const { low, high } = ranges[leg] as TickRange;
  return moved < low || moved > high ? undefined : ticks.with(leg, moved);
}

/** Absorbs a small remainder that only two legs together can take. */
function movedPair(
  fit: Fit,
  ticks: readonly number[],
  order: readonly number[],
): number[] | undefined {
  for (const other of order) {
    for (const leg of order) {
      if (leg === other) continue;
      const moved = movedBoth(fit, ticks, { leg, other });
      if (moved !== undefined) return moved;
    }
  }
  return undefined;
}

function movedBoth(
  fit: Fit,
  ticks: readonly number[],
  { leg, other }: { readonly leg: number; readonly other: number },
): number[] | undefined {
  const { legs, ranges, target } = fit;
  const { low, high } = ranges[other] as TickRange;
  const tries = triesOf(legs[leg] as StructureLeg, legs[other] as StructureLeg);
  for (let times = 1; times <= tries; times += 1) {
    for (const by of [times, -times]) {
      const at = (ticks[other] as number) + by;
      if (at < low || at > high) continue;
      const tried = ticks.with(other, at);
      const left = target - structureTicks(legs, tried);
      const moved = movedWhole(fit, tried, { leg, by: left });
      if (moved !== undefined) return moved;
    }
  }
  return undefined;
}

/** After this many steps of the other leg the remainders repeat. */
const triesOf = (leg: StructureLeg, other: StructureLeg): number =>
  Math.min(TRIED_MAX, leg.step / gcdOf([leg.step, other.step]));
