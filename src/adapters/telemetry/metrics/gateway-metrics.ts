// Metrics of due strategies and of the gateway's clients.
import { REJECTION_CODES } from '../../../core/rejection.ts';
import { REQUEST_SEC, WS_PATHS } from '../metric-values.ts';
import type { MetricMaker } from './metric-maker.ts';

export const strategyMetrics = (maker: MetricMaker) => ({
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
    'Reads of the strategy folder, by result.',
    { result: ['clean', 'faulty'] },
  ),
  strategies: maker.gauge('twapd_strategies', 'Strategies in force.'),
  strategyFaults: maker.gauge(
    'twapd_strategy_faults',
    'Faults found by the last read of the strategy folder.',
  ),
  strategyLoaded: maker.gauge(
    'twapd_strategy_load_timestamp_seconds',
    'When the strategy folder was last read without a fault.',
  ),
});

export const gatewayMetrics = (maker: MetricMaker) => ({
  httpRequests: maker.counter(
    'twapd_http_requests_total',
    'Answered HTTP requests, by route template and status code.',
    { route: [], method: [], code: [] },
  ),
  httpInFlight: maker.gauge('twapd_http_requests_in_flight', 'HTTP requests in progress.'),
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
    path: WS_PATHS,
  }),
  wsBacklog: maker.askedGauge(
    'twapd_ws_backlog_bytes',
    'Bytes that clients have not read yet, by path.',
    { path: WS_PATHS },
  ),
  wsDropped: maker.counter(
    'twapd_ws_dropped_total',
    'WebSocket connections the daemon closed, by reason.',
    { reason: ['slow', 'silent', 'protocol', 'unauthorised', 'unavailable', 'shutdown'] },
  ),
});
