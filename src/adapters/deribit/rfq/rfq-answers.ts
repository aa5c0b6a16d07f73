// Reads the answers of the Block RFQ methods.

import type { TradeRecord } from '../../../core/order/order-record.ts';
import {
  type CurrencyOf,
  quoteIn,
  type RfqContext,
  rfqIn,
  triggerIn,
} from '../../../ports/deribit-wire/block-rfq-rows.ts';
import {
  Fields,
  fieldsOfEach,
  MalformedMessage,
} from '../../../ports/deribit-wire/message-fields.ts';
import type {
  BlockTrade,
  RfqQuoteRecord,
  RfqRecord,
  RfqRole,
  RfqTrigger,
} from '../../../values/block-rfq-record.ts';
import type { AccountId } from '../../../values/ids.ts';
import type { OrderReader } from '../orders/order-reader.ts';
import type { ReadResult } from '../session/questions.ts';
import { tapeTradeIn } from './tape-message.ts';

export interface RfqsPage {
  readonly rfqs: readonly RfqRecord[];
  readonly continuation?: string | undefined;
}

/** What an accept did: trades by block, or a trigger that waits. */
export interface AcceptAnswer {
  readonly trigger?: RfqTrigger | undefined;
  readonly trades: readonly TradeRecord[];
}

export class RfqAnswers {
  readonly #reader: OrderReader;
  readonly #currencyOf: CurrencyOf;
  readonly #contextOf: (account: AccountId) => RfqContext;

  constructor(
    reader: OrderReader,
    currencyOf: CurrencyOf,
    contextOf: (account: AccountId) => RfqContext,
  ) {
    this.#reader = reader;
    this.#currencyOf = currencyOf;
    this.#contextOf = contextOf;
  }

  /** `role`: of a record that does not state it. */
  rfq(account: AccountId, role?: RfqRole): ReadResult<RfqRecord> {
    return (value, what, tally) =>
      rfqIn(new Fields(what, value, tally), { ...this.#contextOf(account), role });
  }

  /** The RFQ, or `undefined` where the answer does not have all of it: that it was done is known. */
  rfqIfWhole(account: AccountId): ReadResult<RfqRecord | undefined> {
    return (value, what, tally) => {
      try {
        return this.rfq(account)(value, what, tally);
      } catch (error) {
        if (!(error instanceof MalformedMessage)) throw error;
        tally.count(error.message);
        return undefined;
      }
    };
  }

  rfqs(account: AccountId): ReadResult<RfqsPage> {
    return (value, what, tally) => {
      const page = new Fields(what, value, tally);
      const context = this.#contextOf(account);
      return {
        rfqs: page.each('block_rfqs').map((one) => rfqIn(one, context)),
        continuation: page.textIf('continuation') || undefined,
      };
    };
  }

  readonly quote: ReadResult<RfqQuoteRecord> = (value, what, tally) =>
    quoteIn(new Fields(what, value, tally), { currencyOf: this.#currencyOf });

  readonly quotes: ReadResult<readonly RfqQuoteRecord[]> = (value, what, tally) =>
    fieldsOfEach(what, value, tally).map((one) => quoteIn(one, { currencyOf: this.#currencyOf }));

  accepted(account: AccountId): ReadResult<AcceptAnswer> {
    return (value, what, tally) => {
      const answer = new Fields(what, value, tally);
      const blocks = answer.has('block_trades') ? answer.each('block_trades') : [];
      return {
        trigger: answer.has('trade_trigger') ? triggerIn(answer.in('trade_trigger')) : undefined,
        trades: blocks.flatMap((block) => {
          const blockTradeId = block.text('id');
          return block
            .each('trades')
            .map((one) => ({ ...this.#reader.tradeOf(one, account), blockTradeId }));
        }),
      };
    };
  }

  readonly tape: ReadResult<readonly BlockTrade[]> = (value, what, tally) =>
    new Fields(what, value, tally).each('block_rfqs').map((one) => this.tapeTrade(one));

  tapeTrade(of: Fields): BlockTrade {
    return tapeTradeIn(of, this.#currencyOf);
  }
}

export const textsIn: ReadResult<readonly string[]> = (value, what) => {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new MalformedMessage(`${what} is not a list of texts`);
};

export const countIn: ReadResult<number> = (value, what, tally) =>
  new Fields(what, { count: value }, tally).whole('count');
