// A perpetual that follows the middle and a spot sale, both over fourteen seconds: the submit body.
import type { PortfolioBody } from '../../src/gateway/client.ts';

export const TWO_LEGS = {
  accountId: 10001,
  portfolioType: 'TWAP',
  twapTrade: { durationSec: 14, frequencySec: 1 },
  legs: [
    {
      instrument: 'BTC-PERPETUAL',
      instrumentType: 'PERPETUAL',
      side: 1,
      quantity: '14000',
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
      quantity: '0.28',
      priceOptions: { priceType: 'MARKET' },
    },
  ],
  execution: { endAction: 'market' },
} satisfies PortfolioBody;
