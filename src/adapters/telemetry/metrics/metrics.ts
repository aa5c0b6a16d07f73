// Every metric the daemon exports, by family; each family's file has names, meaning and labels, and
// `metric-values.ts` the label values and buckets. Base units only, counters end in `_total`.
import { collectDefaultMetrics } from 'prom-client';
import { childMetrics } from './child-metrics.ts';
import { portfolioMetrics, sliceMetrics } from './execution-metrics.ts';
import { Exposition } from './exposition.ts';
import { gatewayMetrics, strategyMetrics } from './gateway-metrics.ts';
import { MetricMaker } from './metric-maker.ts';
import { processMetrics } from './process-metrics.ts';
import { mmpMetrics, riskMetrics } from './risk-metrics.ts';
import { storeMetrics } from './store-metrics.ts';
import { venueMetrics } from './venue-metrics.ts';

export interface MetricsOptions {
  readonly version: string;
  readonly deployment: string;
  /** Names of the configured venues, whose series exist before the first request. */
  readonly venues: readonly string[];
  /** Short digest of the configuration in force. */
  readonly configHash?: string;
  /** Address of docs/operations.md, which alerts link to. */
  readonly runbookUrl?: string | undefined;
}

/** Replaced by `twapd_event_loop_lag_seconds`, which excludes the sampler's own interval. */
const SAMPLED_LAG = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'] as const;
/**
 * The client's sampler cannot be disabled; at its default of 10 ms it causes most wake-ups of an idle
 * process.
 */
const UNUSED_SAMPLER_MS = 60_000;

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates all metrics in a new registry; two calls share nothing. */
export function createMetrics(options: MetricsOptions) {
  const registry = new Exposition();
  // Their names are those of the Prometheus clients (`process_`, `nodejs_`), which standard dashboards expect.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: UNUSED_SAMPLER_MS });
  for (const name of SAMPLED_LAG)
    registry.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`);
  const maker = new MetricMaker(registry);
  const metrics = {
    registry,
    ...portfolioMetrics(maker),
    ...sliceMetrics(maker),
    ...childMetrics(maker),
    ...venueMetrics(maker, options.venues),
    ...storeMetrics(maker),
    ...processMetrics(maker),
    ...riskMetrics(maker),
    ...mmpMetrics(maker),
    ...strategyMetrics(maker),
    ...gatewayMetrics(maker),
  };
  const { version, deployment, configHash = '', runbookUrl = '' } = options;
  metrics.switches.set({ scope: 'deployment', state: 'active' }, 1);
  metrics.buildInfo.set({ version, node: process.version }, 1);
  metrics.configInfo.set({ deployment, hash: configHash, runbook_url: runbookUrl }, 1);
  return metrics;
}
