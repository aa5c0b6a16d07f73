// The parameters of the paper market: how prices move, how books are quoted, how takers arrive, each with the recordings it
// was fitted to and those it was checked against, or marked as chosen. `npm run calibrate` prints the ratios of the
// statistics. What is not here is arithmetic or how far something is remembered. The calendar, strikes, fees and margins are
// rules of contracts, in ../model/instruments/contract-rules.ts.
import { BTC_SMILE, ETH_SMILE } from '../../quant/smile.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../values/instant.ts';
import type { SingleKind } from '../../values/instrument.ts';
import type { ByTerm, Coin, CoinTraits } from './coins.ts';
import type { SizeSpread } from './liquidity/liquidity.ts';
import type { Regime } from './regimes.ts';

/** Annual volatilities from the recorded indexes of 2026 Q1, sampled four times a day: 0.52 and 0.70. */
export const TRAITS: Readonly<Record<Coin, CoinTraits>> = {
  BTC: {
    volatility: 0.52,
    jumpScale: 1,
    basisPerYear: 0.045,
    smile: BTC_SMILE,
    fear: { short: 4.5, middle: 1.3, long: 0.2 },
    startPrice: 90_000,
  },
  ETH: {
    volatility: 0.7,
    jumpScale: 1.3,
    basisPerYear: 0.04,
    smile: ETH_SMILE,
    fear: { short: 2.6, middle: 0.55, long: 0.08 },
    startPrice: 3_000,
  },
};

/** Correlation of the moves of the two indexes; 0.90 in the recordings of 2026 Q1. */
export const CORRELATION = 0.9;

/** The market's start prices unless the settings say otherwise, USD per coin. */
export const START_PRICES: Readonly<Record<Coin, number>> = {
  BTC: TRAITS.BTC.startPrice,
  ETH: TRAITS.ETH.startPrice,
};

/**
 * Variance of the indexes relative to the usual. Their annual volatility in the normal regime is that of the recorded
 * indexes of 2026 Q1; the others are choices of ours, at about half, 1.7 times and three times that.
 */
export const REGIME_VARIANCE: Readonly<Record<Regime, number>> = {
  calm: 0.3,
  normal: 1,
  busy: 3,
  stressed: 10,
};

/**
 * How variance is spread over time (`prices/variance-cascade.ts`). `spread` and `fineSpread`: the standard deviation of the log ratio
 * of the variances of two halves of a span, in spans above nine hours and from there down to a minute. Six-hour moves of the
 * recorded indexes of 2026 Q1 had a kurtosis of 6, and the neighbours of a large square were twice the mean. The finer one is
 * fitted to the median range of a minute of the perpetuals, which would be too small with more. Within a minute variance
 * follows the bursts of {@link PRICE_CHANGES}, to this power: fitted to the autocorrelation of absolute returns of one second, 0.05
 * in six minutes of Binance's coin-margined BTC perpetual (8 August 2024), −0.01 to 0.20 in the other perpetuals.
 */
export const VARIANCE_CASCADE = {
  spread: 0.65,
  fineSpread: 0.1,
  burstPower: 1.3,
  longestMs: 32 * DAY_MS,
  quickMs: MINUTE_MS,
  shortestMs: 2 * SECOND_MS,
} as const;

/** Jumps of the indexes (`prices/jumps.ts`): about two a day, half reversed within half a day. Chosen. */
export const JUMPS = {
  chancePerHour: 0.08,
  /** Standard deviation, a fraction of the price. */
  size: 0.004,
  halfLifeMs: DAY_MS / 2,
} as const;

/** Noise of an index between its changes, fractions of the price. Chosen. */
export const INDEX_NOISE = { periodMs: 1_500, deviation: 0.00003 } as const;

