// The order API of the paper exchange. Requests share one queue with those of slices: each is answered after
// its events are written, and listeners are notified after the answer.

import type { OrderRecord, TradeRecord } from '../../core/order/order-record.ts';
import type { OrderReply } from '../../exchange/exchange-command.ts';
import * as refusal from '../../exchange/model/refusal.ts';
import type { ExchangeOrder } from '../../exchange/order.ts';
import type { BookView, MarketNews, Ticker } from '../../ports/market-reads.ts';
import type {
  DeskNews,
  HistoryQuery,
  NewOrder,
  OrderChange,
  OrderFilter,
  Reply,
  TradesQuery,
  TradingDesk,
  Worked,
} from '../../ports/trading-desk.ts';
import type { AccountSummary, OpenPosition } from '../../values/account-report.ts';
import type { Price } from '../../values/amounts.ts';
import { unreachable } from '../../values/assert.ts';
import { FanOut } from '../../values/fan-out.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../../values/ids.ts';
import type { Instant } from '../../values/instant.ts';
import type { Instrument } from '../../values/instrument.ts';
import {
  type CancelMany,
  type CancelOne,
  cancelAllCommand,
  cancelOneCommand,
  changeCommand,
  enterCommand,
} from './desk-commands.ts';
import { isMarketWanted, isOrderWanted, type TermsOf } from './desk-filters.ts';
import { deskNews } from './desk-news.ts';
import { done, orderRecord, refusedReply, tradeRecord } from './desk-shapes.ts';
import { MarketDesk, type MarketDeskParts } from './market/paper-market-desk.ts';

export class PaperDesk implements TradingDesk {
  readonly #parts: MarketDeskParts;
  readonly #market: MarketDesk;
  readonly #news: FanOut<DeskNews>;
  // Not assigned in the constructor: V8 allocates such a closure in the old generation, so that everything it
  // references stays until the next major collection.
  readonly #termsOf: TermsOf = (name) => this.#market.instrument(name);

  constructor(parts: MarketDeskParts) {
    this.#parts = parts;
    this.#market = new MarketDesk(parts);
    this.#news = new FanOut(parts.onFault);
    parts.line.hear(({ events }) => {
      if (this.#news.isHeard) this.#news.send(deskNews(events, this.#termsOf));
    });
  }

  enter(order: NewOrder): Promise<Reply<Worked>> {
    return this.#parts.line.ask((now) =>
      this.#worked(this.#parts.paper.request(enterCommand(order, now))),
    );
  }

