// The trades, positions and balances of an account at a remote venue.

import { z } from 'zod';
import type { TradeRecord } from '../../core/order/order-record.ts';
import type { OrderFilter, Reply, TradesQuery, TradingDesk } from '../../ports/trading-desk.ts';
import type { OpenPosition } from '../../values/account-report.ts';
import { isZero } from '../../values/amounts.ts';
import type { AccountId, Currency } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import { positionIn, summaryIn } from './account-wire.ts';
import { mapped, type Questions } from './connection/questions.ts';
import { isMarketWanted, isTradeWanted, kindName, type TermsOf } from './remote-order-params.ts';
import { overWindows, type Page, TRADES_PER_PAGE_MAX, type WindowQuery } from './trade-windows.ts';
import { type BareTrade, tradeIn } from './trade-wire.ts';

const tradesIn = z.array(tradeIn);
const pageIn = z.object({ trades: tradesIn, hasMore: z.boolean() });
const positionsIn = z.array(positionIn);

type Methods = Pick<TradingDesk, 'trades' | 'positions' | 'summary'>;

export class RemoteAccountDesk implements Methods {
  readonly #questions: Questions;
  readonly #termsOf: TermsOf;
  readonly #venueNow: () => Instant;

  constructor(questions: Questions, termsOf: TermsOf, venueNow: () => Instant) {
    this.#questions = questions;
    this.#termsOf = termsOf;
    this.#venueNow = venueNow;
  }

  /** Filters that the venue lacks are applied to its page here, which may then have fewer trades than `count`. */
  async trades(query: TradesQuery) {
    const { account, historical } = query;
    const reply = await (historical === undefined
      ? overWindows(query, this.#venueNow(), (window) => this.#page(window))
      : this.#page({ ...query, historical }));
    return mapped(reply, ({ trades, hasMore }) => ({
      hasMore,
      trades: trades
        .filter((trade) => isTradeWanted(query, trade, this.#termsOf))
        .map((trade): TradeRecord => ({ ...trade, account })),
    }));
  }

  async positions(filter: OrderFilter): Promise<Reply<readonly OpenPosition[]>> {
    const { account } = filter;
    const question = { method: 'private/get_positions', params: {}, result: positionsIn };
    const reply = await this.#questions.ofAccount(account, question);
    return mapped(reply, (positions) =>
      positions
        .filter(({ quantity }) => !isZero(quantity))
        .filter(({ instrument }) => isMarketWanted(filter, instrument, this.#termsOf))
        .map(({ kind, ...position }) => {
          const known = this.#termsOf(position.instrument)?.kind;
          return { ...position, kind: known ?? kind, account };
        }),
    );
  }

  async summary(account: AccountId, currency: Currency) {
    const params = { currency };
    const question = { method: 'private/get_account_summary', params, result: summaryIn };
    const reply = await this.#questions.ofAccount(account, question);
    return mapped(reply, (summary) => ({ ...summary, account }));
  }

  async #page(query: WindowQuery): Promise<Reply<Page>> {
    const { account, sorting, historical, orderId } = query;
    const count = Math.min(query.count, TRADES_PER_PAGE_MAX);
    if (orderId !== undefined) {
      const params = { orderId, sorting, historical };
      const method = 'private/get_user_trades_by_order';
      const reply = await this.#questions.ofAccount(account, { method, params, result: tradesIn });
      return mapped(reply, (trades) => firstOf(trades.filter(within(query)), count));
    }
    const { from: startTimestamp, until: endTimestamp, startId, endId } = query;
    const window = { startTimestamp, endTimestamp, count, sorting, historical };
    const { instrument: instrumentName, startSeq, endSeq } = query;
    if (instrumentName !== undefined && startId === undefined && endId === undefined) {
      const params = { instrumentName, startSeq, endSeq, ...window };
      const method = 'private/get_user_trades_by_instrument';
      return await this.#questions.ofAccount(account, { method, params, result: pageIn });
    }
    const { currency = 'any', kinds } = query;
    const params = { currency, kind: kindName(kinds), startId, endId, ...window };
    const method = 'private/get_user_trades_by_currency';
    const reply = await this.#questions.ofAccount(account, { method, params, result: pageIn });
    return mapped(reply, (page) => ({ ...page, trades: page.trades.filter(within(query)) }));
  }
}

const firstOf = (trades: readonly BareTrade[], count: number): Page => ({
  trades: trades.slice(0, count),
  hasMore: trades.length > count,
});

/** Limits of time and number that the venue was not asked to apply. */
const within =
  ({ from, until, startSeq, endSeq }: TradesQuery) =>
  ({ at, tradeSeq }: BareTrade): boolean =>
    (from === undefined || at >= from) &&
    (until === undefined || at <= until) &&
    (startSeq === undefined || tradeSeq >= startSeq) &&
    (endSeq === undefined || tradeSeq <= endSeq);
