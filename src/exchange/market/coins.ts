// What tells the two coins of the paper market apart: how their prices move and how their volatilities
// answer, how far apart strikes lie, how much is quoted.
import { BTC_SMILE, ETH_SMILE, type SmileParameters } from '../../quant/smile.ts';

/** The first leads: the others move with it by the correlation of the market. */
export const COINS = ['BTC', 'ETH'] as const;
export type Coin = (typeof COINS)[number];

/** One figure each for the short, the middle and the long volatility. */
export interface ByTerm {
  readonly short: number;
  readonly middle: number;
  readonly long: number;
}

export interface CoinTraits {
  /** Of the index, a fraction per √year. */
  readonly volatility: number;
  /** How strongly a jump of the market moves this coin. */
  readonly jumpScale: number;
  /** Annual rate by which forwards lie above the index; Deribit's curve in 2026 Q1 rose 4 to 5 %. */
  readonly basisPerYear: number;
  readonly smile: SmileParameters;
  /**
   * By how many per cent volatility rises when the index falls by one. Measured on the recorded option
   * chains of 2026 Q1 over 314 spans of six hours: BTC 3.3 at three days to expiry, 1.4 at thirty, 0.5
   * at a hundred and eighty; ETH 1.8, 0.6, 0.2; correlations of −0.5 to −0.65.
   */
  readonly fear: ByTerm;
  /** USD per coin where a market begins unless its settings say otherwise. */
  readonly startPrice: number;
}

/** Volatilities as of the recorded indexes of 2026 Q1, four looks a day: 0.52 and 0.70 a year. */
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

/** Of the moves of the two indexes; 0.90 in the recorded ones of 2026 Q1. */
export const CORRELATION = 0.9;

/** Prices the market starts with unless the settings say otherwise, USD per coin. */
export const START_PRICES: Readonly<Record<Coin, number>> = {
  BTC: TRAITS.BTC.startPrice,
  ETH: TRAITS.ETH.startPrice,
};
