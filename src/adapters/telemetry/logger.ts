// The process's log: pretty on a terminal, one JSON object per line elsewhere. Secrets are named when it
// is opened and cannot be written afterwards; headers and bodies are never given to it.
import process from 'node:process';
import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import { errorFields } from './error-fields.ts';
import { LineSink } from './line-sink.ts';
import { LOG_LEVELS } from './metrics.ts';
import { Redactor } from './redactor.ts';

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  readonly level: LogLevel;
  /** `auto`: pretty when the destination is a terminal. */
  readonly format: 'auto' | 'pretty' | 'json';
  /** Fields of every line, for example the deployment. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Strings that must never be written. */
  readonly secrets?: readonly string[];
  /** File descriptor or path; standard output by default. */
  readonly destination?: number | string;
  /** Most bytes kept while the destination is slow. Default 8 MiB. */
  readonly bufferMaxBytes?: number;
  readonly onLine?: (level: LogLevel) => void;
  readonly onDropped?: () => void;
}

export interface Log {
  readonly logger: Logger;
  /** Adds secrets that became known later. */
  hide(...secrets: readonly string[]): void;
  /** Writes what is buffered before it returns. */
  flushSync(): void;
  close(): Promise<void>;
}

const BUFFER_MAX_BYTES = 8 * 1024 * 1024;

export function openLog(options: LogOptions): Log {
  const { destination = process.stdout.fd ?? 1, onLine, onDropped = ignore } = options;
  const redactor = new Redactor(options.secrets);
  const sink = new LineSink({
    redactor,
    destination,
    isPretty: options.format === 'auto' ? isTerminal(destination) : options.format === 'pretty',
    bufferMaxBytes: options.bufferMaxBytes ?? BUFFER_MAX_BYTES,
    onDropped,
  });
  const logger = pino(
    {
      level: options.level,
      base: { ...options.fields },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields, error: errorFields },
      hooks: {
        logMethod(line, method, level) {
          onLine?.(LEVEL_BY_NUMBER[level] ?? 'info');
          method.apply(this, line);
        },
      },
    },
    sink,
  );
  return {
    logger,
    hide: (...secrets) => redactor.hide(...secrets),
    flushSync: () => sink.flushSync(),
    close: () => sink.close(),
  };
}

const LEVEL_BY_NUMBER: Readonly<Record<number, LogLevel>> = Object.fromEntries(
  LOG_LEVELS.map((level) => [pino.levels.values[level], level]),
);

const isTerminal = (destination: number | string): boolean =>
  typeof destination === 'number' && isatty(destination);

const ignore = (): void => undefined;
