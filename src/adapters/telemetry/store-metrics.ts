// The ledger and the queue.
import type { MetricMaker } from './metric-maker.ts';
import { COMMIT_SEC } from './metric-values.ts';

export const storeMetrics = (maker: MetricMaker) => ({
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
