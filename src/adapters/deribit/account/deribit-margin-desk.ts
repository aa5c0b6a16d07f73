// What orders need of an account, as Deribit computes it.
//
// To be measured (docs/deribit.md): a price band of 0 is none; an id that is not open makes the answer shorter, or an error
// about the whole list, which is then requested id by id; without a currency it is the one that the order's id begins with,
// and BTC for an id of digits.

import { Fields, fieldsOfEach } from '../../../ports/deribit-wire/message-fields.ts';
import type {
  MarginReads,
  OrderMargin,
  OrderNeeds,
  ProspectiveOrder,
  Reply,
  SideNeeds,
} from '../../../ports/trading-desk.ts';
import { isPositive, money, type Price } from '../../../values/amounts.ts';
import { type AccountId, type Currency, currency, type OrderId } from '../../../values/ids.ts';
import type { Questions, ReadResult } from '../session/questions.ts';
import { numberOf } from '../wire/amount-numbers.ts';

/** What one request holds; it must fit into a frame. */
const IDS_MAX = 500;

export class DeribitMarginDesk implements MarginReads {
  readonly #questions: Questions;

  constructor(questions: Questions) {
    this.#questions = questions;
  }

  needs({ account, instrument, quantity, price }: ProspectiveOrder): Promise<Reply<OrderNeeds>> {
    return this.#questions.ofAccount(account, {
      method: 'private/get_margins',
      params: {
        instrument_name: instrument,
        amount: numberOf(quantity),
        price: numberOf(price),
      },
      read: needsIn,
    });
  }

  async ofOrders(
    account: AccountId,
    orderIds: readonly OrderId[],
  ): Promise<Reply<readonly OrderMargin[]>> {
    const found = new Map<string, OrderMargin>();
    for (let from = 0; from < orderIds.length; from += IDS_MAX) {
      const reply = await this.#ofSome(account, orderIds.slice(from, from + IDS_MAX));
      if (reply.kind !== 'done') return reply;
      for (const one of reply.value) found.set(one.orderId, one);
    }
    return { kind: 'done', value: orderIds.flatMap((id) => found.get(id) ?? []) };
  }

  async #ofSome(
    account: AccountId,
    ids: readonly OrderId[],
  ): Promise<Reply<readonly OrderMargin[]>> {
    const method = 'private/get_order_margin_by_ids';
    const read = marginsIn(ids);
    const reply = await this.#questions.ofAccount(account, { method, params: { ids }, read });
    // One of them is not open.
    if (reply.kind !== 'refused' || reply.class !== 'done') return reply;
    if (ids.length === 1) return { kind: 'done', value: [] };
    const found: OrderMargin[] = [];
    for (const id of ids) {
      const single = await this.#ofSome(account, [id]);
      if (single.kind !== 'done') return single;
      found.push(...single.value);
    }
    return { kind: 'done', value: found };
  }
}

const needsIn: ReadResult<OrderNeeds> = (value, what, tally) => {
  const of = new Fields(what, value, tally);
  return {
    buy: sideNeedsIn(of, 'buy'),
    sell: sideNeedsIn(of, 'sell'),
    minPrice: limitIn(of, 'min_price'),
    maxPrice: limitIn(of, 'max_price'),
  };
};

const sideNeedsIn = (of: Fields, side: 'buy' | 'sell'): SideNeeds => ({
  margin: money(of.digits(side)),
  takerFee: money(of.digitsIf(`${side}_taker_fee`) ?? '0'),
  makerFee: money(of.digitsIf(`${side}_maker_fee`) ?? '0'),
});

function limitIn(of: Fields, name: string): Price | undefined {
  const limit = of.priceIf(name);
  return limit !== undefined && isPositive(limit) ? limit : undefined;
}

const marginsIn =
  (ids: readonly OrderId[]): ReadResult<readonly OrderMargin[]> =>
  (value, what, tally) =>
    fieldsOfEach(what, value, tally).flatMap((of) => {
      const text = of.text('order_id');
      const orderId = ids.find((one) => one === text);
      if (orderId === undefined) return [];
      const code = of.textIf('initial_margin_currency');
      return {
        orderId,
        margin: money(of.digits('initial_margin')),
        currency: code === undefined ? currencyOfId(orderId) : currency(code),
      };
    });

/** `ETH-123`, `XRP_USDC-123`, and digits alone for BTC. */
function currencyOfId(id: OrderId): Currency {
  const [, pair = 'BTC'] = /^([A-Z_]+)-/.exec(id) ?? [];
  return currency(pair.split('_').at(-1) ?? pair);
}
