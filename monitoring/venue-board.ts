// The dashboard of orders at venues, and of everything that may block them: limits, protection, switches.
import { type DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { board } from './board.ts';
import { bounds, linesPanel, statPanel } from './panels.ts';
import { counted, happened, perSecond, quantile } from './promql.ts';

const ROUND_TRIP = 'twapd_venue_request_seconds';

export function venueBoard(): DashboardBuilder {
  const venue = board({
    uid: 'twapd-venue',
    title: 'venue and risk',
    about:
      'Orders, round trips, limits, market-maker protection, Block RFQs, refusals, trading switches.',
  });
  return [standing, orders, venues, byHand, controls, protection].reduce(
    (made, add) => add(made),
    venue,
  );
}

const standing = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Now'))
    .withPanel(
      statPanel({
        title: 'Venues',
        about: 'Whether every venue can be traded on.',
        unit: 'short',
        expr: 'min(twapd_venue_up)',
        words: ['up', 'down'],
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
    )
    .withPanel(
      statPanel({
        title: 'Held',
        about: 'Accounts, strategies and portfolios whose switch is not active.',
        unit: 'short',
        expr: 'sum(twapd_trading_switches{scope!="deployment",state!="active"})',
        thresholds: bounds(1, 10),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Groups frozen',
        about: 'Groups of market-maker protection that are frozen or wait for a reset.',
        unit: 'short',
        expr: 'sum(twapd_mmp_groups)',
        thresholds: bounds(1, 5),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Oldest quote',
        about: 'Among the instruments of portfolios at work.',
        unit: 's',
        expr: 'max(twapd_venue_quote_age_seconds_max)',
        thresholds: bounds(2, 5),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Clock offset',
        about: 'Largest difference between the clock of a venue and ours.',
        unit: 's',
        expr: 'max(abs(twapd_venue_clock_offset_seconds))',
        thresholds: bounds(0.1, 0.5),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Audit breaches',
        about: 'Invariants the auditor found broken; must stay 0.',
        unit: 'short',
        expr: 'sum(twapd_audit_breaches_total)',
        thresholds: bounds(1),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Contradictions',
        about: 'Broken assumptions and orders nobody knows; must stay 0.',
        unit: 'short',
        expr: 'sum(twapd_assumptions_broken_total) + sum(twapd_foreign_orders_total)',
        thresholds: bounds(1),
      }),
    );

const orders = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Child orders'))
    .withPanel(
      linesPanel({
        title: 'Outcomes',
        about: 'States child orders reached per second, and those intended.',
        unit: 'ops',
        queries: {
          '{{outcome}}': perSecond('twapd_child_outcomes_total', 'outcome'),
          intended: perSecond('twapd_children_intended_total'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Intended by pricing',
        about: 'Child orders per second, by how their leg is priced.',
        unit: 'ops',
        isStacked: true,
        queries: { '{{pricing}}': perSecond('twapd_children_intended_total', 'pricing') },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Unsettled',
        about: 'Child orders that can still change the totals, by state.',
        unit: 'short',
        queries: { '{{state}}': 'sum by (state) (twapd_unsettled_children)' },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Time to settle lost ones',
        about: 'From losing sight of a child order to knowing its fate; 99.9 % within 30 s.',
        unit: 's',
        objective: 30,
        queries: {
          p50: quantile(0.5, 'twapd_unknown_settle_seconds'),
          p99: quantile(0.99, 'twapd_unknown_settle_seconds'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Reprices',
        about: 'Price changes per second: why they were tried, and what became of them.',
        unit: 'ops',
        queries: {
          'tried: {{reason}}': perSecond('twapd_reprices_intended_total', 'reason'),
          '{{result}}': perSecond('twapd_reprices_total', 'result'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Cancels',
        about: 'Cancelled orders, by reason.',
        unit: 'short',
        isCount: true,
        queries: { '{{reason}}': happened('twapd_cancels_intended_total', 'reason') },
      }),
    );

const venues = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Venues'))
    .withPanel(
      linesPanel({
        title: 'Round trip',
        about: 'Half and 99 % of the requests are answered within.',
        unit: 's',
        isLog: true,
        queries: {
          '{{method}} p50': quantile(0.5, ROUND_TRIP, ['method']),
          '{{method}} p99': quantile(0.99, ROUND_TRIP, ['method']),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Answers',
        about: 'Per second, by class; unknown means no usable reply.',
        unit: 'ops',
        queries: { '{{venue}} {{class}}': perSecond(`${ROUND_TRIP}_count`, 'venue, class') },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Market data',
        about: 'Oldest quote among the instruments of portfolios at work.',
        unit: 's',
        queries: { '{{venue}}': 'max by (venue) (twapd_venue_quote_age_seconds_max)' },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Quotes and instruments missing',
        about:
          'Instruments of portfolios at work without a quote, and interruptions of the stream.',
        unit: 'short',
        queries: {
          '{{venue}} without quote': 'sum by (venue) (twapd_venue_quotes_missing)',
          '{{venue}} stream broke': counted('twapd_venue_stream_breaks_total', 'venue'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Clock offset by venue',
        about:
          'Clock of the venue less ours; orders carry an instant from which the venue must refuse them.',
        unit: 's',
        queries: { '{{venue}}': 'max by (venue) (twapd_venue_clock_offset_seconds)' },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Rate limit left',
        about:
          'Share of a limit on messages that may still be used at once: of connections and accounts the one with least.',
        unit: 'percentunit',
        max: 1,
        queries: {
          '{{venue}} {{bucket}}':
            'min by (venue, bucket) (twapd_venue_rate_tokens / twapd_venue_rate_burst)',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Tradable instruments',
        about: 'How many the venue lists.',
        unit: 'short',
        wide: 24,
        high: 5,
        queries: { '{{venue}}': 'sum by (venue) (twapd_venue_instruments)' },
      }),
    );

const byHand = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Order methods and Block RFQs'))
    .withPanel(
      linesPanel({
        title: 'Order methods',
        about: 'Manual orders entered, edited and cancelled per second, by outcome.',
        unit: 'ops',
        queries: {
          '{{method}} {{outcome}}': `${perSecond('twapd_desk_requests_total', 'method, outcome')} > 0`,
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Block RFQ requests',
        about: 'Requests about Block RFQs and quotes, by method and outcome.',
        unit: 'short',
        isCount: true,
        queries: {
          '{{method}} {{outcome}}': happened('twapd_rfq_requests_total', 'method, outcome'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Block RFQs ended',
        about: 'By their end, and the quotes open at that moment.',
        unit: 'short',
        isCount: true,
        queries: {
          '{{end}}': happened('twapd_rfqs_ended_total', 'end'),
          'quotes seen': counted('twapd_rfq_quotes_seen_total'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Block RFQ round trip',
        about: '99 % of the requests about Block RFQs are answered within.',
        unit: 's',
        wide: 24,
        high: 6,
        queries: { '{{method}}': quantile(0.99, 'twapd_rfq_request_seconds', ['method']) },
      }),
    );

const controls = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Controls and switches'))
    .withPanel(
      linesPanel({
        title: 'Refused by a control',
        about: 'Requests refused before sending, by control and kind of request.',
        unit: 'short',
        isCount: true,
        queries: {
          '{{control}} ({{stage}})': happened('twapd_control_refusals_total', 'control, stage'),
          '{{control}} (manual)': happened('twapd_desk_blocks_total', 'control'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Switches',
        about: 'Trading switches that are not active, by scope.',
        unit: 'short',
        queries: {
          '{{scope}} {{state}}': 'sum by (scope, state) (twapd_trading_switches{state!="active"})',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Halts',
        about: 'From a halt to the last cancel sent, and to the proof that nothing is left.',
        unit: 's',
        queries: {
          'last cancel, p99': quantile(0.99, 'twapd_halt_sweep_seconds'),
          'proof, p99': quantile(0.99, 'twapd_halt_proof_seconds'),
          'orders left': counted('twapd_halt_orders_left_total'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Auditor',
        about: 'Checks that finished, trades handed to the engine, and invariants found broken.',
        unit: 'short',
        wide: 24,
        high: 6,
        queries: {
          'ran: {{check}}': counted('twapd_audit_runs_total', 'check'),
          'handed over': counted('twapd_audit_trades_handed_over_total'),
          'broken: {{invariant}}': happened('twapd_audit_breaches_total', 'invariant'),
        },
      }),
    );

const protection = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Market-maker protection'))
    .withPanel(
      linesPanel({
        title: 'Window use',
        about: '99 % of counted trades left the window below this share of its limit; 1 trips.',
        unit: 'percentunit',
        objective: 1,
        queries: {
          '{{kind}} {{limit}}': quantile(0.99, 'twapd_mmp_window_used_ratio', ['kind', 'limit']),
          'open now: {{kind}} {{limit}}': 'max by (kind, limit) (twapd_mmp_window_used_ratio_max)',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Groups not ready',
        about:
          'Frozen for a time, or waiting for a manual reset; and trips by the limit that was exceeded.',
        unit: 'short',
        queries: {
          '{{kind}} {{status}}': 'sum by (kind, status) (twapd_mmp_groups)',
          'trip: {{kind}} {{limit}}': happened('twapd_mmp_trips_total', 'kind, limit'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Traded after a trip',
        about:
          'Coins that tripped groups traded before their freeze ended; at most what waited at the venue.',
        unit: 'short',
        queries: {
          '{{kind}} {{index}}': happened('twapd_mmp_overshoot_coins_total', 'kind, index'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Trip to last cancel',
        about: '99 % of the trips have their last cancel sent within; the promise is 50 ms.',
        unit: 's',
        objective: 0.05,
        queries: { '{{kind}}': quantile(0.99, 'twapd_mmp_sweep_seconds', ['kind']) },
      }),
    );
