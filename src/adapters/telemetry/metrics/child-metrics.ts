// Metrics of child orders: how many were intended, their outcomes and their fills.

import {
  CANCEL_REASONS,
  PRICINGS,
  REPRICE_REASONS,
  SETTLE_SEC,
  SIDES,
  UNSETTLED_STATES,
} from '../metric-values.ts';
import type { MetricMaker } from './metric-maker.ts';

export const childMetrics = (maker: MetricMaker) => ({
  childrenIntended: maker.counter(
    'twapd_children_intended_total',
    'Child orders made durable before being sent: the attempts behind the outcomes.',
    { pricing: PRICINGS },
  ),
  childOutcomes: maker.counter(
    'twapd_child_outcomes_total',
    'States child orders reached; one child passes through several.',
    {
      outcome: ['live', 'filled', 'cancelled', 'rejected', 'unknown', 'unsent'],
      pricing: PRICINGS,
    },
  ),
  unsettledChildren: maker.gauge(
    'twapd_unsettled_children',
    'Child orders that can still change the totals, by state.',
    { state: UNSETTLED_STATES },
  ),
  undecidedOldest: maker.gauge(
    'twapd_undecided_child_oldest_timestamp_seconds',
    'When the oldest child of unknown outcome was intended (sending, unknown, fills missing); 0 for none.',
  ),
  unknownSettle: maker.histogram(
    'twapd_unknown_settle_seconds',
    'From a child order becoming unknown to its resolution, by outcome.',
    {
      buckets: SETTLE_SEC,
      labels: { fate: ['live', 'filled', 'cancelled', 'rejected', 'unsent'] },
    },
  ),
  fills: maker.counter('twapd_fills_total', 'Fills booked.', { liquidity: ['maker', 'taker'] }),
  filledNotional: maker.counter(
    'twapd_filled_notional_total',
    'Notional filled: price × quantity, or the quantity itself where it is in USD. Add up only within one currency.',
    { currency: ['USD', 'USDC', 'BTC', 'ETH'], side: SIDES },
  ),
  fillsMirrored: maker.counter('twapd_fills_mirrored_total', 'Fills copied to mirror portfolios.'),
  repricesIntended: maker.counter(
    'twapd_reprices_intended_total',
    'Price changes made durable before being sent, by cause.',
    { reason: REPRICE_REASONS },
  ),
  reprices: maker.counter('twapd_reprices_total', 'Price changes by result.', {
    result: ['done', 'refused', 'unknown'],
  }),
  cancelsIntended: maker.counter(
    'twapd_cancels_intended_total',
    'Cancels made durable before being sent, repetitions included, by reason.',
    { reason: CANCEL_REASONS },
  ),
  hedgesLeftOpen: maker.counter(
    'twapd_hedges_left_open_total',
    'Hedge legs of paused and ended portfolios that were given up with open exposure. Must stay 0.',
  ),
  assumptionsBroken: maker.counter(
    'twapd_assumptions_broken_total',
    'Times the venue contradicted an assumption treated as proven. Must stay 0.',
  ),
  foreignOrders: maker.counter(
    'twapd_foreign_orders_total',
    'Orders at a venue with a label of this deployment that no portfolio knows. Must stay 0.',
  ),
});
