// What tells the two coins of the paper market apart: how their prices move, how far apart strikes
// lie, how much is quoted.
import { BTC_SMILE, ETH_SMILE, type SmileParameters } from '../../quant/smile.ts';

export const COINS = ['BTC', 'ETH'] as const;
export type Coin = (typeof COINS)[number];

export interface CoinTraits {
  /** Of the index, a fraction per √year. */
  readonly volatility: number;
  /** Correlation of the walk with the one all coins share. */
  readonly commonShare: number;
  /** How strongly a jump of the market moves this coin. */
  readonly jumpScale: number;
  /** Annual rate by which forwards lie above the index; Deribit's curve in 2026 Q1 rose 4 to 5 %. */
  readonly basisPerYear: number;
  readonly smile: SmileParameters;
  /** USD per coin where a market begins unless its settings say otherwise. */
  readonly startPrice: number;
}

export const TRAITS: Readonly<Record<Coin, CoinTraits>> = {
  BTC: {
    volatility: 0.55,
    commonShare: 0.92,
    jumpScale: 1,
    basisPerYear: 0.045,
    smile: BTC_SMILE,
    startPrice: 90_000,
  },
  ETH: {
    volatility: 0.7,
    commonShare: 0.88,
    jumpScale: 1.3,
    basisPerYear: 0.04,
    smile: ETH_SMILE,
    startPrice: 3_000,
  },
};

/** Prices the market starts with unless the settings say otherwise, USD per coin. */
export const START_PRICES: Readonly<Record<Coin, number>> = {
  BTC: TRAITS.BTC.startPrice,
  ETH: TRAITS.ETH.startPrice,
};
