// For every alert the series that must make it fire, in promtool's notation, and when it must have fired.

export interface AlertCase {
  readonly alert: string;
  readonly series: Readonly<Record<string, string>>;
  /** When it must be firing. */
  readonly at: string;
  /** How often the series is scraped; absent: as those of the same span. */
  readonly scraped?: string;
}

/** A histogram that observes `perMinute` values, of which `within` are at or below the relevant bound. */
const histogram = (
  name: string,
  le: string,
  perMinute: number,
  within: number,
  minutes: number,
) => ({
  [`${name}_count`]: `0+${perMinute}x${minutes}`,
  [`${name}_bucket{le="+Inf"}`]: `0+${perMinute}x${minutes}`,
  [`${name}_bucket{le="${le}"}`]: `0+${within}x${minutes}`,
});

const LATENESS = 'twapd_slice_lateness_seconds';
const SETTLING = 'twapd_unknown_settle_seconds';
const DAY = 24 * 60;

/** `errors` of 10 000 replies per minute are server errors. */
const http = (errors: number, minutes: number) => ({
  'twapd_http_requests_total{route="/x",code="200"}': `0+${10_000 - errors}x${minutes}`,
  'twapd_http_requests_total{route="/x",code="503"}': `0+${errors}x${minutes}`,
});

const GIB = 2 ** 30;
const disk = (freeBytes: number, sizeBytes: number) => ({
  'twapd_disk_free_bytes{folder="data",part="engine"}': `${freeBytes}x20`,
  'twapd_disk_size_bytes{folder="data",part="engine"}': `${sizeBytes}x20`,
});

const inodes = (free: number, total: number) => ({
  'twapd_disk_free_inodes{folder="data",part="engine"}': `${free}x20`,
  'twapd_disk_inodes{folder="data",part="engine"}': `${total}x20`,
});

const at = (alert: string, when: string, series: AlertCase['series']): AlertCase => ({
  alert,
  at: when,
  series,
});

