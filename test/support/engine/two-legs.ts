// Submit bodies with a perpetual that follows the mid and a spot sale.
import type { PortfolioBody } from '../../../src/gateway/client/client.ts';

/** Both legs over this many seconds, with a slice of each every second. */
export const course = (durationSec: number) =>
  ({
    accountId: 10001,
    portfolioType: 'TWAP',
    twapTrade: { durationSec, frequencySec: 1 },
    legs: [
      {
        instrument: 'BTC-PERPETUAL',
        instrumentType: 'PERPETUAL',
        side: 1,
        quantity: String(1_000 * durationSec),
        priceOptions: {
          priceType: 'DYNAMIC',
          dynamicPriceStrategy: 'MID',
          dynamicMs: 200,
          price: '1',
          priceIn: 'USD',
        },
      },
      {
        instrument: 'BTC_USDC',
        instrumentType: 'SPOT',
        side: 2,
        quantity: (0.02 * durationSec).toFixed(2),
        priceOptions: { priceType: 'MARKET' },
      },
    ],
    execution: { endAction: 'market' },
  }) satisfies PortfolioBody;

export const TWO_LEGS = course(14);
