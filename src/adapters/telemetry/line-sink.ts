// Where finished log lines pass on their way out: secrets are taken out, then the line is made readable
// when a person is watching.
import { prettyFactory } from 'pino-pretty';
import type { LineWriter } from './line-writer.ts';
import type { Redactor } from './redactor.ts';

const HIDDEN_FROM_PEOPLE = 'pid,hostname,deployment,event,at';

const prettier = (): ((line: string) => string) =>
  prettyFactory({
    colorize: true,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
    ignore: HIDDEN_FROM_PEOPLE,
  });

export class LineSink {
  readonly #redactor: Redactor;
  readonly #writer: LineWriter;
  readonly #prettify: ((line: string) => string) | undefined;

  constructor(redactor: Redactor, writer: LineWriter, isPretty: boolean) {
    this.#redactor = redactor;
    this.#writer = writer;
    this.#prettify = isPretty ? prettier() : undefined;
  }

  /** Called by pino with one line of JSON. */
  write(line: string): void {
    const safe = this.#redactor.redacted(line);
    this.#writer.write(this.#prettify === undefined ? safe : this.#prettify(safe));
  }
}
