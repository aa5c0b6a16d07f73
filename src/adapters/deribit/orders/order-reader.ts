// Reads orders and trades of an account, and remembers the side of each order.

import type { OrderRecord, TradeRecord } from '../../../core/order/order-record.ts';
import { Fields, fieldsOfEach } from '../../../ports/deribit-wire/message-fields.ts';
import { orderIn } from '../../../ports/deribit-wire/order-rows.ts';
import { tradeIn } from '../../../ports/deribit-wire/trade-rows.ts';
import type { Worked } from '../../../ports/trading-desk.ts';
import type { AccountId, OrderId } from '../../../values/ids.ts';
import type { Side, TermsOf } from '../../../values/instrument.ts';
import type { ReadResult } from '../session/questions.ts';
import type { OrderSides } from './order-sides.ts';

export interface HistoryPage {
  readonly orders: readonly OrderRecord[];
  readonly continuation?: string | undefined;
}

export interface TradesPage {
  readonly trades: readonly TradeRecord[];
  readonly hasMore: boolean;
}

export class OrderReader {
  readonly #termsOf: TermsOf;
  readonly #sides: OrderSides;

  constructor(termsOf: TermsOf, sides: OrderSides) {
    this.#termsOf = termsOf;
    this.#sides = sides;
  }

  order(account: AccountId): ReadResult<OrderRecord> {
    return (value, what, tally) => this.orderOf(new Fields(what, value, tally), account);
  }

  orders(account: AccountId): ReadResult<readonly OrderRecord[]> {
    return (value, what, tally) =>
      fieldsOfEach(what, value, tally).map((one) => this.orderOf(one, account));
  }

  /** With or without a continuation, whose object is not in the published schema. */
  history(account: AccountId): ReadResult<HistoryPage> {
    return (value, what, tally) => {
      if (Array.isArray(value)) return { orders: this.orders(account)(value, what, tally) };
      const page = new Fields(what, value, tally);
      const orders = page.listIf('orders') ?? page.listIf('entries') ?? [];
      return {
        orders: this.orders(account)(orders, what, tally),
        continuation: page.textIf('continuation') || undefined,
      };
    };
  }

  worked(account: AccountId): ReadResult<Worked> {
    return (value, what, tally) => {
      const worked = new Fields(what, value, tally);
      const order = this.orderOf(worked.in('order'), account);
      const trades = worked.has('trades') ? worked.each('trades') : [];
      return { order, trades: trades.map((one) => this.tradeOf(one, account)) };
    };
  }

  /** A bare list, or a page of one. */
  trades(account: AccountId): ReadResult<TradesPage> {
    return (value, what, tally) => {
      const page = Array.isArray(value) ? undefined : new Fields(what, value, tally);
      const list = fieldsOfEach(what, page?.list('trades') ?? value, tally);
      const trades = list.map((one) => this.tradeOf(one, account));
      return { trades, hasMore: page?.flag('has_more') ?? false };
    };
  }

  orderOf(of: Fields, account: AccountId): OrderRecord {
    const order = orderIn(of, account, this.#termsOf);
    this.#sides.note(order);
    return order;
  }

  tradeOf(of: Fields, account: AccountId): TradeRecord {
    const sideOf = (order: OrderId): Side | undefined => this.#sides.of(order);
    return tradeIn(of, { account, termsOf: this.#termsOf, sideOf });
  }
}