/**
 * Changes of prices per second of a market as busy as usual, and the strength of their bursts of seconds and of minutes (of the
 * logarithm). Fitted to the share of seconds in which the mid price stays: 0.68 and 0.50 in six minutes of the coin-margined
 * BTC and ETH perpetuals of Binance (8 August 2024). Held against Deribit's BTC perpetual (1 November 2019, 0.88) and the
 * dollar-margined perpetuals of Binance (BTC 5 April 2023, 0.74, and 8 August 2024, 0.46; ETH 8 August 2024, 0.36).
 */
export const PRICE_CHANGES = {
  perSecond: 0.225,
  burst: 0.8,
  swell: 0.95,
  burstMs: 4 * SECOND_MS,
  swellMs: 40 * SECOND_MS,
  /** Indexes, perpetuals and spot: the longest still time. */
  quick: { share: 1, stillMs: 8 * SECOND_MS },
  /** Options and dated futures: the share of those changes at which they are revised. Chosen. */
  slow: { share: 0.3, stillMs: 16 * SECOND_MS },
} as const;

/**
 * Clusters of takers (`liquidity/takers.ts`): the average number of followers of each arrival and their timing. Fitted to
 * six minutes of coin-margined perpetuals of Binance (8 August 2024): counts of prints per second had 68 (BTC) and 20 (ETH)
 * times the variance of independent arrivals, counts per minute 207 and 38 times; here it is 26 and 48. Sides of consecutive
 * prints correlated by 0.86 and 0.78. Held against the dollar-margined perpetuals: sides 0.76 and 0.83.
 */
export const TAKER_CLUSTERS = {
  followers: 0.943,
  quickShare: 0.95,
  quickMs: 25,
  slowMs: 7_000,
  /** The maximum number of followers of an initial arrival, and of any one arrival. */
  clusterMax: 96,
  followersMax: 6,
  /** Arrivals of a cluster on average, within these bounds. */
  clusterMean: 10.8,
  firstMax: 64,
  moodMs: 150 * SECOND_MS,
  mood: 0.25,
  /** Sizes beyond this many standard deviations are clamped to it. */
  sizeDeviationsMax: 2.6,
} as const;

/**
 * Moves of implied volatility that are independent of the index (`prices/surface.ts`): standard deviations of its
 * logarithm, and the share of the market's variance that it takes on. Fitted to 314 six-hour spans of the option chains of
 * 2026 Q1; half of the recorded skews were within `lean` of their median and moved with the index.
 */
export const SURFACE = {
  hours: 0.01,
  weeks: 0.09,
  short: 0.04,
  restless: { short: 0.18, middle: 0.07, long: 0.02 } satisfies ByTerm as ByTerm,
  lean: 0.08,
  leanPerMove: 0.6,
  curvature: 0.08,
} as const;

/**
 * The makers' own opinion of the fair value, in books that have a `sway`: its period, and how much its swings vary over minutes
 * (of the logarithm). Fitted to the still seconds of the ETH perpetual and of spot, and to the autocorrelation of returns of
 * one second of Gemini's ETH-USD (1 July 2021: 0.06 in its first half, 0.11 in its second).
 */
export const SWAY = { periodMs: 8 * SECOND_MS, swell: 0.75 } as const;

/**
 * Premiums over the index (`prices/premium.ts`), as fractions: the mark price of a recorded BTC perpetual of January 2024 was 2
 * basis points above the index; that of USDC is chosen. `quick` of perpetuals and spot is fitted to the range of a minute in
 * the recordings of their books, which the index alone, with the volatility of 2026 Q1, does not reach.
 */
export const PREMIUMS = {
  perpetual: { bias: 0.00005, tide: 0.00018, slow: 0.0001, quick: 0.00016 },
  future: { slow: 0.0002, quick: 0.00002 },
  spot: { slow: 0, quick: 0.0002 },
  /** Of USDC over a dollar, over hours and minutes. */
  usdc: { tide: 0.00012, slow: 0.00003, quick: 0 },
} as const;

