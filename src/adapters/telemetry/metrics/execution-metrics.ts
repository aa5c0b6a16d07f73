// Metrics of portfolios and slices: progress, lateness, and reasons for not placing.

import {
  BENCHMARKS,
  DEVIATION,
  END_REASONS,
  LATENESS_SEC,
  SHARE,
  SKIP_REASONS,
  SLIPPAGE_BPS,
} from '../metric-values.ts';
import type { MetricMaker } from './metric-maker.ts';

export const portfolioMetrics = (maker: MetricMaker) => ({
  portfoliosSubmitted: maker.counter('twapd_portfolios_submitted_total', 'Portfolios accepted.', {
    role: ['original', 'mirror'],
  }),
  portfoliosStarted: maker.counter(
    'twapd_portfolios_started_total',
    'Portfolios that intended their first child or copied their first fill.',
  ),
  portfoliosEnded: maker.counter(
    'twapd_portfolios_ended_total',
    'Portfolios that reached their end, by reason.',
    { reason: END_REASONS },
  ),
  portfolios: maker.gauge('twapd_portfolios', 'Portfolios that have not ended, by status.', {
    status: ['pending', 'active', 'cancelling'],
  }),
  activeLegs: maker.gauge(
    'twapd_active_legs',
    'Legs of portfolios that have not ended; mirrors excluded.',
  ),
  activeLegsFilled: maker.gauge(
    'twapd_active_legs_filled',
    'Sum over active legs of filled ÷ target; divided by twapd_active_legs it is the mean progress.',
  ),
  activeLegsScheduled: maker.gauge(
    'twapd_active_legs_scheduled',
    'Sum over active legs of scheduled by now ÷ target.',
  ),
  portfoliosOverdue: maker.gauge(
    'twapd_portfolio_overdue_seconds_max',
    'How long the longest overdue portfolio is past its end, or past its cancel, without having ended.',
  ),
  portfoliosShown: maker.gauge(
    'twapd_portfolios_shown',
    'Active portfolios with progress of their own in the twapd_portfolio_ gauges.',
  ),
  portfolioFilled: maker.gauge(
    'twapd_portfolio_filled_ratio',
    'Filled ÷ target of an active portfolio, mean of its legs; the oldest up to metrics.portfoliosMax.',
    { portfolio: [] },
  ),
  portfolioScheduled: maker.gauge(
    'twapd_portfolio_scheduled_ratio',
    'Scheduled by now ÷ target of an active portfolio, mean of its legs.',
    { portfolio: [] },
  ),
  portfolioLate: maker.gauge(
    'twapd_portfolio_lateness_seconds',
    'Lateness of the last slice an active portfolio sent.',
    { portfolio: [] },
  ),
  portfolioSlippage: maker.gauge(
    'twapd_portfolio_slippage_bps',
    'Cost of the fills of an active portfolio against the mid price at its arrival, mean of its legs.',
    { portfolio: [] },
  ),
  legImbalanceMax: maker.gauge(
    'twapd_leg_imbalance_ratio_max',
    'Largest difference of filled ÷ target between two legs of an active portfolio; hedges excluded.',
  ),
  unhedged: maker.gauge(
    'twapd_unhedged_quantity',
    'What hedge legs of active portfolios lack of what the fills of the other legs require, in the unit of their quantity.',
    { instrument: [] },
  ),
  scheduleShortfallMax: maker.gauge(
    'twapd_schedule_shortfall_ratio_max',
    'Largest shortfall of an active leg against the target of its slices before the current one, as a share of its target.',
  ),
});

export const sliceMetrics = (maker: MetricMaker) => ({
  slicesPlanned: maker.counter(
    'twapd_slices_planned_total',
    'Slices planned at submit; hedge legs and mirrors have no plan of their own.',
  ),
  slicesStarted: maker.counter('twapd_slices_started_total', 'Slices that became due.'),
  slicesPlaced: maker.counter(
    'twapd_slices_placed_total',
    'Slices that intended a child order; each counts once.',
  ),
  slicesMissed: maker.counter(
    'twapd_slices_missed_total',
    'Slices that passed without being run; their quantity is caught up.',
  ),
  slicesSkipped: maker.counter(
    'twapd_slices_skipped_total',
    'Slices that ended without a child order, by the last reason.',
    { reason: SKIP_REASONS },
  ),
  sliceWaits: maker.counter(
    'twapd_slice_waits_total',
    'Times a slice could not place, or stopped placing, by reason.',
    { reason: SKIP_REASONS },
  ),
  sliceFillRatio: maker.histogram(
    'twapd_slice_fill_ratio',
    'Filled ÷ requested at the end of a slice that requested a quantity.',
    { buckets: SHARE },
  ),
  scheduleDeviation: maker.histogram(
    'twapd_schedule_deviation_ratio',
    'Filled less scheduled at the end of a slice, as a share of the target of its leg.',
    { buckets: DEVIATION },
  ),
  slippage: maker.histogram(
    'twapd_slippage_bps',
    'Cost of the fills of a slice in basis points: against the mid price at the arrival of its portfolio, and against the mean mid price while it was open.',
    { buckets: SLIPPAGE_BPS, labels: { benchmark: BENCHMARKS } },
  ),
  sliceLateness: maker.histogram(
    'twapd_slice_lateness_seconds',
    'From the due instant of a slice to its first child handed to the venue.',
    { buckets: LATENESS_SEC },
  ),
});
