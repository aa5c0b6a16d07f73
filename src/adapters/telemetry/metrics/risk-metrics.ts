// Metrics of risk controls, trading switches, market-maker protection, Block RFQs and the auditor.

import {
  CONTROL_STAGES,
  DESK_OUTCOMES,
  IMBALANCE,
  IMBALANCE_COINS,
  MMP_KINDS,
  MMP_LIMITS,
  MMP_STATUSES,
  MMP_USE,
  ORDER_CONTROLS,
  RFQ_ENDS,
  RFQ_METHODS,
  SWEEP_SEC,
  SWITCH_SCOPES,
  SWITCH_STATES,
} from '../metric-values.ts';
import type { MetricMaker } from './metric-maker.ts';

export const riskMetrics = (maker: MetricMaker) => ({
  controlRefusals: maker.counter(
    'twapd_control_refusals_total',
    'Requests a control refused before they were sent, by control and kind of request.',
    { control: ORDER_CONTROLS, stage: CONTROL_STAGES },
  ),
  switches: maker.gauge(
    'twapd_trading_switches',
    'Trading switches by scope and state. That of the deployment always exists; others count while they are not active.',
    { scope: SWITCH_SCOPES, state: SWITCH_STATES },
  ),
  sweepSeconds: maker.histogram(
    'twapd_halt_sweep_seconds',
    'From a halt to the last cancel sent.',
    { buckets: SWEEP_SEC },
  ),
  sweepProof: maker.histogram(
    'twapd_halt_proof_seconds',
    'From a halt until the venue confirms that no order is open.',
    { buckets: SWEEP_SEC },
  ),
  sweepLeft: maker.counter(
    'twapd_halt_orders_left_total',
    'Orders that were still open when a halt gave up cancelling them. Must stay 0.',
  ),
  legImbalance: maker.histogram(
    'twapd_leg_imbalance_ratio',
    'After each fill of a balanced portfolio: how far the leg furthest ahead is from proportion, as a share of its bound. Never above 1.',
    { buckets: IMBALANCE },
  ),
  legImbalanceDelta: maker.histogram(
    'twapd_leg_imbalance_delta_coins',
    'After each fill of a balanced portfolio: net delta of what is filled beyond proportion, without sign, in coins.',
    { buckets: IMBALANCE_COINS },
  ),
  partImbalance: maker.histogram(
    'twapd_part_imbalance_ratio',
    'The furthest that the legs of a balanced portfolio were from proportion in a part, as a share of the bound.',
    { buckets: IMBALANCE },
  ),
  auditRuns: maker.counter('twapd_audit_runs_total', 'Checks of the auditor that finished.', {
    check: [],
  }),
  auditLast: maker.gauge(
    'twapd_audit_last_run_timestamp_seconds',
    'When a check of the auditor last finished.',
    { check: [] },
  ),
  auditHandedOver: maker.counter(
    'twapd_audit_trades_handed_over_total',
    'Trades without a timely notice that the auditor passed to the engine.',
  ),
  auditBreaches: maker.counter(
    'twapd_audit_breaches_total',
    'Invariants the auditor found broken, by number. Must stay 0.',
    { invariant: Array.from({ length: 20 }, (_, index) => `I${index + 1}`) },
  ),
});

export const mmpMetrics = (maker: MetricMaker) => ({
  mmpUsed: maker.histogram(
    'twapd_mmp_window_used_ratio',
    'Share of each limit the window had used after a counted trade; 1 and more trips.',
    { buckets: MMP_USE, labels: { kind: MMP_KINDS, limit: MMP_LIMITS } },
  ),
  mmpUsedMax: maker.gauge(
    'twapd_mmp_window_used_ratio_max',
    'Share of each limit used by the open windows, of the group that has used most of it.',
    { kind: MMP_KINDS, limit: MMP_LIMITS },
  ),
  mmpTrips: maker.counter('twapd_mmp_trips_total', 'Trips of market-maker protection.', {
    kind: MMP_KINDS,
    limit: MMP_LIMITS,
  }),
  mmpOvershoot: maker.counter(
    'twapd_mmp_overshoot_coins_total',
    'Gross size in coins that tripped groups traded after their limit was reached, before their freeze ended.',
    { kind: MMP_KINDS, index: [] },
  ),
  mmpGroups: maker.gauge(
    'twapd_mmp_groups',
    'Groups of market-maker protection that are not ready: frozen for a time, or waiting for a reset.',
    { kind: MMP_KINDS, status: MMP_STATUSES.filter((status) => status !== 'ready') },
  ),
  mmpSweep: maker.histogram(
    'twapd_mmp_sweep_seconds',
    'From a trip to the last cancel of the group sent.',
    { buckets: SWEEP_SEC, labels: { kind: MMP_KINDS } },
  ),
  rfqRequests: maker.counter(
    'twapd_rfq_requests_total',
    'Requests about Block RFQs and their quotes, by outcome.',
    { method: RFQ_METHODS, outcome: DESK_OUTCOMES },
  ),
  rfqSeconds: maker.histogram(
    'twapd_rfq_request_seconds',
    'Round trip of a request about a Block RFQ.',
    { buckets: SWEEP_SEC, labels: { method: RFQ_METHODS } },
  ),
  rfqEnds: maker.counter('twapd_rfqs_ended_total', 'Block RFQs of our takers, by outcome.', {
    end: RFQ_ENDS,
  }),
  rfqQuotes: maker.counter(
    'twapd_rfq_quotes_seen_total',
    'Quotes that were open when a Block RFQ of our takers ended.',
  ),
});
