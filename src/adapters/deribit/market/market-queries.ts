// Public queries of the market: what is answered, `undefined` for what the venue does not know, and a rejection for no
// usable answer.
import { whyNot } from '../../../core/order/answer-class.ts';
import { Fields, fieldsOfEach } from '../../../ports/deribit-wire/message-fields.ts';
import type { WireTally } from '../../../ports/deribit-wire/wire-tally.ts';
import { MarketUnanswered } from '../../../ports/market-reads.ts';
import { type Params, replyOf, type SendRequest } from '../outcome.ts';

export interface MarketQueriesOptions {
  readonly request: SendRequest;
  readonly tally: WireTally;
  readonly onFault: (error: unknown) => void;
}

/** An unknown instrument or index, in recordings and in the table of errors. */
const UNKNOWN_SUBJECT: ReadonlySet<number> = new Set([-32602, 10020, 13020]);

export class MarketQueries {
  readonly #parts: MarketQueriesOptions;

  constructor(parts: MarketQueriesOptions) {
    this.#parts = parts;
  }

  get tally(): WireTally {
    return this.#parts.tally;
  }

  /** @throws MarketUnanswered */
  async answer<T>(
    method: string,
    params: Params,
    read: (value: unknown) => T,
  ): Promise<T | undefined> {
    const { request, onFault } = this.#parts;
    const reply = replyOf(await request(method, params), read, onFault);
    if (reply.kind === 'done') return reply.value;
    if (reply.kind === 'refused' && UNKNOWN_SUBJECT.has(reply.code)) return undefined;
    throw new MarketUnanswered(`no answer to ${method}: ${whyNot(reply)}`);
  }

  /** The answer is an object. */
  object<T>(method: string, params: Params, read: (of: Fields) => T): Promise<T | undefined> {
    return this.answer(method, params, (value) =>
      read(new Fields(`the answer to ${method}`, value, this.tally)),
    );
  }

  /** The answer is a list of objects. */
  objects<T>(
    method: string,
    params: Params,
    read: (of: Fields) => T,
  ): Promise<readonly T[] | undefined> {
    return this.answer(method, params, (value) =>
      fieldsOfEach(`the answer to ${method}`, value, this.tally).map(read),
    );
  }
}
