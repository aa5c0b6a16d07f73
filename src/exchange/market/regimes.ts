// The regimes of the seeded market, named after the days of Deribit's first quarter of 2026 whose minutes they reproduce: the
// quietest quarter of them, all, the busiest quarter, and the wildest twentieth, by the moves from one snapshot to the next.
// Widths, sizes, the rate of trades and implied volatility follow by themselves.

export const REGIMES = ['quiet-days', 'all-days', 'busy-days', 'wild-days'] as const;
export type Regime = (typeof REGIMES)[number];
export const USUAL_REGIME: Regime = 'all-days';
