// Sends requests over the connection of an account, or of the markets, and parses the answers.
import type { z } from 'zod';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import { type Outcome, type Params, replyOf } from '../outcome.ts';
import type { Lines } from './lines.ts';

export interface Question<S extends z.ZodType> {
  readonly method: string;
  readonly params: Params;
  /** The schema of the result. */
  readonly result: S;
}

type Connections = Pick<Lines, 'askFor' | 'askMarkets'>;

/** The venue's own refusal, returned without a request. */
const UNAUTHORIZED = { kind: 'error', code: 13009, message: 'unauthorized' } as const;

export class Questions {
  readonly #lines: Connections;
  readonly #onFault: (error: unknown) => void;

  constructor(lines: Connections, onFault: (error: unknown) => void) {
    this.#lines = lines;
    this.#onFault = onFault;
  }

  async ofAccount<S extends z.ZodType>(
    account: AccountId,
    { method, params, result }: Question<S>,
  ): Promise<Reply<z.output<S>>> {
    return this.#read(await this.send(account, method, params), method, result);
  }

  async ofMarkets<S extends z.ZodType>({
    method,
    params,
    result,
  }: Question<S>): Promise<Reply<z.output<S>>> {
    return this.#read(await this.#lines.askMarkets(method, params), method, result);
  }

  /** Returns the outcome without parsing it. */
  async send(account: AccountId, method: string, params: Params): Promise<Outcome> {
    const ask = this.#lines.askFor(account);
    return ask === undefined ? UNAUTHORIZED : await ask(method, { accountId: account, ...params });
  }

  #read<S extends z.ZodType>(outcome: Outcome, method: string, result: S): Reply<z.output<S>> {
    const { reply, fault } = replyOf(outcome, result, `the answer to ${method}`);
    if (fault !== undefined) this.#onFault(fault);
    return reply;
  }
}

/** The same reply with another value in it. */
export const mapped = <T, U>(reply: Reply<T>, view: (value: T) => U): Reply<U> =>
  reply.kind === 'done' ? { kind: 'done', value: view(reply.value) } : reply;
