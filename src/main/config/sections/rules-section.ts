// Rules of the paper exchange that its operator may choose; the defaults are those of Deribit.
import { z } from 'zod';
import { SPEED_BUMPS } from '../../../exchange/model/instruments/contract-rules.ts';

export const selfTradeMode = z.enum(['reject_taker', 'cancel_maker']);

export const rulesSection = z
  .strictObject({
    selfTrade: selfTradeMode
      .default('reject_taker')
      .describe(
        'When an order would trade with another of its account: reject_taker refuses it, cancel_maker cancels the resting one and continues.',
      ),
    marketOrdersOnOptions: z
      .boolean()
      .default(false)
      .describe('Whether options take market orders; the venue takes limit orders only.'),
    clampInverseOptions: z
      .boolean()
      .default(false)
      .describe(
        'Whether the price of an inverse option beyond the trading band is moved to the band; otherwise the order is refused.',
      ),
    advancedIntervalMs: z
      .int()
      .min(100)
      .max(60_000)
      .default(1_000)
      .describe(
        'How often option orders in dollars or by volatility follow the market, in milliseconds.',
      ),
    triggerAlreadyMet: z
      .enum(['refuse', 'fire'])
      .default('refuse')
      .describe('How to treat a trigger order whose trigger is already met on entry.'),
    speedBumpMs: z
      .int()
      .min(0)
      .max(1_000)
      .default(SPEED_BUMPS.ms)
      .describe(
        'How long an order that would match at once waits first, in options, dated futures, linear perpetuals and their combos, in milliseconds; 0: not at all.',
      ),
    speedBumpEditCode: z
      .int()
      .default(11_030)
      .describe(
        'Error code of an edit of an order that waits like that; the code of the venue is not documented.',
      ),
  })
  .prefault({})
  .describe('Rules of the exchange.');
