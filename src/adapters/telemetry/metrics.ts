// Every metric the daemon exports: name, meaning, labels with their values, buckets. Base units only,
// counters end in `_total`, and no label ever holds an id: what one portfolio does is told by the API.
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { EndReason, SkipReason } from '../../core/portfolio/event.ts';
import { REJECTION_CODES } from '../../core/rejection.ts';
import type { DeskMethod, DeskOutcome, VenueMethod } from '../../ports/observer.ts';
import { MetricMaker } from './metric-maker.ts';

export interface MetricsOptions {
  readonly version: string;
  readonly deployment: string;
  /** Names of the configured venues: their series exist before the first request. */
  readonly venues: readonly string[];
  /** Short digest of the configuration in force. */
  readonly configHash?: string;
}

/** Seconds from due to sent: fine where the promises are, coarse where only "late" matters. */
const LATENESS_SEC = [
  0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
const REQUEST_SEC = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const COMMIT_SEC = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const SETTLE_SEC = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300];
const SHARE = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1];

const SKIP_REASONS = [
  'nothing_due',
  'below_minimum',
  'no_reference',
  'stale_reference',
  'outside_band',
  'risk_limit',
  'rejected',
  'late',
] as const satisfies readonly SkipReason[];
const END_REASONS = [
  'filled',
  'user_request',
  'cancel_all',
  'time_limit',
  'expired',
  'reject',
  'risk',
] as const satisfies readonly EndReason[];
const METHODS = ['place', 'edit', 'cancel', 'query'] as const satisfies readonly VenueMethod[];
const DESK_METHODS = [
  'enter',
  'edit',
  'cancel',
  'cancel_all',
] as const satisfies readonly DeskMethod[];
const DESK_OUTCOMES = [
  'done',
  'refused',
  'unknown',
  'blocked',
] as const satisfies readonly DeskOutcome[];
const CLASSES = ['ok', 'final', 'later', 'done', 'unknown'] as const;
const SIDES = ['buy', 'sell'] as const;
/** Where failures are known to happen; others appear when they first do. */
const FAILURE_PLACES = [
  'ledger',
  'invariant',
  'sweep',
  'compare',
  'scrape',
  'observer',
  'strategy',
  'venue.open_orders',
  'queue.schedule',
  'work_order.place',
  'work_order.edit',
  'work_order.cancel',
  'work_order.settle',
] as const;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** States of a child that can still change the totals; `fills_missing`: closed, with fills not seen yet. */
export const UNSETTLED_STATES = ['sending', 'live', 'unknown', 'fills_missing'] as const;

export type Metrics = ReturnType<typeof createMetrics>;

/** All metrics in a registry of their own; nothing is shared between two calls. */
export function createMetrics(options: MetricsOptions) {
  const registry = new Registry();
  // Their names are the Prometheus clients' own (`process_`, `nodejs_`), which ready-made panels expect.
  collectDefaultMetrics({ register: registry });
  const maker = new MetricMaker(registry);
  const metrics = {
    registry,
    ...portfolioMetrics(maker),
    ...sliceMetrics(maker),
    ...childMetrics(maker),
    ...venueMetrics(maker, options.venues),
    ...storeMetrics(maker),
    ...processMetrics(maker),
    ...strategyMetrics(maker),
    ...gatewayMetrics(maker),
  };
  const { version, deployment, configHash = '' } = options;
  metrics.buildInfo.set({ version, node: process.version }, 1);
  metrics.configInfo.set({ deployment, hash: configHash }, 1);
  return metrics;
}

