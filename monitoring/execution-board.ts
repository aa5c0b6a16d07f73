// The dashboard of execution: portfolios, slices, lateness, costs, ends.
import { type DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { board } from './board.ts';
import { bounds, heatPanel, linesPanel, statPanel } from './panels.ts';
import { portfolioTable } from './portfolio-table.ts';
import { counted, happened, mean, perSecond, quantile, shareWithin } from './promql.ts';

const SLICE_LATE = 'twapd_slice_lateness_seconds';

export function executionBoard(): DashboardBuilder {
  const execution = board({
    uid: 'twapd-execution',
    title: 'execution',
    about: 'Schedule against fills, lateness, costs, why slices place nothing, how portfolios end.',
  });
  return [now, progress, slices, timing, costs, strategies].reduce(
    (made, add) => add(made),
    execution,
  );
}

const now = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Now'))
    .withPanel(
      statPanel({
        title: 'Daemon',
        about: 'Whether it can trade, as its readiness check says.',
        unit: 'short',
        expr: 'min(twapd_ready)',
        words: ['ready', 'not ready'],
      }),
    )
    .withPanel(
      statPanel({
        title: 'Active portfolios',
        about: 'Pending, active and being cancelled.',
        unit: 'short',
        expr: 'sum(twapd_portfolios)',
      }),
    )
    .withPanel(
      statPanel({
        title: 'Mean progress',
        about: 'Mean over active legs of filled ÷ target.',
        unit: 'percentunit',
        expr: 'sum(twapd_active_legs_filled) / (sum(twapd_active_legs) > 0)',
      }),
    )
    .withPanel(
      statPanel({
        title: 'Greatest shortfall',
        about:
          'Largest shortfall of a leg against its slices before the current one, as a share of its target.',
        unit: 'percentunit',
        expr: 'max(twapd_schedule_shortfall_ratio_max)',
        thresholds: bounds(0.1, 0.2),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Undecided since',
        about: 'Age of the oldest child order whose fate is unknown.',
        unit: 's',
        expr: 'max((time() - twapd_undecided_child_oldest_timestamp_seconds) * (twapd_undecided_child_oldest_timestamp_seconds > bool 0))',
        thresholds: bounds(10, 60),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Late slices',
        about:
          'Share of slices sent more than 250 ms after due, last hour; the objective allows 0.1 %.',
        unit: 'percentunit',
        decimals: 3,
        expr: 'twapd:slices_late:ratio_rate1h',
        thresholds: bounds(0.001, 0.01),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Overdue',
        about: 'How long the longest overdue portfolio is past its end or its cancel.',
        unit: 's',
        expr: 'max(twapd_portfolio_overdue_seconds_max)',
        thresholds: bounds(30, 120),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Trading',
        about: 'Whether the switch of the deployment is active.',
        unit: 'short',
        expr: 'min(twapd_trading_switches{scope="deployment",state="active"})',
        words: ['active', 'held'],
      }),
    );

const progress = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Portfolios'))
    .withPanel(portfolioTable())
    .withPanel(
      linesPanel({
        title: 'Schedule against fills',
        about:
          'Mean over active legs: what the schedule wants filled by now, and what is. The lines should lie on each other.',
        unit: 'percentunit',
        min: 0,
        max: 1,
        queries: {
          scheduled: 'sum(twapd_active_legs_scheduled) / (sum(twapd_active_legs) > 0)',
          filled: 'sum(twapd_active_legs_filled) / (sum(twapd_active_legs) > 0)',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Portfolios by status',
        about: 'Portfolios that are not over.',
        unit: 'short',
        isStacked: true,
        queries: { '{{status}}': 'sum by (status) (twapd_portfolios)' },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Ends',
        about: 'Portfolios that ended, by reason; filled and user_request are the ordinary ones.',
        unit: 'short',
        isCount: true,
        queries: { '{{reason}}': happened('twapd_portfolios_ended_total', 'reason') },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Balance of legs',
        about:
          'Largest difference of progress between two legs of a portfolio, and 99 % of the parts of balanced ones.',
        unit: 'percentunit',
        queries: {
          'legs, largest': 'max(twapd_leg_imbalance_ratio_max)',
          'parts, p99': quantile(0.99, 'twapd_part_imbalance_ratio'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Not hedged',
        about: 'What hedge legs lack of what the fills of the other legs require, by instrument.',
        unit: 'short',
        queries: { '{{instrument}}': 'sum by (instrument) (twapd_unhedged_quantity)' },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Submitted',
        about: 'Portfolios accepted, and slices planned for them.',
        unit: 'short',
        isCount: true,
        queries: {
          '{{role}}': counted('twapd_portfolios_submitted_total', 'role'),
          started: counted('twapd_portfolios_started_total'),
          'slices planned': counted('twapd_slices_planned_total'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Notional filled',
        about: 'Per minute, in the currency named.',
        unit: 'short',
        queries: {
          '{{side}} {{currency}}': `60 * ${perSecond('twapd_filled_notional_total', 'currency, side')} > 0`,
        },
      }),
    );

const slices = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Slices'))
    .withPanel(
      linesPanel({
        title: 'Slices',
        about: 'Slices per second: whose time came, placed, passed without being run.',
        unit: 'ops',
        queries: {
          started: perSecond('twapd_slices_started_total'),
          placed: perSecond('twapd_slices_placed_total'),
          missed: perSecond('twapd_slices_missed_total'),
          rescued: perSecond('twapd_sweeper_rescues_total'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Slices that placed nothing',
        about: 'By the last reason.',
        unit: 'short',
        isCount: true,
        queries: { '{{reason}}': happened('twapd_slices_skipped_total', 'reason') },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Waits',
        about: 'Times a slice could not place, or stopped placing, by reason.',
        unit: 'short',
        isCount: true,
        queries: { '{{reason}}': happened('twapd_slice_waits_total', 'reason') },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Slices filled in full',
        about: 'Share of slices that were filled to 99 % or more, and to a half or less.',
        unit: 'percentunit',
        min: 0,
        max: 1,
        queries: {
          'over 99 %': `1 - ${shareWithin('twapd_slice_fill_ratio', '0.99')}`,
          'half or less': shareWithin('twapd_slice_fill_ratio', '0.5'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Deviation from the schedule',
        about:
          'Filled less scheduled at the end of slices, as a share of the target; below zero is behind.',
        unit: 'percentunit',
        queries: {
          'worst 5 %': quantile(0.05, 'twapd_schedule_deviation_ratio'),
          median: quantile(0.5, 'twapd_schedule_deviation_ratio'),
          'best 5 %': quantile(0.95, 'twapd_schedule_deviation_ratio'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Fills',
        about: 'Fills per second, by liquidity.',
        unit: 'ops',
        queries: {
          '{{liquidity}}': perSecond('twapd_fills_total', 'liquidity'),
          mirrored: perSecond('twapd_fills_mirrored_total'),
        },
      }),
    );

const timing = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Lateness'))
    .withPanel(
      heatPanel({
        title: 'Lateness of slices',
        about: 'From the due instant of a slice to its first child handed to the venue.',
        unit: 's',
        expr: `sum by (le) (increase(${SLICE_LATE}_bucket[$__rate_interval]))`,
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Lateness quantiles',
        about: 'The promise is 99.9 % within 250 ms.',
        unit: 's',
        wide: 12,
        isLog: true,
        objective: 0.25,
        queries: {
          p50: quantile(0.5, SLICE_LATE),
          p90: quantile(0.9, SLICE_LATE),
          p99: quantile(0.99, SLICE_LATE),
          'p99.9': quantile(0.999, SLICE_LATE),
        },
      }),
    );

const costs = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Costs'))
    .withPanel(
      linesPanel({
        title: 'Mean slippage',
        about:
          'Cost of fills in basis points against the middle at arrival and against the mean middle of the slice; above zero is worse.',
        unit: 'short',
        wide: 12,
        queries: { '{{benchmark}}': mean('twapd_slippage_bps', 'benchmark') },
      }),
    )
    .withPanel(
      heatPanel({
        title: 'Slippage against arrival',
        about: 'Basis points by slice; above zero is worse than the middle at arrival.',
        unit: 'short',
        expr: 'sum by (le) (increase(twapd_slippage_bps_bucket{benchmark="arrival"}[$__rate_interval]))',
      }),
    );

const strategies = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Strategies'))
    .withPanel(
      linesPanel({
        title: 'Strategies',
        about: 'Strategies in force and faults in their files.',
        unit: 'short',
        wide: 12,
        queries: {
          'in force': 'sum(twapd_strategies)',
          faults: 'sum(twapd_strategy_faults)',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Strategies that came due',
        about: 'Submits made and failed.',
        unit: 'short',
        isCount: true,
        wide: 12,
        queries: {
          fired: counted('twapd_strategy_fires_total'),
          failed: counted('twapd_strategy_failures_total'),
        },
      }),
    );
