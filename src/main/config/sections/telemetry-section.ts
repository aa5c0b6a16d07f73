// Configuration of logs and metrics.
import { z } from 'zod';
import { secretSource } from './secret-source.ts';

export const logSection = z
  .strictObject({
    level: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
      .default('info')
      .describe('Least severe line that is written; debug to follow a fault.'),
    format: z
      .enum(['auto', 'pretty', 'json'])
      .default('auto')
      .describe(
        'Form of a line: auto is pretty on a terminal and JSON elsewhere, for programs that collect logs.',
      ),
  })
  .describe('Logs, on standard output.');

export const metricsSection = z
  .strictObject({
    portfoliosMax: z
      .int()
      .min(0)
      .max(1_000)
      .default(200)
      .describe(
        'Active portfolios with gauges of their own, the oldest first; four series each. Fewer where Prometheus is small.',
      ),
    token: secretSource()
      .optional()
      .describe(
        'Bearer token of requests for metrics of single portfolios, at least 16 characters; TWAPD_METRICS_TOKEN wins. Without it only requests from this machine get them.',
      ),
  })
  .describe('Prometheus metrics.');
