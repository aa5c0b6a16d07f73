// The parameters of the two coins of the paper market: how their prices move, how their volatilities respond,
// the spacing of strikes, and the quoted sizes.
import { BTC_SMILE, ETH_SMILE, type SmileParameters } from '../../quant/smile.ts';

/** The first leads: the others move with it according to the market's correlation. */
export const COINS = ['BTC', 'ETH'] as const;
export type Coin = (typeof COINS)[number];

/** One value each for short, medium and long-dated volatility. */
export interface ByTerm {
  readonly short: number;
  readonly middle: number;
  readonly long: number;
}

export interface CoinTraits {
  /** Of the index, as a fraction per √year. */
  readonly volatility: number;
  /** How strongly a jump of the market moves this coin. */
  readonly jumpScale: number;
  /** Annual rate by which forwards exceed the index; Deribit's curve in 2026 Q1 rose 4 to 5 %. */
  readonly basisPerYear: number;
  readonly smile: SmileParameters;
  /**
   * The percentage rise of volatility when the index falls by one percent. Measured on the recorded option
   * chains of 2026 Q1 over 314 six-hour spans: BTC 3.3 at three days to expiry, 1.4 at thirty, 0.5 at 180;
   * ETH 1.8, 0.6, 0.2; correlations of −0.5 to −0.65.
   */
  readonly fear: ByTerm;
  /** USD per coin at which a market starts unless its settings say otherwise. */
  readonly startPrice: number;
}

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