/** Periods of the premium of a perpetual over its index (`prices/premium.ts`). Chosen. */
export const PREMIUM_PERIODS = {
  tideMs: 6 * HOUR_MS,
  slowMs: 900 * SECOND_MS,
  quickMs: 20 * SECOND_MS,
  averageMs: 30 * SECOND_MS,
} as const;

/**
 * Books of options (`liquidity/option-liquidity.ts`), besides their widths: levels behind the best as multiples of its width
 * and size, and takers. Eleven recorded books of Deribit (July 2021) and the turnover of one day; nothing is left to hold
 * them against.
 */
export const OPTION_BOOKS = {
  depths: [1, 2.2, 4, 7],
  sizes: [1, 1.3, 1.8, 2.5, 3.5],
  touchSpread: { below: 0.6, above: 0.6 },
  /** What makers sell before they lean by 3/4, as a multiple of the best level's size. */
  capacity: 5,
  /** As a fraction of the half-width. */
  lean: 0.6,
  /** Near the money and up to a month; lower elsewhere. */
  takersPerSecondMax: 0.02,
  takerSpread: { below: 1.4, above: 1.4 },
  sameSide: 0.88,
} as const;

export interface CoinMarket {
  /** Fractions of the price, midway between a calm and a wild market. */
  readonly halfSpread: number;
  /** Standard deviation of the logarithm of the width. */
  readonly widthSpread: number;
  /** Standard deviation of the makers' own opinion of the fair value, a fraction of the price. */
  readonly sway: number;
  /** Of the logarithm of the size at the best price. */
  readonly touchSpread: SizeSpread;
  readonly depths: readonly number[];
  /** USD: the best level, then one for each of `depths`. */
  readonly sizes: readonly number[];
  /** Takers per second at maximum activity, which is twice the usual. */
  readonly takersPerSecondMax: number;
  /** Median, USD. */
  readonly takerSize: number;
  /** Of the logarithm of a taker's size. */
  readonly takerSpread: SizeSpread;
  /** The share of takers that trade on the side of the one they follow. */
  readonly sameSide: number;
  readonly takerReach: number;
  /** USD bought from the makers recently at which they lean by 3/4 of `leanMax`. */
  readonly capacity: number;
  readonly leanMax: number;
}

const BP = 0.0001;
const basisPoints = (...values: number[]): readonly number[] => values.map((value) => value * BP);
const thousands = (...values: number[]): readonly number[] => values.map((value) => value * 1_000);

/**
 * Perpetuals, fitted to six minutes of the coin-margined BTC and ETH perpetuals of Binance (8 August 2024): one tick wide;
 * quartiles at the best price 50, 126 and 198 thousand USD in BTC and 8.5, 23 and 40 in ETH; within 1, 2, 4 and 8 basis
 * points 140, 380, 1 000 and 3 500 thousand USD per side in BTC and 25, 87, 550 and 1 900 in ETH; 399 and 302 prints a
 * minute with quartiles of 100, 400, 2 500 and 50, 400, 1 110 USD. Widths and still seconds are checked against half an hour
 * of Deribit's BTC perpetual (1 November 2019), sizes against the dollar-margined perpetuals of Binance, which trade four
 * to ten times as often.
 */
const BTC_PERPETUAL: CoinMarket = {
  halfSpread: 0.004 * BP,
  widthSpread: 0,
  sway: 0,
  touchSpread: { below: 1.4, above: 0.68 },
  depths: basisPoints(0.25, 0.5, 1, 2, 3.5, 6, 10),
  sizes: thousands(125, 40, 60, 110, 250, 450, 1_200, 2_500),
  takersPerSecondMax: 14.5,
  takerSize: 420,
  takerSpread: { below: 2.2, above: 2.2 },
  sameSide: 0.99,
  takerReach: 4 * BP,
  capacity: 1_600_000,
  leanMax: 1.2 * BP,
};
const ETH_PERPETUAL: CoinMarket = {
  halfSpread: 0.01 * BP,
  widthSpread: 0,
  sway: 0.1 * BP,
  touchSpread: { below: 1.5, above: 0.79 },
  depths: basisPoints(0.35, 0.7, 1.3, 2, 3.5, 6, 10),
  sizes: thousands(23, 4, 6, 12, 45, 300, 600, 1_300),
  takersPerSecondMax: 10.5,
  takerSize: 300,
  takerSpread: { below: 2.9, above: 1.8 },
  sameSide: 0.99,
  takerReach: 5 * BP,
  capacity: 500_000,
  leanMax: 1.5 * BP,
};