const portfolioMetrics = (maker: MetricMaker) => ({
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

const sliceMetrics = (maker: MetricMaker) => ({
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

const childMetrics = (maker: MetricMaker) => ({
  childrenIntended: maker.counter(
    'twapd_children_intended_total',
    'Child orders made durable before being sent: the attempts behind the outcomes.',
  ),
  childOutcomes: maker.counter(
    'twapd_child_outcomes_total',
    'States child orders reached; one child passes through several.',
    { outcome: ['live', 'filled', 'cancelled', 'rejected', 'unknown', 'unsent'] },
  ),
  unsettledChildren: maker.gauge(
    'twapd_unsettled_children',
    'Child orders that can still change the totals, by state.',
    { state: UNSETTLED_STATES },
  ),
  undecidedOldest: maker.gauge(
    'twapd_undecided_child_oldest_timestamp_seconds',
    'When the oldest child without a known fate was intended (sending, unknown, fills missing); 0 for none.',
  ),
  unknownSettle: maker.histogram(
    'twapd_unknown_settle_seconds',
    'From losing sight of a child order to knowing its fate, by that fate.',
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
    'Price changes made durable before being sent.',
  ),
  reprices: maker.counter('twapd_reprices_total', 'Price changes by result.', {
    result: ['done', 'refused', 'unknown'],
  }),
  cancelsIntended: maker.counter(
    'twapd_cancels_intended_total',
    'Cancels made durable before being sent, repetitions included.',
  ),
  assumptionsBroken: maker.counter(
    'twapd_assumptions_broken_total',
    'Times the venue contradicted what had been taken as proven. Must stay 0.',
  ),
  foreignOrders: maker.counter(
    'twapd_foreign_orders_total',
    'Orders at a venue with a label of this deployment that no portfolio knows. Must stay 0.',
  ),
});

const venueMetrics = (maker: MetricMaker, venues: readonly string[]) => ({
  venueRequest: maker.histogram(
    'twapd_venue_request_seconds',
    'Round trip of a request to a venue, by method and class of the answer.',
    { buckets: REQUEST_SEC, labels: { venue: venues, method: METHODS, class: CLASSES } },
  ),
  deskRequests: maker.counter(
    'twapd_desk_requests_total',
    'Orders entered, edited and cancelled through the order methods, by outcome.',
    { method: DESK_METHODS, outcome: DESK_OUTCOMES },
  ),
  deskBlocks: maker.counter(
    'twapd_desk_blocks_total',
    'Orders of the order methods that a control refused, by control.',
    { control: ['order_quantity', 'order_price', 'order_value'] },
  ),
});

const storeMetrics = (maker: MetricMaker) => ({
  ledgerCommit: maker.histogram(
    'twapd_ledger_commit_seconds',
    'From handing a turn to the ledger to its word that it is durable.',
    { buckets: COMMIT_SEC },
  ),
  turns: maker.counter('twapd_turns_total', 'Turns committed.'),
  events: maker.counter('twapd_events_total', 'Events committed.'),
  turnConflicts: maker.counter(
    'twapd_turn_conflicts_total',
    'Turns decided again because another process was faster.',
  ),
  queueJobs: maker.gauge('twapd_queue_jobs', 'Jobs in the queue, by state; read at the scrape.', {
    state: ['waiting', 'delayed', 'active', 'failed'],
  }),
  queueUp: maker.gauge('twapd_queue_up', '1 when the queue answered at the scrape, else 0.'),
  sweeperRescues: maker.counter(
    'twapd_sweeper_rescues_total',
    'Portfolios the sweeper ran because the queue had not woken them in time.',
  ),
});

const processMetrics = (maker: MetricMaker) => ({
  recoverySeconds: maker.gauge(
    'twapd_recovery_duration_seconds',
    'How long the recovery at start took.',
  ),
  recoveredPortfolios: maker.gauge(
    'twapd_recovered_portfolios',
    'Portfolios the recovery at start found unfinished.',
  ),
  recoveredUnsettled: maker.gauge(
    'twapd_recovered_unsettled_children',
    'Child orders without a known fate the recovery at start found.',
  ),
  failures: maker.counter(
    'twapd_failures_total',
    'Failures that were dealt with, by where they happened.',
    { where: FAILURE_PLACES },
  ),
  eventLoopLag: maker.gauge(
    'twapd_event_loop_lag_seconds',
    'Delay of the event loop since the last scrape: median, 99th percentile, greatest.',
    { stat: ['p50', 'p99', 'max'] },
  ),
  eventLoopUtilization: maker.gauge(
    'twapd_event_loop_utilization_ratio',
    'Share of time the event loop was busy since the last scrape.',
  ),
  clockSteps: maker.counter(
    'twapd_clock_steps_total',
    'Jumps of the wall clock by more than 250 ms, by direction.',
    { direction: ['forward', 'back'] },
  ),
  logLines: maker.counter('twapd_log_lines_total', 'Log lines, by level.', { level: LOG_LEVELS }),
  logLinesDropped: maker.counter(
    'twapd_log_lines_dropped_total',
    'Log lines lost because nobody took them fast enough.',
  ),
  buildInfo: maker.gauge('twapd_build_info', 'Always 1; the version is in the labels.', {
    version: [],
    node: [],
  }),
  configInfo: maker.gauge('twapd_config_info', 'Always 1; the configuration is in the labels.', {
    deployment: [],
    hash: [],
  }),
});

const strategyMetrics = (maker: MetricMaker) => ({
  strategyFires: maker.counter(
    'twapd_strategy_fires_total',
    'Portfolios submitted by strategies that came due.',
  ),
  strategyFailures: maker.counter(
    'twapd_strategy_failures_total',
    'Strategies that came due and could not submit.',
  ),
  strategyLoads: maker.counter(
    'twapd_strategy_loads_total',
    'Readings of the strategy folder, by result.',
    { result: ['clean', 'faulty'] },
  ),
  strategies: maker.gauge('twapd_strategies', 'Strategies in force.'),
  strategyFaults: maker.gauge(
    'twapd_strategy_faults',
    'Faults the last reading of the strategy folder found.',
  ),
  strategyLoaded: maker.gauge(
    'twapd_strategy_load_timestamp_seconds',
    'When the strategy folder was last read without a fault.',
  ),
});

const gatewayMetrics = (maker: MetricMaker) => ({
  httpRequests: maker.counter(
    'twapd_http_requests_total',
    'Answered HTTP requests, by route template and status code.',
    { route: [], method: [], code: [] },
  ),
  httpSeconds: maker.histogram(
    'twapd_http_request_seconds',
    'From the request to the end of its answer, by route template.',
    { buckets: REQUEST_SEC, labels: { route: [] } },
  ),
  refusals: maker.counter('twapd_refusals_total', 'Requests refused, by kind of refusal.', {
    kind: Object.keys(REJECTION_CODES),
  }),
  authFailures: maker.counter(
    'twapd_auth_failures_total',
    'Requests and sockets whose signature was not accepted, by reason.',
    { reason: ['signature', 'timestamp', 'nonce_reused', 'forbidden', 'too_many_requests'] },
  ),
  wsClients: maker.gauge('twapd_ws_clients', 'Open WebSocket connections, by path.', {
    path: ['/ws/api', '/ws/portfolio'],
  }),
  wsDropped: maker.counter(
    'twapd_ws_dropped_total',
    'WebSocket connections the daemon closed, by reason.',
    { reason: ['slow', 'silent', 'protocol', 'unauthorised', 'unavailable', 'shutdown'] },
  ),
});
