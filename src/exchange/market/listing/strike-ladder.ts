// The strikes of one expiry: when it enters a series, a fine grid near the money inside coarser and wider ones, finer for
// the series that end sooner, and each extended as the index moves: once listed, a strike stays until it expires.
//
// Source: spacings and ranges by days to expiry of 319 recorded chains of Deribit, 30 December 2025 to 21 March 2026, with
// BTC between 62 000 and 97 000 USD and ETH between 1 800 and 3 400.
import { listedAs, TENORS, type Tenor } from '../../../values/expiry/expiry-calendar.ts';
import { DAY_MS, earliest, type Instant, later } from '../../../values/instant.ts';
import type { Coin } from '../coins.ts';
import type { IndexProcess } from '../prices/index-process.ts';
import type { Expiry } from './expiries.ts';

interface Ring {
  /** Distance between strikes as a fraction of the index, before rounding to a round number. */
  readonly spacing: number;
  /** Lowest and highest strike as fractions of the index. */
  readonly lowest: number;
  readonly highest: number;
}

interface Shape {
  readonly rings: readonly Ring[];
  /** How often the range is reviewed. */
  readonly reviewMs: number;
}

const SHAPES: Readonly<Record<Tenor, Shape>> = {
  day: {
    rings: [
      { spacing: 0.008, lowest: 0.97, highest: 1.03 },
      { spacing: 0.016, lowest: 0.92, highest: 1.085 },
    ],
    reviewMs: DAY_MS,
  },
  week: {
    rings: [
      { spacing: 0.0125, lowest: 0.96, highest: 1.04 },
      { spacing: 0.025, lowest: 0.9, highest: 1.1 },
      { spacing: 0.05, lowest: 0.84, highest: 1.18 },
    ],
    reviewMs: DAY_MS,
  },
  month: {
    rings: [
      { spacing: 0.016, lowest: 0.94, highest: 1.06 },
      { spacing: 0.025, lowest: 0.86, highest: 1.15 },
      { spacing: 0.055, lowest: 0.68, highest: 1.45 },
      { spacing: 0.11, lowest: 0.6, highest: 1.7 },
    ],
    reviewMs: 7 * DAY_MS,
  },
  quarter: {
    rings: [
      { spacing: 0.03, lowest: 0.92, highest: 1.08 },
      { spacing: 0.07, lowest: 0.7, highest: 1.4 },
      { spacing: 0.11, lowest: 0.45, highest: 1.9 },
      { spacing: 0.22, lowest: 0.35, highest: 3 },
    ],
    reviewMs: 7 * DAY_MS,
  },
};
/** ETH moves more than BTC, and its strikes are spaced wider. */
const SPREAD: Readonly<Record<Coin, { readonly spacing: number; readonly range: number }>> = {
  BTC: { spacing: 1, range: 1 },
  ETH: { spacing: 1.6, range: 1.15 },
};
const ROUND = [1, 2, 5, 10] as const;
/** Between 10 and 100 the venue has strikes 25 apart, and none at 20. */
const ROUND_TENS = [1, 2.5, 5, 10] as const;

/** The number 1, 2 or 5 times a power of ten that is nearest to `value` in ratio; at least 1. */
function roundNumber(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factors: readonly number[] = power === 10 ? ROUND_TENS : ROUND;
  const miss = (factor: number): number => Math.abs(Math.log((factor * power) / value));
  const nearest = factors.reduce((best, factor) => (miss(factor) < miss(best) ? factor : best));
  return Math.max(1, Math.round(nearest * power));
}

/** Strikes in USD, ascending, of an expiry that is listed at `now`. */
export function strikeLadder(
  of: { readonly coin: Coin; readonly expiry: Expiry },
  index: Pick<IndexProcess, 'price'>,
  now: Instant,
): readonly number[] {
  const { coin, expiry } = of;
  const strikes = new Set<number>();
  const longest = TENORS.indexOf(expiry.tenor);
  for (const tenor of TENORS.slice(0, longest + 1)) {
    const { rings, reviewMs } = SHAPES[tenor];
    const seen = { from: listedAs(expiry.at, tenor), until: earliest(now, expiry.at), reviewMs };
    const levels = levelsOf(coin, seen, index);
    if (levels === undefined) continue;
    for (const ring of rings) for (const strike of rungs(coin, ring, levels)) strikes.add(strike);
  }
  return [...strikes].sort((a, b) => a - b);
}

interface Levels {
  readonly listed: number;
  readonly low: number;
  readonly high: number;
}

/** The index at the reviews since the listing; `undefined` before that. */
function levelsOf(
  coin: Coin,
  seen: { readonly from: Instant; readonly until: Instant; readonly reviewMs: number },
  index: Pick<IndexProcess, 'price'>,
): Levels | undefined {
  if (seen.from > seen.until) return undefined;
  const listed = index.price(coin, seen.from);
  let [low, high] = [listed, listed];
  for (let at = seen.from; at <= seen.until; at = later(at, seen.reviewMs)) {
    const level = index.price(coin, at);
    low = Math.min(low, level);
    high = Math.max(high, level);
  }
  return { listed, low, high };
}

/** The strikes of one ring around every level. */
function rungs(coin: Coin, ring: Ring, { listed, low, high }: Levels): readonly number[] {
  const spread = SPREAD[coin];
  const spacing = roundNumber(listed * ring.spacing * spread.spacing);
  const lowest = ring.lowest ** spread.range;
  const highest = ring.highest ** spread.range;
  const first = Math.max(1, Math.floor((low * lowest) / spacing));
  const last = Math.ceil((high * highest) / spacing);
  return Array.from({ length: last - first + 1 }, (_, number) => (first + number) * spacing);
}
