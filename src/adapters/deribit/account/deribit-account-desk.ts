// The trades, positions and balances of an account.

import { summaryIn } from '../../../ports/deribit-wire/account-rows.ts';
import { Fields, fieldsOfEach } from '../../../ports/deribit-wire/message-fields.ts';
import { positionIn } from '../../../ports/deribit-wire/position-rows.ts';
import { transactionIn } from '../../../ports/deribit-wire/transaction-rows.ts';
import type {
  OrderFilter,
  Reply,
  TradesQuery,
  TradingDesk,
  TransactionsPage,
  TransactionsQuery,
} from '../../../ports/trading-desk.ts';
import type { AccountSummary, OpenPosition } from '../../../values/account-report.ts';
import { isZero } from '../../../values/amounts.ts';
import type { AccountId, Currency } from '../../../values/ids.ts';
import type { Instant } from '../../../values/instant.ts';
import type { TermsOf } from '../../../values/instrument.ts';
import { isMarketWanted, isTradeWanted } from '../orders/filters.ts';
import type { OrderReader, TradesPage } from '../orders/order-reader.ts';
import { kindWord } from '../orders/order-request.ts';
import { merged, overWindows, TRADES_PER_PAGE_MAX } from '../orders/trade-windows.ts';
import { mapped, NOT_LISTED_YET, type Params } from '../outcome.ts';
import type { Questions, ReadResult } from '../session/questions.ts';

type Methods = Pick<TradingDesk, 'trades' | 'positions' | 'summary' | 'transactions'>;

export interface AccountDeskParts {
  readonly questions: Questions;
  readonly reader: OrderReader;
  readonly termsOf: TermsOf;
  /** Every currency in which something settles; `undefined` until the venue has listed its instruments. */
  readonly currencies: () => readonly Currency[] | undefined;
  readonly venueNow: () => Instant;
}

export class DeribitAccountDesk implements Methods {
  readonly #parts: AccountDeskParts;

  constructor(parts: AccountDeskParts) {
    this.#parts = parts;
  }

  /** What the venue was not asked to filter is filtered here: a page may have fewer trades than `count`. */
  async trades(query: TradesQuery): Promise<Reply<TradesPage>> {
    const { venueNow, termsOf } = this.#parts;
    const reply = await overWindows(query, venueNow(), (historical) =>
      this.#window(query, historical),
    );
    return mapped(reply, ({ trades, hasMore }) => ({
      trades: trades.filter((one) => isTradeWanted(query, one, termsOf) && isWithin(query, one)),
      hasMore,
    }));
  }

  async positions(filter: OrderFilter): Promise<Reply<readonly OpenPosition[]>> {
    const { questions, termsOf } = this.#parts;
    const { account } = filter;
    const read: ReadResult<readonly OpenPosition[]> = (value, what, tally) =>
      fieldsOfEach(what, value, tally).map((one) => positionIn(one, account, termsOf));
    const params = { currency: 'any' };
    const reply = await questions.ofAccount(account, {
      method: 'private/get_positions',
      params,
      read,
    });
    return mapped(reply, (positions) =>
      positions
        .filter(({ quantity }) => !isZero(quantity))
        .filter(({ instrument }) => isMarketWanted(filter, instrument, termsOf)),
    );
  }

  async summary(account: AccountId, currency: Currency): Promise<Reply<AccountSummary>> {
    const read: ReadResult<AccountSummary> = (value, what, tally) =>
      summaryIn(new Fields(what, value, tally), account);
    const method = 'private/get_account_summary';
    return await this.#parts.questions.ofAccount(account, { method, params: { currency }, read });
  }

  async transactions(query: TransactionsQuery): Promise<Reply<TransactionsPage>> {
    const { account, currency, from, until, count, continuation } = query;
    const read: ReadResult<TransactionsPage> = (value, what, tally) => {
      const page = new Fields(what, value, tally);
      const transactions = page.each('logs').map((one) => transactionIn(one, account));
      return { transactions, continuation: page.wholeIf('continuation') };
    };
    const window = { start_timestamp: from, end_timestamp: until, count, continuation };
    const params = { currency, ...window };
    const method = 'private/get_transaction_log';
    return await this.#parts.questions.ofAccount(account, { method, params, read });
  }

  async #window(query: TradesQuery, historical: boolean): Promise<Reply<TradesPage>> {
    const { orderId, sorting, instrument, startId, endId } = query;
    const count = Math.min(query.count, TRADES_PER_PAGE_MAX);
    if (orderId !== undefined) {
      const params = { order_id: orderId, sorting, historical };
      const reply = await this.#page(query, 'private/get_user_trades_by_order', params);
      return mapped(reply, ({ trades }) =>
        merged([{ trades: trades.filter((one) => isWithin(query, one)), hasMore: false }], query),
      );
    }
    const window = {
      start_timestamp: query.from,
      end_timestamp: query.until,
      count,
      sorting,
      historical,
    };
    if (instrument !== undefined && startId === undefined && endId === undefined) {
      const { startSeq: start_seq, endSeq: end_seq } = query;
      const params = { instrument_name: instrument, start_seq, end_seq, ...window };
      return await this.#page(query, 'private/get_user_trades_by_instrument', params);
    }
    const kind = kindWord(query.kinds);
    const method = 'private/get_user_trades_by_currency';
    const currencies = this.#currenciesOf(query);
    if (currencies === undefined) return NOT_LISTED_YET;
    const pages: TradesPage[] = [];
    for (const currency of currencies) {
      const params = { currency, kind, start_id: startId, end_id: endId, ...window };
      const reply = await this.#page(query, method, params);
      if (reply.kind !== 'done') return reply;
      pages.push(reply.value);
    }
    return { kind: 'done', value: merged(pages, query) };
  }

  #currenciesOf({ currency }: TradesQuery): readonly Currency[] | undefined {
    return currency === undefined ? this.#parts.currencies() : [currency];
  }

  #page({ account }: TradesQuery, method: string, params: Params): Promise<Reply<TradesPage>> {
    const { questions, reader } = this.#parts;
    return questions.ofAccount(account, { method, params, read: reader.trades(account) });
  }
}

/** Limits of time and number that a method does not take. */
const isWithin = (
  { from, until, startSeq, endSeq }: TradesQuery,
  { at, tradeSeq }: TradesPage['trades'][number],
): boolean =>
  (from === undefined || at >= from) &&
  (until === undefined || at <= until) &&
  (startSeq === undefined || tradeSeq >= startSeq) &&
  (endSeq === undefined || tradeSeq <= endSeq);
