// Metrics of the ledger and the queue.

import { COMMIT_SEC, GROUP_TURNS } from '../metric-values.ts';
import type { MetricMaker } from './metric-maker.ts';

export const storeMetrics = (maker: MetricMaker) => ({
  ledgerCommit: maker.histogram(
    'twapd_ledger_commit_seconds',
    'From handing a turn to the ledger to its confirmation that it is durable.',
    { buckets: COMMIT_SEC },
  ),
  ledgerUp: maker.gauge('twapd_ledger_up', '1 when the ledger answered at the scrape, else 0.'),
  newestBackup: maker.gauge(
    'twapd_backup_newest_timestamp_seconds',
    'When the newest backup of the ledger was taken; 0 if `backup` never took one. It lacks what was committed since.',
  ),
  newestHead: maker.gauge(
    'twapd_witness_newest_timestamp_seconds',
    'When the newest signed head of the ledger was made that the witness has, at least the start of the daemon; 0 without a witness.',
  ),
  ledgerGroupTurns: maker.histogram(
    'twapd_ledger_group_turns',
    'Turns written by one transaction.',
    { buckets: GROUP_TURNS },
  ),
  ledgerGroupSeconds: maker.histogram(
    'twapd_ledger_group_seconds',
    'How long one transaction of the ledger took.',
    { buckets: COMMIT_SEC },
  ),
  ledgerConnections: maker.gauge(
    'twapd_ledger_connections',
    'Connections for reading, by what they do, and reads that wait for one.',
    { state: ['busy', 'idle', 'waiting'] },
  ),
  turns: maker.counter('twapd_turns_total', 'Turns committed.'),
  events: maker.counter('twapd_events_total', 'Events committed.'),
  turnConflicts: maker.counter(
    'twapd_turn_conflicts_total',
    'Turns decided again after a conflict with another process.',
  ),
  queueJobs: maker.gauge('twapd_queue_jobs', 'Jobs in the queue, by state; read at the scrape.', {
    state: ['waiting', 'delayed', 'active', 'failed'],
  }),
  queueUp: maker.gauge('twapd_queue_up', '1 when the queue answered at the scrape, else 0.'),
  queueLead: maker.gauge(
    'twapd_queue_lead_seconds',
    'Configured lead of a job before its due time.',
  ),
  canaryAge: maker.gauge(
    'twapd_queue_canary_age_seconds',
    'Time since the last canary job came through the queue.',
  ),
  shardsOwned: maker.gauge(
    'twapd_shards_owned',
    'Shards of accounts that this daemon owns, of 256.',
  ),
  shardsMoved: maker.counter(
    'twapd_shards_moved_total',
    'Shards taken by this daemon (gained) and given up or lost by it (lost).',
    { outcome: ['gained', 'lost'] },
  ),
  sweeperRescues: maker.counter(
    'twapd_sweeper_rescues_total',
    'Portfolios the sweeper ran because the queue had not woken them in time.',
  ),
});
