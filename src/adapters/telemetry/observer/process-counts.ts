// The process's counters of itself, as functions for its log and its clock.
import type { LogListener } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';

export interface ProcessCounts extends LogListener {
  /** The wall clock jumped; a forward jump is positive. */
  clockStepped(deltaMs: number): void;
}

export function processCounts(metrics: Metrics): ProcessCounts {
  return {
    onLine: (level) => metrics.logLines.inc({ level }),
    onDropped: (lines) => metrics.logLinesDropped.inc(lines),
    clockStepped: (deltaMs) =>
      metrics.clockSteps.inc({ direction: deltaMs > 0 ? 'forward' : 'back' }),
  };
}