/** Dated futures. No recorded book available: a choice of ours, a third of the perpetual's size or less. */
const BTC_FUTURE: CoinMarket = {
  halfSpread: 0.35 * BP,
  widthSpread: 0,
  sway: 0,
  touchSpread: { below: 1, above: 0.7 },
  depths: basisPoints(0.5, 1, 2, 4, 8),
  sizes: thousands(10, 20, 40, 60, 120, 250),
  takersPerSecondMax: 0.7,
  takerSize: 500,
  takerSpread: { below: 2, above: 2 },
  sameSide: 0.95,
  takerReach: 5 * BP,
  capacity: 160_000,
  leanMax: 0.4 * BP,
};
const ETH_FUTURE: CoinMarket = {
  ...BTC_FUTURE,
  halfSpread: 0.6 * BP,
  sizes: thousands(5, 10, 20, 30, 60, 120),
  takerSize: 350,
  capacity: 80_000,
};

/**
 * Spot against USDC, a small book compared with the large ones. ETH is fitted to every second stretch of six minutes of a day of
 * Gemini's ETH-USD (1 July 2021) and checked against those between: width 3.0, 4.7 and 7.0 basis points by quartile, 424, 614 and
 * 1 690 USD at the best price, 17.7 prints a minute of 97, 421 and 1 430 USD. BTC: prints fitted to the first half of an hour of
 * Coinbase's BTC-USD (5 September 2023) and checked against the second: 90 a minute of 20, 95 and 500 USD, next to no
 * persistence of sides; for its book there is no recording of a venue of that size, so it is a choice of ours. Sizes of ETH behind
 * the best price are not recorded. The halves of Gemini's day differ: 12.8 and 22.2 prints a minute, of which ours are within a
 * factor of 1.5, and 3 740 and 1 360 USD in the larger quartile of the best price, because somebody showed 20 thousand until
 * three o'clock; ours is that of the whole day.
 */
const ETH_SPOT: CoinMarket = {
  halfSpread: 2.8 * BP,
  widthSpread: 0.65,
  sway: 1.4 * BP,
  touchSpread: { below: 0.72, above: 1.64 },
  depths: basisPoints(0.8, 2, 4, 8, 20),
  sizes: thousands(0.5, 5, 15, 30, 50, 60),
  takersPerSecondMax: 0.52,
  takerSize: 238,
  takerSpread: { below: 1.75, above: 2.3 },
  sameSide: 0.93,
  takerReach: 8 * BP,
  capacity: 20_000,
  leanMax: 1.5 * BP,
};
const BTC_SPOT: CoinMarket = {
  ...ETH_SPOT,
  halfSpread: 1.1 * BP,
  widthSpread: 0.4,
  sway: 0.1 * BP,
  touchSpread: { below: 1, above: 1 },
  depths: basisPoints(0.4, 1, 2, 4, 16),
  sizes: thousands(2.5, 5, 12, 30, 70, 140),
  takersPerSecondMax: 3.5,
  takerSize: 95,
  takerSpread: { below: 2.4, above: 2.3 },
  sameSide: 0.57,
  takerReach: 5 * BP,
  capacity: 100_000,
  leanMax: 0.8 * BP,
};

export const COIN_MARKETS: Readonly<
  Record<Exclude<SingleKind, 'option'>, Readonly<Record<Coin, CoinMarket>>>
