// The parameters of the paper market: how prices move, how books are quoted, how takers arrive, each with the recordings it
// was fitted to and those it was checked against, or marked as chosen. `npm run calibrate` prints the ratios of the
// statistics. What is not here is arithmetic or how far something is remembered. The calendar, strikes, fees and margins are
// rules of contracts, in ../model/instruments/contract-rules.ts.
import { BTC_SMILE, ETH_SMILE } from '../../quant/smile.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../values/instant.ts';
import type { SingleKind } from '../../values/instrument.ts';
import type { ByTerm, Coin, CoinTraits } from './coins.ts';
import type { ClusterSize, SizeSpread } from './liquidity/liquidity.ts';
import type { Liveliness } from './liveliness.ts';
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
 * Variance of the indexes relative to that of all days. The annual volatility of all is that of the recorded indexes of 2026
 * Q1; the others are fitted to the median range and turnover of a minute of BTC-PERPETUAL on those days (`npm run calibrate`).
 */
export const REGIME_VARIANCE: Readonly<Record<Regime, number>> = {
  'quiet-days': 0.5,
  'all-days': 1,
  'busy-days': 2.7,
  'wild-days': 6,
};

/**
 * How variance is spread over time (`prices/variance-cascade.ts`). `spread` and `fineSpread`: the standard deviation of the log ratio
 * of the variances of two halves of a span, in spans above nine hours and from there down to a minute. Six-hour moves of the
 * recorded indexes of 2026 Q1 had a kurtosis of 6, and the neighbours of a large square were twice the mean. The finer one is
 * fitted to the quartiles of the range of a minute of Deribit's perpetuals in those months: with variance spread evenly over
 * the minutes of an hour, most minutes would move twice as far as they did, and the wildest too little. Within a minute variance
 * follows the bursts of {@link PRICE_CHANGES}, to this power: fitted to the autocorrelation of absolute returns of one second, 0.05
 * in six minutes of Binance's coin-margined BTC perpetual (8 August 2024), −0.01 to 0.20 in the other perpetuals.
 */
