// Calls the daemon's Block RFQ methods for commands: returns the reply, or ends the command and prints every
// reason and what to do about it.
import type { Command } from 'commander';
import { type MethodAnswer, requestMethod } from '../../../gateway/client/method-client.ts';
import { printable, printableData } from '../../../values/printable.ts';
import { CLI_NAME } from '../../cli-name.ts';
import { CommandFailure } from '../../command-failure.ts';
import {
  type ConnectionOptions,
  type Daemon,
  notReached,
  reachDaemon,
  withConnection,
} from '../daemon-client.ts';

export interface RfqOptions extends ConnectionOptions {
  readonly account?: string;
  readonly json?: boolean;
}

export class RfqDaemon {
  readonly daemon: Daemon;
  /** Named by the option, or else the first account of the key. */
  readonly accountId: string;
  readonly #isJson: boolean;

  constructor(options: RfqOptions) {
    this.daemon = reachDaemon(options);
    this.#isJson = options.json === true;
    this.accountId = options.account ?? this.daemon.accounts[0] ?? '';
  }

  /** Calls `block/rfqs/<name>` and returns its outcome. */
  call(name: string, params: Readonly<Record<string, unknown>>): Promise<MethodAnswer> {
    return this.#request(`block/rfqs/${name}`, { accountId: this.accountId, ...params });
  }

  async get<T>(name: string, params: Readonly<Record<string, unknown>> = {}): Promise<T> {
    return answerOrFail<T>(await this.call(name, params));
  }

  /** Calls a public method. */
  async query<T>(method: string, params: Readonly<Record<string, unknown>>): Promise<T> {
    return answerOrFail<T>(await this.#request(method, params));
  }

  /** Printable, except with --json, which passes replies through unchanged. */
  async #request(method: string, params: Readonly<Record<string, unknown>>): Promise<MethodAnswer> {
    const answer = await requestMethod(this.daemon.access, method, params);
    return this.#isJson ? answer : printableData(answer);
  }
}

const HINTS: Readonly<Record<number, string>> = {
  13020: `takers and makers know one RFQ by ids of their own; see: ${CLI_NAME} rfq list --key KEY`,
  13021: 'is it the right key? makers: --key demo-maker, takers: --key demo-taker',
  13907: 'nobody offers the whole quantity at that price; wait for it with: --wait',
  11030: 'the first five seconds belong to the makers; try again then',
};

/** The gateway guarantees the shape of the value; its tests verify it. */
export function answerOrFail<T>(answer: MethodAnswer): T {
  switch (answer.kind) {
    case 'done':
      return answer.value as T;
    case 'refused': {
      const { code, message, param, reason } = answer;
      const why = reason === message ? message : `${message}: ${param} ${reason}`;
      const hint = HINTS[code];
      const lines = [`refused (code ${code}) ${printable(why)}`];
      throw new CommandFailure('refused', hint === undefined ? lines : [...lines, `  ${hint}`]);
    }
    case 'unknown':
      throw new CommandFailure('unreachable', [
        `no answer: ${printable(answer.reason)}`,
        `it may have been done; check before you try again: ${CLI_NAME} rfq list, ${CLI_NAME} rfq trades`,
      ]);
    case 'unreachable':
      throw notReached(answer.reason);
  }
}

/** Options common to all Block RFQ commands. */
export const withRfqOptions = (command: Command): Command =>
  withConnection(command)
    .option('-a, --account <id>', 'account of the key (default: its first one)')
    .option('--json', 'print the answer as JSON');