> = {
  perpetual: { BTC: BTC_PERPETUAL, ETH: ETH_PERPETUAL },
  future: { BTC: BTC_FUTURE, ETH: ETH_FUTURE },
  spot: { BTC: BTC_SPOT, ETH: ETH_SPOT },
};

export interface OptionMarket {
  /** Median widths in ten-thousandths of a coin, a row for each of {@link WIDTH_DAYS}, a column for each of {@link WIDTH_DELTAS}. */
  readonly widths: readonly (readonly number[])[];
  /** Coins at the best price near the money. */
  readonly size: number;
  /** Median size of a taker, in coins. */
  readonly takerSize: number;
}

/** Days to expiry and absolute deltas at which widths of options are given. */
export const WIDTH_DAYS = [0.5, 1.5, 3, 6, 11, 22, 45, 90, 155, 260] as const;
export const WIDTH_DELTAS = [
  0.02, 0.045, 0.08, 0.15, 0.27, 0.42, 0.57, 0.72, 0.85, 0.935, 0.985,
] as const;

/**
 * Widths: fitted to the option chains of every second day from 1 January to 22 March 2026, 160 snapshots; checked against
 * those of the days between; BTC at three days and 0.85 was lowered from 165, which is out of line with its neighbours,
 * and BTC at 1.5 days and 0.985 from 78, the median of few quotes that are either narrow or wide, to that of its column
 * from 0.5 to 3 days.
 * Sizes: 11 Deribit books of July 2021, 1 to 11 BTC at the best price near the money and 14 to 150 in the wings; nothing
 * is left to hold them against. Takers: 984 BTC options turned over 5 546 BTC on 14 January 2024, the busiest tenth of
 * them 14 BTC each or more, most of them nothing.
 */
export const OPTION_MARKETS: Readonly<Record<Coin, OptionMarket>> = {
  BTC: {
    widths: [
      [2, 2, 1.5, 3, 3.4, 6.8, 10, 17.1, 25, 29, 49],
      [2, 1.5, 3, 2.5, 5, 10, 7.5, 22, 34, 46, 67],
      [2, 2, 3, 3.4, 10, 10, 7.5, 29, 130, 298, 67],
      [1.5, 2, 3, 5, 10, 10, 7.5, 27, 32, 38, 67],
      [2, 3, 3, 5, 10, 10, 10, 27, 42, 39, 69],
      [2, 3, 3.4, 6, 10, 10, 7.5, 27, 39, 44, 83],
      [2, 2.5, 5, 10, 10, 10, 15, 32, 52, 66, 115],
      [3, 4, 5, 10, 10, 10, 15, 37, 72, 86, 2010],
      [3, 5, 10, 10, 10, 15, 17.1, 37, 79, 101, 1710],
      [5, 10, 10, 15, 20, 22, 32, 47, 93, 272, 2290],
    ],
    size: 5,
    takerSize: 1,
  },
  ETH: {
    widths: [
      [2, 2.5, 3, 4, 5.4, 10, 15, 27, 39, 51, 54],
      [2, 3, 3, 3.4, 10, 7.5, 12.3, 34, 56, 108, 83],
      [1.5, 3, 3.4, 5, 10, 10, 12.3, 44, 103, 211, 70],
      [3, 2.5, 3.4, 5.9, 10, 10, 15, 29, 56, 78, 89],
      [3, 4, 5, 10, 10, 10, 12.3, 37, 67, 78, 125],
      [2.5, 3.4, 5, 10, 10, 10, 12.3, 37, 71, 76, 244],
      [3.4, 5, 10, 10, 10, 15, 12.3, 39, 89, 112, 310],
      [5, 10, 10, 10, 15, 15, 17.1, 75, 137, 260, 3420],
      [5.4, 10, 10, 15, 15, 17.1, 27, 108, 191, 284, 2820],
      [6.4, 10, 15, 20, 25, 27, 59, 167, 390, 2590, 3870],
    ],
    size: 60,
    takerSize: 10,
  },
};
