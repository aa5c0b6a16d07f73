// The regimes of the seeded market: how much its prices move compared with the recordings it is fitted to. Widths, sizes,
// the rate of trades and implied volatility follow by themselves.

export const REGIMES = ['calm', 'normal', 'busy', 'stressed'] as const;
export type Regime = (typeof REGIMES)[number];
