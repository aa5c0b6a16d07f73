// Width and depth of option books by expiry and moneyness, based on recorded chains.
import { DAYS_PER_YEAR } from '../../../quant/year-fraction.ts';
import { toNumber } from '../../../values/amounts.ts';
import type { Instrument } from '../../../values/instrument.ts';
import type { Coin } from '../coins.ts';
import type { Valuation } from '../prices/marks.ts';
import {
  alarmWidth,
  livelinessAt,
  type Mood,
  pulledAt,
  sizeFactor,
  widthFactor,
} from '../prices/mood.ts';
import type { Liquidity } from './liquidity.ts';

interface OptionMarket {
  /** Width in volatility points: `steady + hurried / √days`. */
  readonly steady: number;
  readonly hurried: number;
  /** Extra width of deep in-the-money options, in coins, and its growth with √years. */
  readonly deep: number;
  readonly deepLong: number;
  /** Coins at the best price near the money. */
  readonly size: number;
  /** Median size of a taker, in coins. */
  readonly takerSize: number;
}

/**
 * Widths: 160 recorded chains of 2026 Q1, every second one, 240 000 quoted options. Median width of BTC with
 * a delta of 0.25 to 0.75: 0.0010 coin up to four months (3.6 volatility points at two days, 1.3 at three
 * weeks, 0.8 at two months), 0.0025 beyond; for deltas below 0.1 2 to 3 of the small ticks; in the money
 * 0.0025 to 0.0085 and more. ETH a third wider, in the money up to twice. 30 to 90 percent of options with a
 * delta below 0.02 have no bid. Sizes: 11 Deribit books of July 2021, 1 to 11 BTC at the best price near the
 * money and 14 to 150 in the wings. Takers: 984 BTC options turned over 5 546 BTC on 14 January 2024, the
 * busiest tenth of them 14 BTC each or more, most of them nothing.
 */
const OPTION_MARKETS: Readonly<Record<Coin, OptionMarket>> = {
  BTC: { steady: 0.55, hurried: 3.6, deep: 0.006, deepLong: 0.02, size: 5, takerSize: 1 },
  ETH: { steady: 0.8, hurried: 4.6, deep: 0.009, deepLong: 0.04, size: 60, takerSize: 10 },
};

/** The delta at which liquidity of in-the-money options starts to decline. */
const DEEP_DELTA = 0.6;
/** The maximum half-width, in coins; recorded quotes a year out were wider. */
const HALF_WIDTH_MAX = 0.02;
/** Slightly more than half a small tick: the narrowest market. */
const HALF_WIDTH_MIN_TICKS = 0.6;
const DEPTHS = [1, 2.2, 4, 7] as const;
/** As multiples of the best level's size. */
const SIZES = [1, 1.3, 1.8, 2.5, 3.5] as const;
/** What makers sell before they lean by 3/4, as a multiple of the best level's size. */
const CAPACITY = 5;
/** As a fraction of the half-width. */
const LEAN = 0.6;
/** Near the money and up to a month; lower elsewhere. */
export const OPTION_TAKERS_PER_SECOND_MAX = 0.02;
export const OPTION_TAKER_SPREAD = 1.4;
const FAR_DAYS = 30;

/** Sizes are smaller near the money than in the wings; trading declines with the distance from the money. */
export function optionLiquidity(instrument: Instrument, at: Valuation, mood: Mood): Liquidity {
  const market = OPTION_MARKETS[String(instrument.base) as Coin];
  const delta = Math.abs(at.option?.greeks.delta ?? 0);
  const halfSpread = halfWidth(instrument, { at, mood, market });
  const interest = 1 - Math.abs(2 * delta - 1);
  const best = market.size * wingFactor(delta) * sizeFactor(mood);
  const near = Math.min(1, Math.sqrt(FAR_DAYS / Math.max(1, daysLeft(at))));
  return {
    halfSpread,
    depths: DEPTHS.map((times) => times * halfSpread),
    sizes: SIZES.map((times) => times * best),
    pulled: pulledAt(mood.alarm),
    capacity: CAPACITY * best,
    leanMax: LEAN * halfSpread,
    liveliness: livelinessAt(mood) * near * (0.05 + 0.95 * interest),
    takerSize: market.takerSize,
    takerReach: 2 * halfSpread,
  };
}

const daysLeft = ({ option }: Valuation): number => (option?.years ?? 0) * DAYS_PER_YEAR;

/** Out-of-the-money options are cheap and quoted for the same money, so in larger amounts. */
const wingFactor = (delta: number): number =>
  delta >= 0.25 ? 1 : 1 + 13 * ((0.25 - delta) / 0.25) ** 2;

function halfWidth(
  instrument: Instrument,
  of: { readonly at: Valuation; readonly mood: Mood; readonly market: OptionMarket },
): number {
  const { at, mood, market } = of;
  const { option } = at;
  const tick = toNumber(instrument.tickSize);
  if (option === undefined) return HALF_WIDTH_MIN_TICKS * tick;
  const delta = Math.abs(option.greeks.delta);
  const vega = option.greeks.vega / option.underlying;
  const points = market.steady + market.hurried / Math.sqrt(Math.max(0.25, daysLeft(at)));
  const deep = Math.max(0, (delta - DEEP_DELTA) / (1 - DEEP_DELTA));
  const forDepth = deep * (market.deep + market.deepLong * Math.sqrt(option.years));
  const width = points * vega * widthFactor(mood.pace) + forDepth;
  // Rounding both sides away from each other widens a market by about one step.
  const step = stepAt(instrument, at.fair);
  const hedging = delta * alarmWidth(mood);
  const half = Math.max(HALF_WIDTH_MIN_TICKS * tick, (width - step) / 2) + hedging;
  return Math.min(HALF_WIDTH_MAX, half);
}

function stepAt({ tickSize, tickSteps }: Instrument, price: number): number {
  let step = toNumber(tickSize);
  for (const { above, tickSize: wider } of tickSteps) {
    if (price > toNumber(above)) step = toNumber(wider);
  }
  return step;
}
