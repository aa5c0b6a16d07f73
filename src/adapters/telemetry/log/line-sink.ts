// The last step of log lines before they are written: secrets are redacted, then the line is formatted if a
// person reads it. No text in a line can control the terminal.
import { prettyFactory } from 'pino-pretty';
import { printable, printableData, printableJson } from '../../../values/printable.ts';
import type { LineWriter } from './line-writer.ts';
import type { Redactor } from './redactor.ts';

const HIDDEN_FROM_PEOPLE = 'pid,hostname,deployment,event,at';

export interface ReadableStyle {
  readonly isColoured: boolean;
  readonly time: string;
}

const ON_TERMINAL: ReadableStyle = { isColoured: true, time: 'SYS:HH:MM:ss.l' };

/** Formats a line of the log for people; one that is no JSON is a line of something else, and stays as it is. */
export function readableLines({ isColoured, time }: ReadableStyle): (line: string) => string {
  const readable = prettyFactory({
    colorize: isColoured,
    singleLine: true,
    translateTime: time,
    ignore: HIDDEN_FROM_PEOPLE,
  });
  return (line) => {
    const fields = lineFields(line);
    return fields === undefined ? `${printable(line)}\n` : readable(shown(fields));
  };
}

/** The fields of a line of the log; `undefined`: it is none. */
export function lineFields(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const fields: unknown = JSON.parse(line);
    const isLine = typeof fields === 'object' && fields !== null && 'level' in fields;
    return isLine ? (fields as Readonly<Record<string, unknown>>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export class LineSink {
  readonly #redactor: Redactor;
  readonly #writer: LineWriter;
  readonly #readable: ((line: string) => string) | undefined;

  constructor(redactor: Redactor, writer: LineWriter, isPretty: boolean) {
    this.#redactor = redactor;
    this.#writer = writer;
    this.#readable = isPretty ? readableLines(ON_TERMINAL) : undefined;
  }

  /** Called by pino with one line of JSON. */
  write(line: string): void {
    const safe = printableJson(this.#redactor.redacted(line));
    this.#writer.write(this.#readable === undefined ? safe : this.#readable(safe));
  }
}

/** With printable texts; the lines of a stack are kept. */
const shown = (fields: object): object => printableWithStacks(fields) as object;

function printableWithStacks(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return printableData(data);
  const { message } = data as { readonly message?: unknown };
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      printable(name),
      name === 'stack' && typeof value === 'string'
        ? printableStack(value, message)
        : printableWithStacks(value),
    ]),
  );
}

/** Only stack frames may start a new line: a multi-line message could be mistaken for log lines. */
function printableStack(stack: string, message: unknown): string {
  const begun =
    typeof message === 'string' ? stack.replace(message, () => printable(message)) : stack;
  return begun.split('\n').map(printable).join('\n');
}
