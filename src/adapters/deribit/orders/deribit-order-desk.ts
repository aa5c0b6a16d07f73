// The order methods: changes and queries. The venue is queried for the narrowest list that its methods can express; the
// rest of a filter is applied to the answer.
//
// Decided where the documents are silent: `currency` of a look-up is the settlement currency, for spot its quote and its
// base are both asked, and without an instrument every currency that the venue lists is.

import { refusal } from '../../../core/order/answer-class.ts';
import type { OrderRecord } from '../../../core/order/order-record.ts';
import type {
  CancelOrder,
  CancelOrders,
  HistoryQuery,
  NewOrder,
  OpenOrdersFilter,
  OrderChange,
  OrderFilter,
  Reply,
  TradingDesk,
  Worked,
} from '../../../ports/trading-desk.ts';
import { toNumber } from '../../../values/amounts.ts';
import type { AccountId, Currency, InstrumentName, OrderId } from '../../../values/ids.ts';
import { type Instant, later } from '../../../values/instant.ts';
import type { TermsOf } from '../../../values/instrument.ts';
import { mapped, NOT_LISTED_YET, type Params } from '../outcome.ts';
import type { Questions, ReadResult } from '../session/questions.ts';
import { isOrderWanted } from './filters.ts';
import type { HistoryPage, OrderReader } from './order-reader.ts';
import {
  cancelTypeWord,
  changeParams,
  kindWord,
  newOrderParams,
  unsendable,
} from './order-request.ts';
import type { OwnOrders } from './own-orders.ts';

type Methods = Pick<
  TradingDesk,
  | 'place'
  | 'edit'
  | 'cancel'
  | 'cancelAll'
  | 'order'
  | 'ordersLabelled'
  | 'openOrders'
  | 'orderHistory'
>;

export interface OrderDeskParts {
  readonly questions: Questions;
  readonly reader: OrderReader;
  readonly termsOf: TermsOf;
  /** Every currency in which something settles; `undefined` until the venue has listed its instruments. */
  readonly currencies: () => readonly Currency[] | undefined;
  readonly venueNow: () => Instant;
  readonly now: () => Instant;
  readonly own: OwnOrders;
  /** How long a manual order may take to reach the venue. */
  readonly validMs: number;
  /** Sends an emergency request where the connection of the account cannot. */
  readonly sendElsewhere: <T>(account: AccountId, question: CancelAll<T>) => Promise<Reply<T>>;
  /** The venue has another grid of prices than we know; absent instrument: the order was named by its id. */
  readonly onWrongTick: (instrument: InstrumentName | undefined) => void;
}

/** `price_wrong_tick`, `trigger_price_wrong_tick`, `price_precision_exceeded`. */
const WRONG_TICK: ReadonlySet<number> = new Set([10043, 10044, 10026]);

export interface CancelAll<T = number> {
  readonly method: string;
  readonly params: Params;
  readonly read: ReadResult<T>;
}

/** An order without an answer is looked up within this time, and reported then. */
const UNANSWERED_MS = 10_000;

export class DeribitOrderDesk implements Methods {
  readonly #parts: OrderDeskParts;

  constructor(parts: OrderDeskParts) {
    this.#parts = parts;
  }

