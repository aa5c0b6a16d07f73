// The strikes of one expiry: a wide, coarse grid when it is listed, finer grids near the money as it
// approaches, each extended as the index moves: once listed, a strike stays until it expires.
import { DAY_MS, earliest, type Instant, later } from '../../../values/instant.ts';
import type { Coin } from '../coins.ts';
import type { IndexProcess } from '../prices/index-process.ts';
import { type Expiry, SERIES, TENORS, type Tenor } from './expiries.ts';

interface Shape {
  /** Distance between strikes as a fraction of the index, before rounding to a round number. */
  readonly spacing: number;
  /** Lowest and highest strike as fractions of the index. */
  readonly lowest: number;
  readonly highest: number;
  /** How often the range is reviewed. */
  readonly reviewMs: number;
}

const SHAPES: Readonly<Record<Tenor, Shape>> = {
  day: { spacing: 0.01, lowest: 0.9, highest: 1.1, reviewMs: DAY_MS },
  week: { spacing: 0.02, lowest: 0.78, highest: 1.24, reviewMs: DAY_MS },
  month: { spacing: 0.04, lowest: 0.6, highest: 1.5, reviewMs: 7 * DAY_MS },
  quarter: { spacing: 0.08, lowest: 0.4, highest: 2, reviewMs: 7 * DAY_MS },
};
const ROUND = [1, 2, 2.5, 5, 10] as const;

/** The number 1, 2, 2.5 or 5 times a power of ten that is nearest to `value` in ratio; at least 1. */
function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const miss = (factor: number): number => Math.abs(Math.log((factor * power) / value));
  const nearest = ROUND.reduce((best, factor) => (miss(factor) < miss(best) ? factor : best));
  return Math.max(1, Math.round(nearest * power));
}

/** Strikes in USD, ascending, of an expiry that is listed at `now`. */
export function strikeLadder(
  of: { readonly coin: Coin; readonly expiry: Expiry },
  index: IndexProcess,
  now: Instant,
): readonly number[] {
  const strikes = new Set<number>();
  const longest = TENORS.indexOf(of.expiry.tenor);
  for (const tenor of TENORS.slice(0, longest + 1)) {
    const from = later(of.expiry.at, -SERIES[tenor].listedForMs);
    const seen = { coin: of.coin, from, until: earliest(now, of.expiry.at) };
    for (const strike of rungs(SHAPES[tenor], seen, index)) strikes.add(strike);
  }
  return [...strikes].sort((a, b) => a - b);
}

/** The strikes of one tenor around every index sampled since `from`; none before that. */
function rungs(
  shape: Shape,
  seen: { readonly coin: Coin; readonly from: Instant; readonly until: Instant },
  index: IndexProcess,
): readonly number[] {
  if (seen.from > seen.until) return [];
  const listed = index.price(seen.coin, seen.from);
  let [low, high] = [listed, listed];
  for (let at = seen.from; at <= seen.until; at = later(at, shape.reviewMs)) {
    const level = index.price(seen.coin, at);
    low = Math.min(low, level);
    high = Math.max(high, level);
  }
  const spacing = roundNumber(listed * shape.spacing);
  const first = Math.max(1, Math.floor((low * shape.lowest) / spacing));
  const last = Math.ceil((high * shape.highest) / spacing);
  return Array.from({ length: last - first + 1 }, (_, number) => (first + number) * spacing);
}
