// Width, depth and activity of the books of perpetuals, dated futures and spot pairs, based on recordings.
import type { SingleKind } from '../../values/instrument.ts';
import type { Coin } from './coins.ts';

export interface CoinMarket {
  /** Fractions of the price, midway between a calm and a wild market. */
  readonly halfSpread: number;
  readonly depths: readonly number[];
  /** USD: the best level, then one for each of `depths`. */
  readonly sizes: readonly number[];
  /** Takers per second at maximum activity, which is twice the usual. */
  readonly takersPerSecondMax: number;
  /** Median, USD. */
  readonly takerSize: number;
  /** Standard deviation of the logarithm of a taker's size. */
  readonly takerSpread: number;
  readonly takerReach: number;
  /** USD bought from the makers recently at which they lean by 3/4 of `leanMax`. */
  readonly capacity: number;
  readonly leanMax: number;
}

const BP = 0.0001;
const basisPoints = (...values: number[]): readonly number[] => values.map((value) => value * BP);
const thousands = (...values: number[]): readonly number[] => values.map((value) => value * 1_000);

/**
 * Perpetuals. Half an hour of a recorded BTC perpetual of Deribit (1 November 2019): one tick wide in 99 of
 * 100 seconds. Six minutes of the coin-margined BTC and ETH perpetuals of Binance (8 August 2024): one tick
 * in the median, 2 and 8 ticks in the 95th percentile; at the best price a median of 100 000 and 20 000 USD,
 * within 1, 2, 4 and 8 basis points 140, 380, 1 000 and 3 500 thousand USD per side in BTC and 25, 87, 550
 * and 1 900 in ETH; 120 takers a minute with a median of 1 600 and 630 USD and a standard deviation of the
 * logarithm of 2.0 and 2.1. Deribit's own perpetual turned over 1e9 USD on 5 January 2024, which half as many
 * takers produce.
 */
const BTC_PERPETUAL: CoinMarket = {
  halfSpread: 0.004 * BP,
  depths: basisPoints(0.25, 0.5, 1, 2, 3.5, 6, 10),
  sizes: thousands(85, 15, 25, 60, 200, 450, 1_200, 2_500),
  takersPerSecondMax: 2,
  takerSize: 1_600,
  takerSpread: 2,
  takerReach: 4 * BP,
  capacity: 400_000,
  leanMax: 0.8 * BP,
};
const ETH_PERPETUAL: CoinMarket = {
  halfSpread: 0.01 * BP,
  depths: basisPoints(0.35, 0.7, 1.3, 2, 3.5, 6, 10),
  sizes: thousands(20, 4, 6, 12, 45, 300, 600, 1_300),
  takersPerSecondMax: 2,
  takerSize: 630,
  takerSpread: 2.1,
  takerReach: 5 * BP,
  capacity: 140_000,
  leanMax: 1 * BP,
};

/** Dated futures. No recorded book available: a choice of ours, a third of the perpetual's size or less. */
const BTC_FUTURE: CoinMarket = {
  halfSpread: 0.35 * BP,
  depths: basisPoints(0.5, 1, 2, 4, 8),
  sizes: thousands(10, 20, 40, 60, 120, 250),
  takersPerSecondMax: 0.2,
  takerSize: 1_500,
  takerSpread: 1.8,
  takerReach: 5 * BP,
  capacity: 80_000,
  leanMax: 0.4 * BP,
};
const ETH_FUTURE: CoinMarket = {
  ...BTC_FUTURE,
  halfSpread: 0.6 * BP,
  sizes: thousands(5, 10, 20, 30, 60, 120),
  takerSize: 900,
  capacity: 40_000,
};

/**
 * Spot against USDC, a small book compared with the large ones. ETH from a day of Gemini's ETH-USD (1 July
 * 2021): median width 4.7 basis points, half of the time between 3.1 and 6.8; 610 USD at the best price in
 * the median and 1 400 in the upper quartile; 10.5 takers a minute, median 400 USD, standard deviation of the
 * logarithm 2.7. BTC between that and the recorded hour of Coinbase's BTC-USD (5 September 2023): 95 takers a
 * minute, median 95 USD, 2.5.
 */
const ETH_SPOT: CoinMarket = {
  halfSpread: 2.2 * BP,
  depths: basisPoints(0.8, 2, 4, 8, 15),
  sizes: thousands(0.9, 2, 5, 12, 30, 60),
  takersPerSecondMax: 0.35,
  takerSize: 400,
  takerSpread: 2.2,
  takerReach: 12 * BP,
  capacity: 10_000,
  leanMax: 1.5 * BP,
};
const BTC_SPOT: CoinMarket = {
  ...ETH_SPOT,
  halfSpread: 1.1 * BP,
  depths: basisPoints(0.4, 1, 2, 4, 8),
  sizes: thousands(2.5, 5, 12, 30, 70, 140),
  takersPerSecondMax: 0.8,
  takerSize: 250,
  capacity: 25_000,
  leanMax: 0.8 * BP,
};

export const COIN_MARKETS: Readonly<
  Record<Exclude<SingleKind, 'option'>, Readonly<Record<Coin, CoinMarket>>>
> = {
  perpetual: { BTC: BTC_PERPETUAL, ETH: ETH_PERPETUAL },
  future: { BTC: BTC_FUTURE, ETH: ETH_FUTURE },
  spot: { BTC: BTC_SPOT, ETH: ETH_SPOT },
};
