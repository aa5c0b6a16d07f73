// Test files that keep a real deployment busy for minutes. A run of all tests, which has to end within twelve minutes on two cores, leaves
// them out, and the long tasks have them.

/** Files that draw a few cases in every run (test/support/cases.ts), by subject; the long tasks draw several times as many. */
export const CASE_SUBJECTS: readonly {
  readonly name: string;
  readonly files: readonly string[];
}[] = [
  {
    name: 'the paper exchange, its market and its makers',
    files: [
      'test/adapters/paper/paper-desk.property.test.ts',
      'test/exchange/checks/self-trade.test.ts',
      'test/exchange/differential.test.ts',
      'test/exchange/market/calibration.test.ts',
      'test/exchange/market/free-lunch.test.ts',
      'test/exchange/market/makers.test.ts',
      'test/exchange/market/market.test.ts',
      'test/exchange/market/regimes.test.ts',
      'test/exchange/rfq/rfq.model.test.ts',
      'test/exchange/triggers/trigger-oracle.test.ts',
      'test/exchange/waiting-restart.test.ts',
      'test/gateway/deribit/account/account-figures.property.test.ts',
      'test/gateway/deribit/account/block-figures.property.test.ts',
      'test/gateway/deribit/account/settled-figures.property.test.ts',
      'test/gateway/deribit/combos/combo-figures.property.test.ts',
    ],
  },
  {
    name: 'portfolios, their snapshots and schedules, and prices of options',
    files: [
      'test/core/portfolio.model.test.ts',
      'test/core/portfolio/balance/balance.model.test.ts',
      'test/core/portfolio/recalled-children.property.test.ts',
      'test/core/portfolio/snapshot/state-snapshot.property.test.ts',
      'test/core/report/hedge-figures.property.test.ts',
      'test/core/report/report-figures.property.test.ts',
      'test/core/risk/gate/limits-used.property.test.ts',
      'test/core/schedule/due-index.test.ts',
      'test/core/trace-mutation.test.ts',
      'test/quant/accuracy.test.ts',
    ],
  },
  {
    name: 'the engine: ownership, hedges, audits and edits, and rows that a backtest passes over',
    files: [
      'test/engine/audit/late-notices.property.test.ts',
      'test/engine/hedges/hedge-proportion.test.ts',
      'test/engine/order-entry/edit-unit.property.test.ts',
      'test/engine/ownership/shard-ownership.property.test.ts',
      'test/engine/recovery/residual-rfq-crashes.test.ts',
      'test/virtual/backtest/passed-rows.test.ts',
    ],
  },
  {
    name: 'requests that nobody expects',
    files: [
      'test/gateway/deribit/security/deribit-fuzz.test.ts',
      'test/gateway/fuzz.test.ts',
      'test/gateway/order-api/fuzz.test.ts',
    ],
  },
];

