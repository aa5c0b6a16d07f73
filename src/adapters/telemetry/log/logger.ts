// The process's log: pretty on a terminal, one JSON object per line elsewhere. Secrets are registered when it
// is opened and never written afterwards; headers and bodies are never passed to it.
import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import { LOG_LEVELS } from '../metric-values.ts';
import { errorFields } from './error-fields.ts';
import { LineSink } from './line-sink.ts';
import { LineTime, type Moment, withContext } from './line-time.ts';
import { LineWriter } from './line-writer.ts';
import { Redactor } from './redactor.ts';

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  readonly level: LogLevel;
  /** `auto`: pretty if the destination is a terminal. */
  readonly format: 'auto' | 'pretty' | 'json';
  /** Fields of every line, for example the deployment. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Fields of the current moment, for example of the request a line is about. */
  readonly context?: () => object | undefined;
  /** Strings that must never be written. */
  readonly secrets?: readonly string[];
  /** File descriptor; standard output by default. */
  readonly fd?: number;
  /** Maximum number of bytes buffered while the destination is slow. Default 8 MiB. */
  readonly bufferMaxBytes?: number;
}

export interface LogListener {
  /** Called after a line of this level was written. */
  readonly onLine: (level: LogLevel) => void;
  /** Called with the number of lines lost because they could not be written, or not fast enough. */
  readonly onDropped: (lines: number) => void;
}

export interface Log {
  readonly logger: Logger;
  /** Adds secrets that became known later. */
  hide(...secrets: readonly string[]): void;
  /** Sets the one listener. */
  listen(listener: LogListener): void;
  /** The current moment, for lines that will be written later. */
  moment(): Moment;
  /** Lines that `observe` writes about `observation` carry that moment. */
  asOf<T>(moment: Moment, observe: (observation: T) => void, observation: T): void;
  /** Sets the one callback that runs before each line and before each flush. It may write lines itself. */
  precede(observe: () => void): void;
  /** Resolves when everything logged so far is written or dropped. */
  flush(): Promise<void>;
  /** Writes all pending lines before it returns; runs at process exit in any case. */
  flushSync(): void;
  /** Flushes; the descriptor stays open. */
  close(): Promise<void>;
}

const STDOUT = 1;
const BUFFER_MAX_BYTES = 8 * 1024 * 1024;

export function openLog(options: LogOptions): Log {
  const { fd = STDOUT, bufferMaxBytes = BUFFER_MAX_BYTES, context } = options;
  let listener: LogListener = { onLine: ignore, onDropped: ignore };
  const redactor = new Redactor(options.secrets);
  const onDropped = (lines: number): void => listener.onDropped(lines);
  let precede = ignore;
  const onFlush = (): void => precede();
  const writer = new LineWriter({ fd, bufferMaxBytes, onDropped, onFlush });
  const time = new LineTime(context);
  const isPretty = options.format === 'auto' ? isatty(fd) : options.format === 'pretty';
  const logger = pino(
    {
      level: options.level,
      base: { ...options.fields },
      ...(context === undefined ? {} : { mixin: time.context, mixinMergeStrategy: withContext }),
      timestamp: time.stamp,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorFields, error: errorFields },
      hooks: {
        logMethod(line, method, level) {
          precede();
          listener.onLine(LEVEL_BY_NUMBER[level] ?? 'info');
          method.apply(this, line);
        },
      },
    },
    new LineSink(redactor, writer, isPretty),
  );
  return {
    logger,
    hide: (...secrets) => redactor.hide(...secrets),
    listen: (one) => {
      listener = one;
    },
    moment: () => time.moment(),
    asOf: (moment, observe, observation) => time.asOf(moment, observe, observation),
    precede: (observe) => {
      precede = observe;
    },
    flush: () => writer.flush(),
    flushSync: () => writer.flushSync(),
    close: () => writer.close(),
  };
}

const LEVEL_BY_NUMBER: Readonly<Record<number, LogLevel>> = Object.fromEntries(
  LOG_LEVELS.map((level) => [pino.levels.values[level], level]),
);

const ignore = (): void => undefined;