export const VARIANCE_CASCADE = {
  spread: 0.65,
  fineSpread: 0.85,
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
 * Clusters of takers (`liquidity/takers.ts`): the timing of the followers of an arrival. Fitted to six minutes of coin-margined
 * perpetuals of Binance (8 August 2024): sides of consecutive prints correlated by 0.86 and 0.78. Held against the
 * dollar-margined perpetuals: 0.76 and 0.83.
 */
export const TAKER_CLUSTERS = {
  quickShare: 0.95,
  quickMs: 25,
  slowMs: 7_000,
  /** The maximum number of followers of an initial arrival, and of any one arrival. */
  clusterMax: 96,
  followersMax: 6,
  firstMax: 64,
  moodMs: 150 * SECOND_MS,
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
 * basis points above the index; that of USDC is chosen. `quick` of spot is fitted to the range of a minute in the recordings
 * of its books, which the index alone does not reach; that of perpetuals to the quartiles of Deribit's minutes.
 */
export const PREMIUMS = {
  perpetual: { bias: 0.00005, tide: 0.00018, slow: 0.0001, quick: 0.00003 },
  future: { slow: 0.0002, quick: 0.00002 },
  spot: { slow: 0, quick: 0.0003 },
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

/**
 * Rounds of a market (250 ms) between two refills of a book's levels, by kind. That of perpetuals is fitted to the changes of
 * Deribit's best prices (307 and 488 a minute in BTC and ETH); the others are chosen.
 */
export const ERA_ROUNDS: Readonly<Record<SingleKind, number>> = {
  option: 4,
  future: 4,
  spot: 4,
  perpetual: 1,
};

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
  /** Takers per second at a liveliness of 1. */
  readonly takersPerSecondMax: number;
  readonly liveliness: Liveliness;
  readonly clusters: ClusterSize;
  /** How much the share of clusters that buy moves around a half. */
  readonly sideMood: number;
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

/** Takers that follow the hours: options, dated futures and spot. Chosen. */
export const STEADY: Liveliness = { of: 'hours', usual: 0.5, power: 0.5, least: 0.5, most: 1.5 };
/** How far the share of clusters that buy moves around a half, in books of which no recording says otherwise. */
export const SIDE_MOOD = 0.25;
/** Clusters of options, dated futures and spot. */
export const LONG_CLUSTERS: ClusterSize = { followers: 0.943, mean: 10.8 };

const BP = 0.0001;
const basisPoints = (...values: number[]): readonly number[] => values.map((value) => value * BP);
const thousands = (...values: number[]): readonly number[] => values.map((value) => value * 1_000);

/**
 * Perpetuals. Turnover and range of a minute are fitted to Deribit's minutes of every second day from 30 December 2025 to 22 March
 * 2026 and checked against those of the days between; touch, takers, changes of the best prices and still seconds to figures
 * of Deribit in 2026 that no recording at hand has (`bench/calibration/deribit-figures.ts`). Depth: the coin-margined
 * perpetuals of Binance (8 August 2024), within 1, 2, 4 and 8 basis points 140, 380, 1 000 and 3 500 thousand USD per side in
 * BTC and 25, 87, 550 and 1 900 in ETH. Clusters and `sideMood` are fitted to the spread of the minutes' turnover and to
 * correlations of sides in Binance's perpetuals.
 */
const BTC_PERPETUAL: CoinMarket = {
  halfSpread: 0.004 * BP,
  widthSpread: 0,
  sway: 0,
  touchSpread: { below: 2.1, above: 0.7 },
  depths: basisPoints(0.25, 0.5, 1, 2, 3.5, 6, 10),
  sizes: thousands(75, 40, 60, 110, 250, 450, 1_200, 2_500),
  takersPerSecondMax: 8,
  liveliness: { of: 'minutes', usual: 0.062, power: 0.6, least: 0.05, most: 12 },
  clusters: { followers: 0.63, mean: 2.7 },
  sideMood: 0.6,
  takerSize: 900,
  takerSpread: { below: 1.7, above: 2.35 },
  sameSide: 0.99,
  takerReach: 4 * BP,
  capacity: 1_600_000,
  leanMax: 1.2 * BP,
};
const ETH_PERPETUAL: CoinMarket = {
  halfSpread: 0.01 * BP,
  widthSpread: 0,
  sway: 0.75 * BP,
  touchSpread: { below: 1.5, above: 0.79 },
  depths: basisPoints(0.35, 0.7, 1.3, 2, 3.5, 6, 10),
  sizes: thousands(23, 4, 6, 12, 45, 300, 600, 1_300),
  takersPerSecondMax: 8,
  liveliness: { of: 'minutes', usual: 0.1, power: 0.85, least: 0.05, most: 8 },
  clusters: { followers: 0.79, mean: 4.7 },
  sideMood: 0.5,
  takerSize: 555,
  takerSpread: { below: 1.67, above: 1.46 },
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
  liveliness: STEADY,
  clusters: LONG_CLUSTERS,
  sideMood: SIDE_MOOD,
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
 * 1 690 USD at the best price, 17.7 prints a minute, takers of 92, 480 and 1 940 USD. BTC: prints fitted to the first half of an hour of
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
  takersPerSecondMax: 0.44,
  liveliness: STEADY,
  clusters: LONG_CLUSTERS,
  sideMood: SIDE_MOOD,
  takerSize: 410,
  takerSpread: { below: 2.1, above: 2.15 },
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
  /**
   * The second mode of books in the money: shares of them (0 to 1) and their widths, likewise, a column for each of
   * {@link WIDTH_DELTAS} from {@link WIDE_FROM} on.
   */
  readonly wide: {
    readonly shares: readonly (readonly number[])[];
    readonly widths: readonly (readonly number[])[];
  };
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

/** The first of {@link WIDTH_DELTAS} at which some books are wide. */
export const WIDE_FROM = 7;
/** Standard deviation of the logarithm of a width within its mode, in the money. */
export const DEEP_WIDTH_SPREAD = 0.45;
/** How long a book in the money stays narrow or wide; recorded snapshots are about six hours apart. Chosen. */
export const WIDE_MS = 8 * HOUR_MS;

/**
 * Widths: fitted to the option chains of every second day from 1 January to 22 March 2026, 160 snapshots; checked against
 * those of the days between. In the money the recorded widths have two modes, one about ten times the other, whose shares and
 * medians come from two means of their logarithms in each cell; where a third lies between (ETH from two months on), share and
 * median are those that give the recorded quartiles.
 * Sizes: 11 Deribit books of July 2021, 1 to 11 BTC at the best price near the money and 14 to 150 in the wings; nothing
 * is left to hold them against. Takers: 984 BTC options turned over 5 546 BTC on 14 January 2024, the busiest tenth of
 * them 14 BTC each or more, most of them nothing.
 */
export const OPTION_MARKETS: Readonly<Record<Coin, OptionMarket>> = {
  BTC: {
    widths: [
      [2, 2, 1.5, 3, 3.4, 6.8, 10, 20, 25, 30, 30],
      [2, 1.5, 3, 2.5, 5, 10, 7.5, 25, 30, 30, 35],
      [2, 2, 3, 3.4, 10, 10, 7.5, 25, 30, 30, 35],
      [1.5, 2, 3, 5, 10, 10, 7.5, 30, 35, 40, 50],
      [2, 3, 3, 5, 10, 10, 10, 30, 40, 40, 55],
      [2, 3, 3.4, 6, 10, 10, 7.5, 30, 40, 45, 70],
      [2, 2.5, 5, 10, 10, 10, 15, 30, 45, 60, 85],
      [3, 4, 5, 10, 10, 10, 15, 35, 60, 75, 100],
      [3, 5, 10, 10, 10, 15, 17.1, 35, 80, 85, 190],
      [5, 10, 10, 15, 20, 22, 32, 35, 75, 60, 290],
    ],
    wide: {
      shares: [
        [0, 0.17, 0.3, 0.43],
        [0.13, 0.26, 0.39, 0.47],
        [0.31, 0.55, 0.59, 0.46],
        [0, 0.17, 0.27, 0.33],
        [0.09, 0.23, 0.23, 0.33],
        [0.11, 0.18, 0.17, 0.35],
        [0.08, 0.15, 0.28, 0.36],
        [0.14, 0.26, 0.25, 0.56],
        [0.12, 0.08, 0.29, 0.57],
        [0.25, 0.25, 0.4, 0.72],
      ],
      widths: [
        [280, 397, 370, 425],
        [280, 380, 425, 430],
        [390, 485, 460, 450],
        [410, 445, 405, 1080],
        [435, 525, 560, 1235],
        [415, 530, 620, 1460],
        [425, 370, 1125, 1575],
        [880, 900, 1230, 2280],
        [315, 1395, 1670, 2460],
        [230, 1775, 2030, 2695],
      ],
    },
    size: 5,
    takerSize: 1,
  },
  ETH: {
    widths: [
      [2, 2.5, 3, 4, 5.4, 10, 15, 30, 40, 45, 45],
      [2, 3, 3, 3.4, 10, 7.5, 12.3, 35, 45, 45, 50],
      [1.5, 3, 3.4, 5, 10, 10, 12.3, 40, 50, 50, 50],
      [3, 2.5, 3.4, 5.9, 10, 10, 15, 35, 50, 55, 70],
      [3, 4, 5, 10, 10, 10, 12.3, 35, 55, 65, 80],
      [2.5, 3.4, 5, 10, 10, 10, 12.3, 35, 65, 80, 120],
      [3.4, 5, 10, 10, 10, 15, 12.3, 40, 60, 95, 160],
      [5, 10, 10, 10, 15, 15, 17.1, 40, 105, 200, 150],
      [5.4, 10, 10, 15, 15, 17.1, 27, 120, 185, 275, 390],
      [6.4, 10, 15, 20, 25, 27, 59, 70, 240, 600, 4120],
    ],
    wide: {
      shares: [
        [0.13, 0.24, 0.37, 0.38],
        [0.16, 0.32, 0.44, 0.46],
        [0.24, 0.42, 0.52, 0.38],
        [0.07, 0.25, 0.43, 0.36],
        [0.12, 0.3, 0.36, 0.4],
        [0.14, 0.24, 0.26, 0.47],
        [0.12, 0.26, 0.36, 0.42],
        [0.2, 0.22, 0.4, 0.64],
        [0, 0.26, 0.33, 0.69],
        [0.45, 0.36, 0.7, 0],
      ],
      widths: [
        [325, 575, 605, 765],
        [365, 685, 740, 780],
        [520, 960, 1010, 995],
        [620, 915, 640, 1750],
        [530, 1030, 805, 1980],
        [780, 1180, 1185, 2425],
        [1155, 1250, 1520, 2610],
        [1315, 1530, 1700, 2965],
        [1300, 2140, 2700, 3555],
        [1140, 2600, 2950, 4670],
      ],
    },
    size: 60,
    takerSize: 10,
  },
};
