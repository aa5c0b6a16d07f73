// Portfolios and slices: how far they are, how late, and why not.
import type { MetricMaker } from './metric-maker.ts';
import { END_REASONS, LATENESS_SEC, SHARE, SKIP_REASONS } from './metric-values.ts';

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
  portfolios: maker.gauge('twapd_portfolios', 'Portfolios that are not over, by status.', {
    status: ['pending', 'active', 'cancelling'],
  }),
  activeLegs: maker.gauge(
    'twapd_active_legs',
    'Legs of portfolios that are not over; mirrors excluded.',
  ),
  activeLegsFilled: maker.gauge(
    'twapd_active_legs_filled',
    'Sum over active legs of filled ÷ target; divided by twapd_active_legs it is the mean progress.',
  ),
  activeLegsScheduled: maker.gauge(
    'twapd_active_legs_scheduled',
    'Sum over active legs of scheduled by now ÷ target.',
  ),
  scheduleShortfallMax: maker.gauge(
    'twapd_schedule_shortfall_ratio_max',
    'Largest shortfall of an active leg against what its slices before the current one call for, as a share of its target.',
  ),
});

export const sliceMetrics = (maker: MetricMaker) => ({
  slicesPlanned: maker.counter(
    'twapd_slices_planned_total',
    'Slices planned at submit; hedge legs and mirrors have no plan of their own.',
  ),
  slicesStarted: maker.counter('twapd_slices_started_total', 'Slices whose time came.'),
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
    'Filled ÷ asked for at the end of a slice that asked for something.',
    { buckets: SHARE },
  ),
  sliceLateness: maker.histogram(
    'twapd_slice_lateness_seconds',
    'From the due instant of a slice to its first child handed to the venue.',
    { buckets: LATENESS_SEC },
  ),
});
