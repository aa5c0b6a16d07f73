// The last step of log lines before they are written: secrets are redacted, then the line is formatted if a
// person is watching. No text in a line can control the terminal.
import { prettyFactory } from 'pino-pretty';
import { printable, printableData, printableJson } from '../../../values/printable.ts';
import type { LineWriter } from './line-writer.ts';
import type { Redactor } from './redactor.ts';

const HIDDEN_FROM_PEOPLE = 'pid,hostname,deployment,event,at';

const prettier = (): ((line: object) => string) =>
  prettyFactory({
    colorize: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: HIDDEN_FROM_PEOPLE,
  });

export class LineSink {
  readonly #redactor: Redactor;
  readonly #writer: LineWriter;
  readonly #prettify: ((line: object) => string) | undefined;

  constructor(redactor: Redactor, writer: LineWriter, isPretty: boolean) {
    this.#redactor = redactor;
    this.#writer = writer;
    this.#prettify = isPretty ? prettier() : undefined;
  }

  /** Called by pino with one line of JSON. */
  write(line: string): void {
    const safe = printableJson(this.#redactor.redacted(line));
    this.#writer.write(this.#prettify === undefined ? safe : this.#prettify(shown(safe)));
  }
}

/** The line as an object with printable texts; the lines of a stack are kept. */
function shown(line: string): object {
  const fields = JSON.parse(line) as Readonly<Record<string, unknown>>;
  return printableWithStacks(fields) as object;
}

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