  async place(order: NewOrder): Promise<Reply<Worked>> {
    const { termsOf } = this.#parts;
    const params = newOrderParams(order, termsOf(order.instrument), this.#validUntil());
    const held = unsendable(order);
    if (held !== undefined) return held;
    const { instrument, side, price, quantity, displayQuantity } = order;
    const shown = displayQuantity ?? quantity;
    const answered = this.#requested(instrument, { side, price, quantity: shown });
    return answered(await this.#worked(order, `private/${side}`, params));
  }

  async edit(change: OrderChange): Promise<Reply<Worked>> {
    const method = 'orderId' in change.of ? 'private/edit' : 'private/edit_by_label';
    const params = changeParams(change, this.#validUntil());
    const { account, of } = change;
    const { instrument } = of;
    const held = unsendable(change);
    if (held !== undefined) return held;
    const { price, quantity, displayQuantity } = change;
    const known = this.#parts.own.find(of);
    const shown = displayQuantity ?? quantity ?? known?.shown;
    const answered =
      known === undefined || shown === undefined
        ? this.#noted
        : this.#requested(known.instrument, { side: known.side, price, quantity: shown });
    return answered(await this.#worked({ account, instrument }, method, params));
  }

  async cancel(request: CancelOrder): Promise<Reply<OrderRecord>> {
    const { account } = request;
    const { questions, reader } = this.#parts;
    const found = await this.#idOf(request);
    if (found.kind !== 'done') return found;
    const params = { order_id: found.value };
    const read = reader.order(account);
    return await questions.ofAccount(account, { method: 'private/cancel', params, read });
  }

  async cancelAll(filter: CancelOrders): Promise<Reply<number>> {
    const { questions, sendElsewhere } = this.#parts;
    const { account } = filter;
    const one = cancelAllQuestion(filter);
    if (one === undefined) return await this.#cancelEach(filter);
    const reply = await questions.ofAccount(account, one);
    const isUnsent = reply.kind === 'refused' && reply.class === 'later';
    return isUnsent ? await sendElsewhere(account, one) : reply;
  }

  async order(account: AccountId, orderId: OrderId): Promise<Reply<OrderRecord>> {
    const { questions, reader } = this.#parts;
    const params = { order_id: orderId };
    const read = reader.order(account);
    return await questions.ofAccount(account, { method: 'private/get_order_state', params, read });
  }

  ordersLabelled(filter: OrderFilter & { readonly label: string }) {
    return this.#byLabel(filter, 'private/get_order_state_by_label');
  }

  /** Open orders with a label, requested as such: the look-up by label speaks of recent orders only. */
  openLabelled(filter: OrderFilter & { readonly label: string }) {
    return this.#byLabel(filter, 'private/get_open_orders_by_label');
  }

  async openOrders(filter: OpenOrdersFilter): Promise<Reply<readonly OrderRecord[]>> {
    const { currency, instrument, labelPrefix = '' } = filter;
    const kind = onlyKind(kindWord(filter.kinds));
    const [method, params] =
      instrument !== undefined
        ? ['private/get_open_orders_by_instrument', { instrument_name: instrument }]
        : currency === undefined
          ? ['private/get_open_orders', { kind }]
          : ['private/get_open_orders_by_currency', { currency, kind }];
    const open = await this.#orders(filter, method as string, params as Params);
    return mapped(open, (orders) => orders.filter(({ label }) => label.startsWith(labelPrefix)));
  }

  async orderHistory(query: HistoryQuery): Promise<Reply<HistoryPage>> {
    const { account, instrument, currency, kinds } = query;
    const { questions, reader, currencies, termsOf } = this.#parts;
    const page = {
      count: query.count,
      offset: query.offset || undefined,
      include_old: query.includeOld,
      include_unfilled: query.includeUnfilled,
      historical: query.historical,
      with_continuation: true,
    };
    const read = reader.history(account);
    const wanted = (reply: Reply<HistoryPage>) =>
      mapped(reply, ({ orders, continuation }) => ({
        orders: orders.filter((order) => isOrderWanted(query, order, termsOf)),
        continuation,
      }));
    if (instrument !== undefined) {
      const { continuation } = query;
      const params = { instrument_name: instrument, ...page, continuation };
      const method = 'private/get_order_history_by_instrument';
      return wanted(await questions.ofAccount(account, { method, params, read }));
    }
    const all = currency === undefined ? currencies() : [currency];
    if (all === undefined) return NOT_LISTED_YET;
    // The token of a page over several currencies says which one it is of: the venue's own are of one.
    const [at, token] = splitToken(query.continuation, all);
    const method = 'private/get_order_history_by_currency';
    const params = { currency: at, kind: kindWord(kinds), ...page, continuation: token };
    const reply = await questions.ofAccount(account, { method, params, read });
    return mapped(wanted(reply), ({ orders, continuation }) => ({
      orders,
      continuation: nextToken(continuation, at, all),
    }));
  }

  async #byLabel(
    filter: OrderFilter & { readonly label: string },
    method: string,
  ): Promise<Reply<readonly OrderRecord[]>> {
    const currencies = this.#currenciesOf(filter);
    if (currencies === undefined) return NOT_LISTED_YET;
    const found = new Map<OrderId, OrderRecord>();
    for (const currency of currencies) {
      const reply = await this.#orders(filter, method, { currency, label: filter.label });
      if (reply.kind !== 'done') return reply;
      for (const order of reply.value) found.set(order.orderId, order);
    }
    const newestFirst = [...found.values()].sort((a, b) => b.createdAt - a.createdAt);
    return { kind: 'done', value: newestFirst };
  }

  #currenciesOf({ instrument, currency }: OrderFilter): readonly Currency[] | undefined {
    if (currency !== undefined) return [currency];
    const { termsOf, currencies } = this.#parts;
    const terms = instrument === undefined ? undefined : termsOf(instrument);
    if (terms === undefined) return currencies();
    return terms.kind === 'spot' ? [terms.quote, terms.base] : [terms.settlement];
  }

  /** Without an id it is looked up first: a cancel by label would not say what became of the order. */
  async #idOf({ account, of }: CancelOrder): Promise<Reply<OrderId>> {
    if ('orderId' in of) return { kind: 'done', value: of.orderId };
    const labelled = await this.ordersLabelled({ account, ...of });
    if (labelled.kind !== 'done') return labelled;
    const [order, second] = labelled.value.filter(isOpen);
    if (second !== undefined) return NOT_UNIQUE;
    if (order !== undefined) return { kind: 'done', value: order.orderId };
    return labelled.value.length === 0 ? NOT_FOUND : NOT_OPEN;
  }

  /** Until the answer it may be in the book, and for a while longer if the answer does not come. */
  #requested(
    instrument: InstrumentName,
    { side, price, quantity }: Pick<NewOrder, 'side' | 'price' | 'quantity'>,
  ): (reply: Reply<Worked>) => Reply<Worked> {
    const { own, now } = this.#parts;
    if (price === undefined) return this.#noted;
    const over = own.request(instrument, { side, price: toNumber(price), quantity }, now());
    return (reply) => {
      this.#noted(reply);
      over(reply.kind === 'unknown' ? later(now(), UNANSWERED_MS) : undefined);
      return reply;
    };
  }