export const ALERT_CASES: readonly AlertCase[] = [
  // 2 % is 20 times the budget, 0.8 % eight times, 0.4 % four times, 0.15 % one and a half times.
  at('TwapdSlicesLateFast', '1h5m', histogram(LATENESS, '0.25', 1_000, 980, 70)),
  at('TwapdSlicesLateFast', '6h5m', histogram(LATENESS, '0.25', 1_000, 992, 370)),
  at('TwapdSlicesLateSlow', '1d', histogram(LATENESS, '0.25', 1_000, 996, DAY + 10)),
  at('TwapdSlicesLateSlow', '3d', histogram(LATENESS, '0.25', 10_000, 9_985, 3 * DAY + 10)),
  at('TwapdUnknownSettledLateFast', '1h5m', histogram(SETTLING, '30', 1_000, 980, 70)),
  at('TwapdUnknownSettledLateFast', '6h5m', histogram(SETTLING, '30', 1_000, 992, 370)),
  at('TwapdUnknownSettledLateSlow', '1d', histogram(SETTLING, '30', 1_000, 996, DAY + 10)),
  at('TwapdUnknownSettledLateSlow', '3d', histogram(SETTLING, '30', 10_000, 9_985, 3 * DAY + 10)),
  at('TwapdHttpErrorsFast', '1h5m', http(100, 70)),
  at('TwapdHttpErrorsFast', '6h5m', http(40, 370)),
  at('TwapdHttpErrorsSlow', '1d', http(20, DAY + 10)),
  at('TwapdHttpErrorsSlow', '3d', http(8, 3 * DAY + 10)),

  at('TwapdBlipHealed', '1h', { twapd_ledger_up: '1x30 0 1x60' }),
  at('TwapdBlipHealed', '1h', { twapd_queue_up: '1x30 0 1x60' }),
  at('TwapdBlipHealed', '1h', { 'twapd_failures_total{where="ledger"}': '0x30 5x60' }),

  at('TwapdPortfolioStuck', '5m', { twapd_portfolio_overdue_seconds_max: '0+60x10' }),
  at('TwapdAssumptionBroken', '5m', { twapd_assumptions_broken_total: '0 0 1x10' }),
  at('TwapdForeignOrder', '5m', { twapd_foreign_orders_total: '0 0 1x10' }),
  // Since the tenth second of the epoch; the test's clock starts at the epoch.
  at('TwapdUndecidedChildOld', '5m', { twapd_undecided_child_oldest_timestamp_seconds: '10x10' }),
  at('TwapdSlicesMissed', '5m', { twapd_slices_missed_total: '0 0 4x10' }),
  at('TwapdSlicesSkipped', '20m', {
    'twapd_slices_skipped_total{reason="no_reference"}': '0+6x30',
    twapd_slices_started_total: '0+10x30',
  }),
  at('TwapdBehindSchedule', '10m', { twapd_schedule_shortfall_ratio_max: '0.3x20' }),
  at('TwapdVenueDown', '3m', { 'twapd_venue_up{venue="paper"}': '1 0x10' }),
  at('TwapdVenueRateSpent', '4m', {
    'twapd_venue_rate_tokens{venue="paper",bucket="messages"}': '20 1x10',
    'twapd_venue_rate_burst{venue="paper",bucket="messages"}': '20x11',
  }),
  at('TwapdVenueRateSpent', '4m', {
    'twapd_slice_waits_total{reason="message_budget"}': '0+2x10',
    twapd_slices_started_total: '0+10x10',
  }),
  at('TwapdMarketDataStale', '3m', {
    'twapd_venue_quote_age_seconds_max{venue="paper"}': '0 9x10',
  }),
  at('TwapdMarketDataStale', '3m', { 'twapd_venue_quotes_missing{venue="paper"}': '0 1x10' }),
  at('TwapdClockOffset', '5m', { 'twapd_venue_clock_offset_seconds{venue="paper"}': '-0.2x10' }),
  at('TwapdLedgerDown', '3m', { twapd_ledger_up: '1 0x10' }),
  {
    ...at('TwapdLedgerFailing', '2m', { 'twapd_failures_total{where="ledger"}': '0x10 0+1x20' }),
    scraped: '5s',
  },
  at('TwapdLedgerSlow', '12m', {
    ...histogram('twapd_ledger_commit_seconds', '0.1', 100, 90, 20),
    'twapd_ledger_commit_seconds_bucket{le="0.25"}': '0+100x20',
  }),
  at('TwapdQueueDown', '4m', { twapd_queue_up: '1 0x10' }),
  at('TwapdQueueWedged', '4m', {
    twapd_queue_up: '1x10',
    twapd_queue_canary_age_seconds: '0+60x10',
  }),
  at('TwapdOverloaded', '5m', { twapd_overloaded: '0 0 1x10' }),
  at('TwapdSweeperRescuing', '12m', { twapd_sweeper_rescues_total: '0+2x20' }),
  at('TwapdTurnConflicts', '12m', {
    twapd_turn_conflicts_total: '0+10x20',
    twapd_turns_total: '0+100x20',
  }),
  at('TwapdVenueUnanswered', '10m', {
    'twapd_venue_request_seconds_count{venue="paper",class="unknown"}': '0+10x20',
    'twapd_venue_request_seconds_count{venue="paper",class="ok"}': '0+90x20',
  }),
  at('TwapdChildrenRejected', '20m', {
    'twapd_child_outcomes_total{outcome="rejected"}': '0+30x30',
    twapd_children_intended_total: '0+100x30',
  }),
  at('TwapdVenueSlow', '12m', {
    'twapd_venue_request_seconds_bucket{venue="paper",method="place",le="1"}': '0+90x20',
    'twapd_venue_request_seconds_bucket{venue="paper",method="place",le="2.5"}': '0+100x20',
    'twapd_venue_request_seconds_bucket{venue="paper",method="place",le="+Inf"}': '0+100x20',
  }),
  at('TwapdTradingHeld', '2m', {
    'twapd_trading_switches{scope="deployment",state="active"}': '1 0x10',
  }),
  at('TwapdSwitchHeld', '4m', {
    'twapd_trading_switches{scope="account",state="halted"}': '0 1x10',
  }),
  at('TwapdHedgeOpen', '4m', { twapd_hedges_left_open_total: '0 0 1x10' }),
  at('TwapdHedgeBehind', '14m', {
    'twapd_unhedged_quantity{instrument="BTC-PERPETUAL"}': '10000x20',
  }),
  at('TwapdHaltOrdersLeft', '4m', { twapd_halt_orders_left_total: '0 0 2x10' }),
  at('TwapdAuditBreach', '4m', { 'twapd_audit_breaches_total{invariant="I4"}': '0 0 1x10' }),
  at('TwapdAuditBreach', '4m', { 'twapd_audit_breaches_total{invariant="positions"}': '_ _ 1x10' }),
  at('TwapdAuditSilent', '5m', {
    'twapd_audit_last_run_timestamp_seconds{check="orders"}': '10x10',
  }),
  // One check continues, and another does not.
  at('TwapdAuditSilent', '5m', {
    'twapd_audit_last_run_timestamp_seconds{check="state"}': '0+60x10',
    'twapd_audit_last_run_timestamp_seconds{check="ledger"}': '10x10',
  }),
  at('TwapdMmpWaiting', '2m', { 'twapd_mmp_groups{kind="order",status="waiting"}': '0 1x10' }),
  at('TwapdControlsRefusing', '8m', {
    'twapd_control_refusals_total{control="order_value",stage="child"}': '0+4x10',
  }),
  at('TwapdNotReady', '4m', { twapd_ready: '1 0x10' }),
  at('TwapdDown', '3m', { 'up{job="twapd"}': '1 0x10' }),
  at('TwapdDown', '3m', {}),
  at('TwapdRestarting', '10m', {
    'process_start_time_seconds{job="twapd"}': '100 100 200 300 400x10',
  }),
  at('TwapdEventLoopLag', '5m', { 'twapd_event_loop_lag_seconds{stat="p99"}': '0.2x10' }),
  at('TwapdClockStepped', '5m', { 'twapd_clock_steps_total{direction="back"}': '0 0 1x10' }),
  at('TwapdProgrammingError', '3m', {
    'twapd_programming_errors_total{where="venue_call.place"}': '0 1x10',
  }),
  at('TwapdFailures', '10m', { 'twapd_failures_total{where="sweep"}': '0+1x20' }),
  at('TwapdStrategyFaults', '10m', { twapd_strategy_faults: '1x20' }),
  at('TwapdStrategyFailed', '5m', { twapd_strategy_failures_total: '0 0 1x10' }),
  at('TwapdAuthFailures', '15m', { 'twapd_auth_failures_total{reason="signature"}': '0+120x20' }),
  at('TwapdLogLinesDropped', '5m', { twapd_log_lines_dropped_total: '0 0 9x10' }),
  // Taken in the tenth second of the epoch.
  at('TwapdWitnessOld', '2h', { twapd_witness_newest_timestamp_seconds: '10x120' }),
  // A disk of 100 GiB, and one of 4 TiB, where 18 GiB are below the bound of 20 GiB and 3 GiB below that of 4 GiB.
  at('TwapdDiskLow', '10m', disk(9 * GIB, 100 * GIB)),
  at('TwapdDiskLow', '10m', disk(18 * GIB, 4_096 * GIB)),
  at('TwapdDiskLow', '10m', { ...disk(90 * GIB, 100 * GIB), ...inodes(90_000, 1_000_000) }),
  at('TwapdDiskLow', '10m', { ...disk(90 * GIB, 100 * GIB), ...inodes(190_000, 60_000_000) }),
  at('TwapdDiskFull', '5m', { ...disk(90 * GIB, 100 * GIB), ...inodes(15_000, 1_000_000) }),
  at('TwapdDiskFull', '5m', disk(1.5 * GIB, 100 * GIB)),
  at('TwapdDiskFull', '5m', disk(3 * GIB, 4_096 * GIB)),
  at('TwapdBackupOld', '27h', { twapd_backup_newest_timestamp_seconds: '10x1620' }),
];
