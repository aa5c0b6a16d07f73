// Rules of the paper exchange that its operator may choose; the defaults are those of Deribit.
import { z } from 'zod';
import { SPEED_BUMPS } from '../../../exchange/model/instruments/contract-rules.ts';

export const selfTradeMode = z.enum([
  'reject_taker',
  'cancel_taker',
  'cancel_maker',
  'reject_taker_extended',
  'cancel_taker_extended',
  'cancel_maker_extended',
]);

export const rulesSection = z
  .strictObject({
    selfTrade: selfTradeMode
      .default('reject_taker')
      .describe(
        'When an order would trade with another of its account: reject_taker refuses it, cancel_taker answers it as cancelled (order_overlap), cancel_maker cancels the resting one and continues. Those that end in _extended cover the other accounts of its keys (order_overlap_another_sub).',
      ),
    marketOrdersOnOptions: z
      .boolean()
      .default(false)
      .describe(
        'Whether options take market orders, for programs written for a venue that takes them; Deribit takes limit orders only.',
      ),
    speedBumpMs: z
      .int()
      .min(0)
      .max(1_000)
      .default(SPEED_BUMPS.ms)
      .describe(
        'How long an order that would match at once waits first, in options, dated futures, linear perpetuals and their combos, in milliseconds; 0: not at all.',
      ),
  })
  .prefault({})
  .describe('Rules of the exchange.');