  edit(change: OrderChange): Promise<Reply<Worked>> {
    return this.#parts.line.ask((now) =>
      this.#worked(this.#parts.paper.request(changeCommand(change, now))),
    );
  }

  cancel(request: CancelOne): Promise<Reply<OrderRecord>> {
    return this.#parts.line.ask((now) => {
      const worked = this.#worked(this.#parts.paper.request(cancelOneCommand(request, now)));
      return worked.kind === 'done' ? done(worked.value.order) : worked;
    });
  }

  cancelAll(filter: CancelMany): Promise<Reply<number>> {
    return this.#parts.line.ask((now) => {
      const { paper } = this.#parts;
      const command = cancelAllCommand(filter, now);
      if (command === undefined) return done(this.#cancelEach(filter, now));
      const answer = paper.request(command);
      if (answer.kind === 'refused') return refusedReply(answer);
      return done(answer.count);
    });
  }

  order(account: AccountId, orderId: OrderId): Promise<Reply<OrderRecord>> {
    return this.#read((): Reply<OrderRecord> => {
      const { exchange } = this.#parts;
      const order = exchange.order(account, orderId);
      if (order !== undefined) return done(this.#record(order));
      return exchange.ownerOf(orderId) === undefined ? ORDER_NOT_FOUND : NOT_OWNER_OF_ORDER;
    });
  }

  ordersLabelled(
    filter: OrderFilter & { readonly label: string },
  ): Promise<Reply<readonly OrderRecord[]>> {
    return this.#read(() => {
      const labelled = this.#parts.exchange.ordersByLabel(filter.account, filter.label);
      return done(this.#wanted(filter, labelled));
    });
  }

  openOrdersOf(filter: OrderFilter): Promise<Reply<readonly OrderRecord[]>> {
    return this.#read(() => done(this.#wanted(filter, this.#open(filter))));
  }

  orderHistory(
    query: HistoryQuery,
  ): Promise<
    Reply<{ readonly orders: readonly OrderRecord[]; readonly continuation?: string | undefined }>
  > {
    return this.#read((now) => {
      const page = this.#parts.exchange.orderHistory({ ...query, now });
      if (page === undefined) return UNKNOWN_CONTINUATION;
      const { orders, continuation } = page;
      return done({ orders: orders.map((order) => this.#record(order)), continuation });
    });
  }

  trades(
    query: TradesQuery,
  ): Promise<Reply<{ readonly trades: readonly TradeRecord[]; readonly hasMore: boolean }>> {
    return this.#read((now) => {
      const { trades, hasMore } = this.#parts.exchange.tradeHistory({ ...query, now });
      return done({ trades: trades.map((trade) => tradeRecord(trade, this.#termsOf)), hasMore });
    });
  }

  positionsOf(filter: OrderFilter): Promise<Reply<readonly OpenPosition[]>> {
    return this.#read((now) => {
      this.#parts.paper.mark(now);
      const open = this.#parts.exchange.openPositions(filter.account);
      return done(open.filter((one) => isMarketWanted(filter, one.instrument, this.#termsOf)));
    });
  }

  summaryOf(account: AccountId, currency: Currency): Promise<Reply<AccountSummary>> {
    return this.#read((now): Reply<AccountSummary> => {
      this.#parts.paper.mark(now);
      const summary = this.#parts.exchange.summary(account, currency);
      return summary === undefined ? UNAUTHORIZED : done(summary);
    });
  }

  listen(listener: (news: DeskNews) => void): () => void {
    return this.#news.add(listener);
  }

  listed(query: { readonly expired: boolean }): readonly Instrument[] {
    return this.#market.listed(query);
  }

  instrument(name: InstrumentName): Instrument | undefined {
    return this.#market.instrument(name);
  }

  ticker(name: InstrumentName): Promise<Ticker | undefined> {
    return this.#market.ticker(name);
  }

  book(name: InstrumentName, depth: number): Promise<BookView | undefined> {
    return this.#market.book(name, depth);
  }

  index(name: string): Promise<Price | undefined> {
    return this.#market.index(name);
  }

  indexNames(): readonly string[] {
    return this.#market.indexNames();
  }

  follow(name: InstrumentName, listener: (news: MarketNews) => void): () => void {
    return this.#market.follow(name, listener);
  }

  /** Reads see the exchange at their instant, including settlements due by then. */
  #read<T>(look: (now: Instant) => Reply<T>): Promise<Reply<T>> {
    const { line, paper } = this.#parts;
    return line.ask((now) => {
      paper.settle(now);
      return look(now);
    });
  }

  #cancelEach(filter: CancelMany, now: Instant): number {
    const { paper } = this.#parts;
    paper.settle(now);
    const { account, reason } = filter;
    let count = 0;
    for (const order of this.#open(filter)) {
      if (!isOrderWanted(filter, order, this.#termsOf)) continue;
      const { orderId } = order;
      const answer = paper.request({ kind: 'cancel', now, account, orderId, reason });
      if (answer.kind === 'order') count += 1;
    }
    return count;
  }

  #open({ account, instrument, currency, label }: OrderFilter): readonly ExchangeOrder[] {
    return this.#parts.exchange.openOrders({ account, instrument, currency, label });
  }

  /** The records that match the filter, newest first. */
  #wanted(filter: OrderFilter, orders: readonly ExchangeOrder[]): readonly OrderRecord[] {
    return orders
      .filter((order) => isOrderWanted(filter, order, this.#termsOf))
      .map((order) => this.#record(order))
      .reverse();
  }

  /** The reply to a command on one order. */
  #worked(answer: OrderReply): Reply<Worked> {
    switch (answer.kind) {
      case 'order': {
        const trades = answer.trades.map((trade) => tradeRecord(trade, this.#termsOf));
        return done({ order: this.#record(answer.order), trades });
      }
      case 'refused':
        return refusedReply(answer);
      default:
        return unreachable(answer);
    }
  }

  #record(order: ExchangeOrder): OrderRecord {
    return orderRecord(order, this.#termsOf);
  }
}

const NOT_OWNER_OF_ORDER = refusedReply(refusal.notOwnerOfOrder());
const ORDER_NOT_FOUND = refusedReply(refusal.orderNotFound('order_id'));
const UNAUTHORIZED = refusedReply(refusal.unauthorized());
const UNKNOWN_CONTINUATION = {
  kind: 'refused',
  code: -32602,
  message: 'Invalid params',
  details: {
    param: 'continuation',
    reason: 'is unknown; accepted: the continuation of an earlier answer',
  },
} as const;
