// The dashboard of the infrastructure: queue, ledger, gateway, event loop, memory, log; and how much of each
// objective's budget is spent.
import { type DashboardBuilder, RowBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { board } from './board.ts';
import { bounds, linesPanel, statPanel } from './panels.ts';
import { counted, happened, perSecond, quantile } from './promql.ts';

export function healthBoard(): DashboardBuilder {
  const health = board({
    uid: 'twapd-health',
    title: 'health',
    about: 'Objectives, queue, ledger, gateway, process.',
    from: 'now-1h',
  });
  return [now, objectives, queue, ledger, gateway, processRow].reduce(
    (made, add) => add(made),
    health,
  );
}

const now = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Now'))
    .withPanel(
      statPanel({
        title: 'Scrape',
        about: 'Whether the daemon answers Prometheus.',
        unit: 'short',
        expr: 'min(up{job="twapd"})',
        words: ['up', 'down'],
      }),
    )
    .withPanel(
      statPanel({
        title: 'Ready',
        about: 'Whether it can trade.',
        unit: 'short',
        expr: 'min(twapd_ready)',
        words: ['ready', 'not ready'],
      }),
    )
    .withPanel(
      statPanel({
        title: 'Queue',
        about: 'Whether Redis answered at the last scrape.',
        unit: 'short',
        expr: 'min(twapd_queue_up)',
        words: ['up', 'down'],
      }),
    )
    .withPanel(
      statPanel({
        title: 'Ledger',
        about: 'Whether PostgreSQL answered at the last scrape.',
        unit: 'short',
        expr: 'min(twapd_ledger_up)',
        words: ['up', 'down'],
      }),
    )
    .withPanel(
      statPanel({
        title: 'Failures',
        about: 'Failures that were dealt with, last 15 minutes.',
        unit: 'short',
        decimals: 0,
        expr: 'sum(increase(twapd_failures_total[15m]))',
        thresholds: bounds(1, 10),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Event loop p99',
        about: 'Delay of the event loop in the last full 15 s.',
        unit: 's',
        expr: 'max(twapd_event_loop_lag_seconds{stat="p99"})',
        thresholds: bounds(0.025, 0.1),
      }),
    )
    .withPanel(
      statPanel({
        title: 'Up since',
        about: 'Since the last start of the process.',
        unit: 's',
        expr: 'time() - max(process_start_time_seconds{job="twapd"})',
      }),
    )
    .withPanel(
      statPanel({
        title: 'Last recovery',
        about: 'How long recovery took at the last start.',
        unit: 's',
        expr: 'max(twapd_recovery_duration_seconds)',
        thresholds: bounds(2, 10),
      }),
    );

const objectives = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Objectives'))
    .withPanel(
      linesPanel({
        title: 'Slices within 250 ms',
        about:
          'How many times faster than allowed the month’s budget is being spent: 1 is exactly on budget.',
        unit: 'short',
        objective: 1,
        queries: burn('slices_late', 0.001),
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Lost orders settled within 30 s',
        about:
          'How many times faster than allowed the month’s budget is being spent: 1 is exactly on budget.',
        unit: 'short',
        objective: 1,
        queries: burn('unknown_slow', 0.001),
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Answers without a server error',
        about:
          'How many times faster than allowed the month’s budget is being spent: 1 is exactly on budget.',
        unit: 'short',
        objective: 1,
        queries: burn('http_errors', 0.0005),
      }),
    );

const burn = (ratio: string, budget: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['5m', '1h', '6h', '3d'].map((window) => [
      window,
      `twapd:${ratio}:ratio_rate${window} / ${budget}`,
    ]),
  );

const queue = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Queue'))
    .withPanel(
      linesPanel({
        title: 'Jobs',
        about: 'Jobs by state; about one delayed per portfolio at work is ordinary, failed is not.',
        unit: 'short',
        queries: { '{{state}}': 'sum by (state) (twapd_queue_jobs)' },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Canary',
        about: 'Time since a test job last went through, and how early jobs are requested.',
        unit: 's',
        queries: {
          'canary age': 'max(twapd_queue_canary_age_seconds)',
          lead: 'max(twapd_queue_lead_seconds)',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Sweeper rescues',
        about: 'Portfolios the queue had not woken in time.',
        unit: 'short',
        isCount: true,
        queries: { rescued: counted('twapd_sweeper_rescues_total') },
      }),
    );

const ledger = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Ledger'))
    .withPanel(
      linesPanel({
        title: 'Commit',
        about: 'From handing over a turn to its being durable, and one transaction alone.',
        unit: 's',
        isLog: true,
        queries: {
          'turn p50': quantile(0.5, 'twapd_ledger_commit_seconds'),
          'turn p99': quantile(0.99, 'twapd_ledger_commit_seconds'),
          'transaction p99': quantile(0.99, 'twapd_ledger_group_seconds'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Turns',
        about: 'Turns and events committed per second, and turns decided twice.',
        unit: 'ops',
        queries: {
          turns: perSecond('twapd_turns_total'),
          events: perSecond('twapd_events_total'),
          conflicts: perSecond('twapd_turn_conflicts_total'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Owned shards',
        about: 'Shards of accounts that each daemon owns; together 256.',
        unit: 'short',
        queries: { owned: 'twapd_shards_owned', moved: perSecond('twapd_shards_moved_total') },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Groups and readers',
        about: 'Turns in a transaction, and connections for reading.',
        unit: 'short',
        queries: {
          'turns, p50': quantile(0.5, 'twapd_ledger_group_turns'),
          'turns, p99': quantile(0.99, 'twapd_ledger_group_turns'),
          'reading: {{state}}': 'sum by (state) (twapd_ledger_connections)',
        },
      }),
    );

const gateway = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Gateway'))
    .withPanel(
      linesPanel({
        title: 'Requests',
        about: 'Per second, by status code.',
        unit: 'ops',
        isStacked: true,
        queries: { '{{code}}': perSecond('twapd_http_requests_total', 'code') },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Request time',
        about: 'By route, 99 % are answered within.',
        unit: 's',
        queries: { '{{route}}': quantile(0.99, 'twapd_http_request_seconds', ['route']) },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Refusals',
        about: 'By kind; failed authentication once more by reason.',
        unit: 'short',
        isCount: true,
        queries: {
          '{{kind}}': happened('twapd_refusals_total', 'kind'),
          'auth {{reason}}': happened('twapd_auth_failures_total', 'reason'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Sockets',
        about:
          'Open WebSocket connections, requests being answered, and sockets the daemon closed.',
        unit: 'short',
        wide: 12,
        queries: {
          '{{path}}': 'sum by (path) (twapd_ws_clients)',
          'requests in flight': 'sum(twapd_http_requests_in_flight)',
          'dropped {{reason}}': happened('twapd_ws_dropped_total', 'reason'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Backlog',
        about: 'What WebSocket clients have not read yet; who falls too far behind is cut.',
        unit: 'bytes',
        wide: 12,
        queries: { '{{path}}': 'sum by (path) (twapd_ws_backlog_bytes)' },
      }),
    );

const processRow = (made: DashboardBuilder): DashboardBuilder =>
  made
    .withRow(new RowBuilder('Process'))
    .withPanel(
      linesPanel({
        title: 'Event loop',
        about: 'How long timers wait for their turn in the last full 15 s.',
        unit: 's',
        isLog: true,
        queries: { '{{stat}}': 'max by (stat) (twapd_event_loop_lag_seconds)' },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Busy',
        about:
          'Share of time the event loop was busy, processor cores used, and whether new portfolios are refused.',
        unit: 'percentunit',
        queries: {
          'event loop': 'max(twapd_event_loop_utilization_ratio)',
          overloaded: 'max(twapd_overloaded)',
          'processor cores': 'sum(rate(process_cpu_seconds_total{job="twapd"}[$__rate_interval]))',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Memory',
        about: 'Resident set, heap in use, and what lies outside the heap.',
        unit: 'bytes',
        queries: {
          resident: 'sum(process_resident_memory_bytes{job="twapd"})',
          heap: 'sum(nodejs_heap_size_used_bytes{job="twapd"})',
          external: 'sum(nodejs_external_memory_bytes{job="twapd"})',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Free space',
        about:
          'What the disk of each folder has left, of bytes and of inodes. People are notified below 10 % and 2 %.',
        unit: 'percentunit',
        queries: {
          '{{folder}}': 'min by (folder) (twapd_disk_free_bytes / twapd_disk_size_bytes)',
          '{{folder}}, inodes': 'min by (folder) (twapd_disk_free_inodes / twapd_disk_inodes)',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Garbage collection',
        about: 'Seconds spent on it per second, by kind.',
        unit: 'percentunit',
        queries: {
          '{{kind}}':
            'sum by (kind) (rate(nodejs_gc_duration_seconds_sum{job="twapd"}[$__rate_interval]))',
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Failures handled',
        about: 'Failures by where, mistakes of the program among them, and jumps of the clock.',
        unit: 'short',
        isCount: true,
        queries: {
          '{{where}}': happened('twapd_failures_total', 'where'),
          'mistake in {{where}}': happened('twapd_programming_errors_total', 'where'),
          'clock {{direction}}': happened('twapd_clock_steps_total', 'direction'),
        },
      }),
    )
    .withPanel(
      linesPanel({
        title: 'Log',
        about: 'Lines at warning or worse, and lines that were lost.',
        unit: 'short',
        isCount: true,
        queries: {
          '{{level}}': happened('twapd_log_lines_total{level=~"warn|error|fatal"}', 'level'),
          lost: counted('twapd_log_lines_dropped_total'),
        },
      }),
    );