  readonly #noted = (reply: Reply<Worked>): Reply<Worked> => {
    if (reply.kind === 'done') this.#parts.own.note(reply.value.order);
    return reply;
  };

  async #worked(
    { account, instrument }: Pick<OrderFilter, 'account' | 'instrument'>,
    method: string,
    params: Params,
  ): Promise<Reply<Worked>> {
    const { questions, reader, onWrongTick } = this.#parts;
    const read = reader.worked(account);
    const reply = await questions.ofAccount(account, { method, params, read });
    if (reply.kind === 'refused' && WRONG_TICK.has(reply.code)) onWrongTick(instrument);
    return reply;
  }

  async #orders(filter: OrderFilter, method: string, params: Params) {
    const { questions, reader, termsOf } = this.#parts;
    const read = reader.orders(filter.account);
    const reply = await questions.ofAccount(filter.account, { method, params, read });
    return mapped(reply, (orders) => orders.filter((one) => isOrderWanted(filter, one, termsOf)));
  }

  /** Where the venue has no word for the filter: one by one. */
  async #cancelEach(filter: CancelOrders): Promise<Reply<number>> {
    const open = await this.openOrders(filter);
    if (open.kind !== 'done') return open;
    const { account } = filter;
    const cancels = open.value.map(({ orderId }) => this.cancel({ account, of: { orderId } }));
    const replies = await Promise.all(cancels);
    const unknown = replies.find((reply) => reply.kind === 'unknown');
    if (unknown?.kind === 'unknown') return unknown;
    return { kind: 'done', value: replies.filter(({ kind }) => kind === 'done').length };
  }

  #validUntil(): Instant {
    const { venueNow, validMs } = this.#parts;
    return later(venueNow(), validMs);
  }
}

const isOpen = ({ state }: OrderRecord): boolean => state === 'open' || state === 'untriggered';

const NOT_FOUND = refusal(10004);
const NOT_OPEN = refusal(11044);
const NOT_UNIQUE = refusal(13032);

/** Lists take no words for several kinds; what remains is filtered here. */
const onlyKind = (word: string | undefined): string | undefined =>
  word === 'any' || word === 'combo' ? undefined : word;

const TOKEN_SEPARATOR = '/';

function splitToken(
  token: string | undefined,
  all: readonly Currency[],
): readonly [Currency | undefined, string | undefined] {
  if (token === undefined) return [all[0], undefined];
  const cut = token.indexOf(TOKEN_SEPARATOR);
  const named = all.find((one) => one === token.slice(0, cut));
  return named === undefined ? [all[0], token] : [named, token.slice(cut + 1) || undefined];
}

/** The rest of this currency, or the next one. */
function nextToken(
  token: string | undefined,
  at: Currency | undefined,
  all: readonly Currency[],
): string | undefined {
  if (token !== undefined) return `${at}${TOKEN_SEPARATOR}${token}`;
  const next = at === undefined ? undefined : all[all.indexOf(at) + 1];
  return next === undefined ? undefined : `${next}${TOKEN_SEPARATOR}`;
}

/** A count, or with details a list of lists. */
const countIn: ReadResult<number> = (value) => {
  const count = typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(count) ? count : 0;
};

/** `undefined` where no one method says all of the filter. */
function cancelAllQuestion(filter: CancelOrders): CancelAll | undefined {
  const { currency, instrument, kinds, types, label } = filter;
  const read = countIn;
  if (label !== undefined) {
    const isAll = instrument === undefined && kinds === undefined && types === undefined;
    const params = { label, currency };
    return isAll ? { method: 'private/cancel_by_label', params, read } : undefined;
  }
  const type = cancelTypeWord(types);
  const kind = kindWord(kinds);
  if (type === undefined || kind === undefined) return undefined;
  if (instrument !== undefined) {
    if (currency !== undefined || kinds !== undefined) return undefined;
    const params = { instrument_name: instrument, type };
    return { method: 'private/cancel_all_by_instrument', params, read };
  }
  if (currency === undefined && kinds === undefined && types === undefined) {
    return { method: 'private/cancel_all', params: {}, read };
  }
  const params = { currency: currency ?? 'any', kind, type };
  return currency === undefined
    ? { method: 'private/cancel_all_by_kind_or_type', params, read }
    : { method: 'private/cancel_all_by_currency', params, read };
}
