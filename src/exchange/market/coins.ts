// The two coins of the paper market, and what describes how their prices and volatilities move. The values are in
// market-parameters.ts.
import type { SmileParameters } from '../../quant/smile.ts';

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