/** Whole deployments, browsers and packages by subject. Each is a long task of its own. */
export const LONG_SUBJECTS: readonly {
  readonly name: string;
  readonly files: readonly string[];
}[] = [
  {
    name: 'the desk, the ticket and the operations of the page, in Chromium',
    files: [
      'test/page/desk-story.test.ts',
      'test/page/four-pictures.test.ts',
      'test/page/operations-story.test.ts',
      'test/page/ticket-story.test.ts',
    ],
  },
  {
    name: 'archived days, backups and ledgers of earlier versions',
    files: [
      'test/daemon/ledger/archive-bucket.daemon.test.ts',
      'test/daemon/ledger/backup.daemon.test.ts',
      'test/main/hostile-ledger.service.test.ts',
      'test/main/ledger/archive/archive-bucket.service.test.ts',
      'test/main/ledger/archive/archive-exports.service.test.ts',
      'test/main/ledger/archive/archive-reads.service.test.ts',
      'test/main/ledger/archive/archive-summaries.service.test.ts',
      'test/main/ledger/archive/archive.service.test.ts',
      'test/main/ledger/kept-ledgers.service.test.ts',
    ],
  },
  {
    name: 'Redis, PostgreSQL and the venue away, and starts with many portfolios',
    files: [
      'test/daemon/disk/full-disk.daemon.test.ts',
      'test/daemon/ledger-faults.daemon.test.ts',
      'test/daemon/queue-horizon.daemon.test.ts',
      'test/daemon/redis-faults.daemon.test.ts',
      'test/daemon/start-hold.daemon.test.ts',
      'test/daemon/venue-faults.daemon.test.ts',
      'test/daemon/waiting.daemon.test.ts',
    ],
  },
  {
    name: 'several daemons, reloads, and ends while a daemon starts',
    files: [
      'test/daemon/early-end.daemon.test.ts',
      'test/daemon/reload.daemon.test.ts',
      'test/daemon/several/several.daemon.test.ts',
    ],
  },
  {
    name: 'the embedded PostgreSQL, and faults of it and of Redis in their adapters',
    files: [
      'test/adapters/bullmq/redis-trouble.redis.test.ts',
      'test/adapters/postgres/embedded-postgres.pg.test.ts',
      'test/adapters/postgres/postgres-faults.pg.test.ts',
    ],
  },
  {
    name: 'blotter, portfolios and sign-in of the page, in Chromium',
    files: [
      'test/page/nginx-sign-in.daemon.test.ts',
      'test/page/page-restart.daemon.test.ts',
      'test/page/page-story.test.ts',
      'test/page/portfolio-story.test.ts',
      'test/page/proxy-sign-in.daemon.test.ts',
    ],
  },
  {
    name: 'private connections of each daemon, and orders that a desk enters',
    files: [
      'test/daemon/combo-leg.daemon.test.ts',
      'test/daemon/commands/blotter.daemon.test.ts',
      'test/daemon/end-rfq.daemon.test.ts',
      'test/daemon/exchange.daemon.test.ts',
      'test/daemon/liquidation.daemon.test.ts',
      'test/daemon/mmp-redis.daemon.test.ts',
      'test/daemon/several/private-connections.daemon.test.ts',
    ],
  },
  {
    name: 'exports, reconciliation, audit and witness',
    files: [
      'test/daemon/commands/export.daemon.test.ts',
      'test/daemon/commands/reconcile.daemon.test.ts',
      'test/daemon/ledger/audit.daemon.test.ts',
      'test/daemon/ledger/witness.daemon.test.ts',
      'test/main/commands/export-tables.service.test.ts',
      'test/main/ledger/witness.service.test.ts',
    ],
  },
  {
    name: 'installation, TLS, keys, notifications and monitoring',
    files: [
      'test/daemon/commands/check.daemon.test.ts',
      'test/daemon/installation/init.daemon.test.ts',
      'test/daemon/installation/tls.daemon.test.ts',
      'test/daemon/keys.daemon.test.ts',
      'test/daemon/notify/notify.daemon.test.ts',
      'test/daemon/watched.daemon.test.ts',
      'test/main/keys/keys-killed.service.test.ts',
      'test/monitoring/alert-rules.test.ts',
    ],
  },
  {
    name: 'clients in Python and TypeScript, recordings, sweeps, and the site',
    files: [
      'test/daemon/commands/recorded-combos.daemon.test.ts',
      'test/daemon/python/python.daemon.test.ts',
      'test/docs-site/site.test.ts',
      'test/gateway/docs/openapi-fuzz.test.ts',
      'test/gateway/examples.test.ts',
      'test/gateway/python/python-client.test.ts',
      'test/main/commands/completion/completion.test.ts',
      'test/main/commands/record-options.test.ts',
      'test/main/commands/sweep/rehearse.test.ts',
      'test/main/commands/sweep/sweep-command.test.ts',
    ],
  },
];

export const LONG_FILES: readonly string[] = [
  'test/resident/resident.daemon.test.ts',
  'test/daemon/balance.daemon.test.ts',
  'test/daemon/commands/capture.daemon.test.ts',
  'test/daemon/deribit-venue.daemon.test.ts',
  'test/daemon/documents/pages.daemon.test.ts',
  'test/daemon/durability-blocks.daemon.test.ts',
  'test/daemon/durability-kinds.daemon.test.ts',
  'test/daemon/process-faults.daemon.test.ts',
  'test/daemon/alerts/alerts.daemon.test.ts',
  'test/daemon/alerts/clocks.alerts.daemon.test.ts',
  'test/daemon/alerts/orders.alerts.daemon.test.ts',
  'test/daemon/alerts/owners.alerts.daemon.test.ts',
  'test/daemon/alerts/process.alerts.daemon.test.ts',
  'test/daemon/alerts/silence.alerts.daemon.test.ts',
  'test/daemon/alerts/unread.alerts.daemon.test.ts',
  'test/daemon/several/gateways.daemon.test.ts',
  'test/daemon/several/load-balancer.daemon.test.ts',
  'test/daemon/several/owner-faults.daemon.test.ts',
  'test/daemon/several/rolling-upgrade.daemon.test.ts',
  'test/main/ledger/archive/month.service.test.ts',
  ...LONG_SUBJECTS.flatMap(({ files }) => files),
];

/** Whether the words of a command select tests by their path, as `npm test -- test/core` does. */
export const isSelecting = (words: readonly string[]): boolean =>
  words.some((word) => /(^|\/)test\//.test(word));
