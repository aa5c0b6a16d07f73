// Metrics of the process: its start, its failures, its event loop, its log.

import { FAILURE_PLACES, LOG_LEVELS } from '../metric-values.ts';
import type { MetricMaker } from './metric-maker.ts';

export const processMetrics = (maker: MetricMaker) => ({
  ready: maker.gauge('twapd_ready', '1 when the daemon can trade, as GET /readyz says, else 0.'),
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
    'Child orders of unknown outcome that the recovery at start found.',
  ),
  failures: maker.counter('twapd_failures_total', 'Handled failures, by place.', {
    where: FAILURE_PLACES,
  }),
  programmingErrors: maker.counter(
    'twapd_programming_errors_total',
    'Mistakes of the program itself, by place; they also count as failures.',
    { where: FAILURE_PLACES },
  ),
  eventLoopLag: maker.gauge(
    'twapd_event_loop_lag_seconds',
    'Delay of the event loop in the last full 15 s: median, 99th percentile, maximum.',
    { stat: ['p50', 'p99', 'max'] },
  ),
  overloaded: maker.gauge(
    'twapd_overloaded',
    '1 while the engine refuses new portfolios because it has more to do than it can, else 0.',
  ),
  eventLoopUtilization: maker.gauge(
    'twapd_event_loop_utilization_ratio',
    'Share of time the event loop was busy in the last full 15 s.',
  ),
  diskFree: maker.gauge(
    'twapd_disk_free_bytes',
    'Free space on the disk of a folder that is written to; missing while the disk does not report it.',
    { folder: [] },
  ),
  diskSize: maker.gauge('twapd_disk_size_bytes', 'Size of the disk of such a folder.', {
    folder: [],
  }),
  diskInodesFree: maker.gauge(
    'twapd_disk_free_inodes',
    'Free inodes of the disk of such a folder; missing where there is no fixed number of them.',
    { folder: [] },
  ),
  diskInodes: maker.gauge('twapd_disk_inodes', 'Inodes of the disk of such a folder.', {
    folder: [],
  }),
  clockSteps: maker.counter(
    'twapd_clock_steps_total',
    'Jumps of the wall clock by more than 250 ms, by direction.',
    { direction: ['forward', 'back'] },
  ),
  logLines: maker.counter('twapd_log_lines_total', 'Log lines, by level.', { level: LOG_LEVELS }),
  logLinesDropped: maker.counter(
    'twapd_log_lines_dropped_total',
    'Log lines dropped because the destination was too slow.',
  ),
  buildInfo: maker.gauge('twapd_build_info', 'Always 1; the version is in the labels.', {
    version: [],
    node: [],
  }),
  configInfo: maker.gauge('twapd_config_info', 'Always 1; the configuration is in the labels.', {
    deployment: [],
    hash: [],
    runbook_url: [],
  }),
});
