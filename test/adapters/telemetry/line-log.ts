// A log whose lines are read back from a file, as another program would read them.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import {
  type Log,
  type LogLevel,
  type LogOptions,
  openLog,
} from '../../../src/adapters/telemetry/log/logger.ts';

export interface LineLog {
  readonly logger: Logger;
  readonly log: Log;
  readonly text: () => Promise<string>;
  readonly lines: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Opens a log into a temporary file, which is removed after the test. */
export function lineLog(level: LogLevel, options: Partial<LogOptions> = {}): LineLog {
  const folder = mkdtempSync(join(tmpdir(), 'twapd-log-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'a');
  const log = openLog({ level, format: 'json', fd, ...options });
  onTestFinished(async () => {
    await log.close();
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  const text = async (): Promise<string> => {
    await log.flush();
    return readFileSync(file, 'utf8');
  };
  const lines = async () =>
    (await text())
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger: log.logger, log, text, lines };
}
