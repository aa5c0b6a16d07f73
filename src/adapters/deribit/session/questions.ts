// Sends requests of an account, or of the markets, and reads the answers. What is malformed is reported, and counts as no
// answer.

import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { AccountId } from '../../../values/ids.ts';
import { type Outcome, type Params, replyOf } from '../outcome.ts';
import type { Sessions } from './sessions.ts';

/** What a result means; throws MalformedMessage if it has not the promised shape. */
export type ReadResult<T> = (value: unknown, what: string, tally: WireTally) => T;

export interface Question<T> {
  readonly method: string;
  readonly params: Params;
  readonly read: ReadResult<T>;
}

type Connections = Pick<Sessions, 'request' | 'requestMarket'>;

export interface QuestionsOptions {
  readonly sessions: Connections;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

export class Questions {
  readonly #parts: QuestionsOptions;

  constructor(parts: QuestionsOptions) {
    this.#parts = parts;
  }

  async ofAccount<T>(account: AccountId, question: Question<T>): Promise<Reply<T>> {
    const { method, params } = question;
    return this.#read(await this.#parts.sessions.request(account, method, params), question);
  }

  async ofMarket<T>(question: Question<T>): Promise<Reply<T>> {
    const { method, params } = question;
    return this.#read(await this.#parts.sessions.requestMarket(method, params), question);
  }

  #read<T>(outcome: Outcome, { method, read }: Question<T>): Reply<T> {
    const { tally, onFault } = this.#parts;
    return replyOf(outcome, (value) => read(value, `the answer to ${method}`, tally), onFault);
  }
}
