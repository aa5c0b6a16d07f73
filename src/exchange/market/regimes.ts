// The regimes of the seeded market: how much its prices move compared with the recordings it is fitted to. Widths, sizes,
// the rate of trades and implied volatility follow by themselves.

export const REGIMES = ['calm', 'normal', 'busy', 'stressed'] as const;
export type Regime = (typeof REGIMES)[number];

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
