// Configuration of logs and metrics.
import { z } from 'zod';
import { secretCommand, secretCredential } from './secret-source.ts';

export const logSection = z
  .strictObject({
    level: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
      .default('info')
      .describe('Least severe line that is written.'),
    format: z
      .enum(['auto', 'pretty', 'json'])
      .default('auto')
      .describe('auto is pretty on a terminal and JSON elsewhere.'),
  })
  .describe('Logs, on standard output.');

export const metricsSection = z
  .strictObject({
    loopLagResolutionMs: z
      .int()
      .min(1)
      .max(1_000)
      .default(50)
      .describe(
        'Sampling interval of the event-loop lag, in milliseconds: each sample wakes the process.',
      ),
    portfoliosMax: z
      .int()
      .min(0)
      .max(1_000)
      .default(200)
      .describe('Active portfolios with gauges of their own, the oldest first; four series each.'),
    tokenFile: z
      .string()
      .min(1)
      .optional()
      .describe(
        'File that holds the bearer token of requests for metrics of single portfolios, at least 16 characters, readable by its owner only; TWAPD_METRICS_TOKEN wins. Without it only requests from this machine get them.',
      ),
    tokenCommand: secretCommand('the token'),
    tokenCredential: secretCredential('the token'),
  })
  .describe('Prometheus metrics.');
