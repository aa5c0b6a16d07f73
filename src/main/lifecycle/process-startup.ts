// What every long-running process of a daemon begins with: its configuration, or the end with the faults of it, and its log.
import process from 'node:process';
import { type Log, openLog } from '../../adapters/telemetry/log/logger.ts';
import { requestInHand } from '../../gateway/http/request-scope.ts';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load-config.ts';
import { faultText } from '../fault.ts';
import { EXIT } from './process-life.ts';

export interface DaemonOptions {
  readonly configPath: string;
  /** Whether `--live` was typed: without it nothing is connected that trades real money. */
  readonly allowsLive: boolean;
  readonly logFormat: LogFormat;
}

/** As typed; `undefined`: that of the configuration. */
export type LogFormat = 'json' | 'pretty' | undefined;

/**
 * Together with the private servers, which always stop after it, less than the time a process has after a
 * signal.
 */
export const DRAIN_BUDGET_MS = 6_000;

/** Ends the process with the faults of the file. */
export function configOrExit(
  configPath: string,
  options?: Parameters<typeof loadConfig>[1],
): Config {
  const reading = loadConfig(configPath, options);
  if (reading.kind === 'read') return reading.value;
  for (const fault of reading.faults) process.stderr.write(`${faultText(fault)}\n`);
  process.exit(EXIT.refused);
}

export const openDaemonLog = (
  config: Config,
  format: LogFormat,
  fields: Readonly<Record<string, string>> = {},
): Log =>
  openLog({
    level: config.log.level,
    format: format ?? config.log.format,
    fields: { deployment: config.service.deployment, ...fields },
    secrets: [
      ...config.keys.map(({ secret }) => secret),
      config.metricsToken,
      config.proxySecret,
      config.linkKey,
    ].flatMap((secret) => secret?.reveal() || []),
    context: requestInHand,
  });
