// Serves the order methods, the market data and the directory of the venues to gateways.
import type { RfqDesk } from '../../ports/block-rfq.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MarginReads, Reply, TradingDesk, VenueNotice } from '../../ports/trading-desk.ts';
import type { AccountId, InstrumentName, VenueName } from '../../values/ids.ts';
import type { MethodApi } from '../interface/engine-api.ts';
import type { OpenVenue, OrderOperations } from '../order-entry/order-operations.ts';
import { DirectoryFeed } from './directory.ts';

export interface MethodApiOptions {
  readonly orders: OrderOperations;
  readonly clock: Clock;
  /** Why trading is not possible at the moment; empty if it is. */
  readonly notReady: () => readonly string[] | Promise<readonly string[]>;
  /** The text of its metrics; absent: it has none. */
  readonly exposition?: (() => Promise<string>) | undefined;
}

type Refused = Extract<Reply<never>, { readonly kind: 'refused' }>;

export function methodApi(parts: MethodApiOptions): MethodApi {
  const { orders, notReady, exposition } = parts;
  const directory = new DirectoryFeed(parts);
  return {
    combos: comboApi(orders, directory),
    directory: { follow: (listener) => directory.follow(listener) },
    margins: marginApi(orders),
    market: marketApi(orders, directory),
    mmp: orders.mmp ?? NO_PROTECTION,
    orders: orderApi(orders, directory),
    rfqs: rfqApi(orders, directory),
    state: {
      reasonsNotReady: async () => await notReady(),
      metrics: async () => (await exposition?.()) ?? '',
    },
  };
}

const venueOf = (orders: OrderOperations, name: VenueName): OpenVenue | undefined =>
  orders.venues().find((venue) => venue.name === name);

function marketApi(orders: OrderOperations, directory: DirectoryFeed): MethodApi['market'] {
  const at = (venue: VenueName) => venueOf(orders, venue)?.market;
  return {
    instrument: (name) => {
      const [found] = orders.venues().flatMap(({ name: venue, market }) => {
        const instrument = market.instrument(name);
        return instrument === undefined ? [] : [{ venue, instrument }];
      });
      if (found !== undefined) directory.publishUnlessKnown(name);
      return Promise.resolve(found);
    },
    ticker: async (venue, name) => at(venue)?.ticker(name),
    book: async (venue, name, depth) => at(venue)?.book(name, depth),
    index: async (venue, name) => at(venue)?.index(name),
    history: async (venue, kind, query) => at(venue)?.history(kind, query),
    follow: (venue, name, listener) => at(venue)?.follow(name, listener) ?? NOTHING_TO_LEAVE,
  };
}

function orderApi(orders: OrderOperations, directory: DirectoryFeed): MethodApi['orders'] {
  const at = <T>(
    account: AccountId,
    call: (desk: TradingDesk) => Promise<Reply<T>>,
  ): Promise<Reply<T>> => {
    const desk = orders.forAccount(account);
    return desk === undefined ? Promise.resolve(noOrders(account)) : call(desk);
  };
  return {
    place: (order) => at(order.account, (desk) => desk.place(order)),
    edit: (change) => at(change.account, (desk) => desk.edit(change)),
    cancel: (request) => at(request.account, (desk) => desk.cancel(request)),
    cancelAll: (filter) => at(filter.account, (desk) => desk.cancelAll(filter)),
    order: (account, id) => at(account, (desk) => desk.order(account, id)),
    ordersLabelled: (filter) => at(filter.account, (desk) => desk.ordersLabelled(filter)),
    openOrders: (filter) => at(filter.account, (desk) => desk.openOrders(filter)),
    orderHistory: (query) => at(query.account, (desk) => desk.orderHistory(query)),
    trades: (query) => at(query.account, (desk) => desk.trades(query)),
    positions: (filter) => at(filter.account, (desk) => desk.positions(filter)),
    summary: (account, currency) => at(account, (desk) => desk.summary(account, currency)),
    transactions: (query) => at(query.account, (desk) => desk.transactions(query)),
    follow: (venue, listener) => {
      const publish = (notice: VenueNotice): void => {
        const name = instrumentOf(notice);
        if (name !== undefined) directory.publishUnlessKnown(name);
        listener(notice);
      };
      return venueOf(orders, venue)?.subscribe(publish) ?? NOTHING_TO_LEAVE;
    },
  };
}

function comboApi(orders: OrderOperations, directory: DirectoryFeed): MethodApi['combos'] {
  return {
    list: async (venue) => (await venueOf(orders, venue)?.combos?.combos()) ?? [],
    create: async (request) => {
      const combos = orders.combosFor?.(request.account);
      if (combos === undefined) return noCombos(request.account);
      const reply = await combos.create(request);
      if (reply.kind === 'done') directory.publishUnlessKnown(reply.value.instrument.name);
      return reply;
    },
    legPrices: async (request) => {
      const combos = orders.combosFor?.(request.account);
      return combos === undefined ? noCombos(request.account) : await combos.legPrices(request);
    },
  };
}

function marginApi(orders: OrderOperations): MethodApi['margins'] {
  const at = <T>(
    account: AccountId,
    call: (margins: MarginReads) => Promise<Reply<T>>,
  ): Promise<Reply<T>> => {
    const margins = orders.marginsFor?.(account);
    return margins === undefined ? Promise.resolve(noMargins(account)) : call(margins);
  };
  return {
    needs: (order) => at(order.account, (margins) => margins.needs(order)),
    ofOrders: (account, ids) => at(account, (margins) => margins.ofOrders(account, ids)),
  };
}

function rfqApi(orders: OrderOperations, directory: DirectoryFeed): MethodApi['rfqs'] {
  const at = <T>(
    account: AccountId,
    call: (rfqs: RfqDesk) => Promise<Reply<T>>,
  ): Promise<Reply<T>> => {
    const rfqs = orders.rfqsFor?.(account);
    return rfqs === undefined ? Promise.resolve(noRfqs(account)) : call(rfqs);
  };
  return {
    create: (rfq) => at(rfq.account, (rfqs) => rfqs.create(rfq)),
    accept: (accept) => at(accept.account, (rfqs) => rfqs.accept(accept)),
    quote: (quote) => at(quote.account, (rfqs) => rfqs.quote(quote)),
    editQuote: (change) => at(change.account, (rfqs) => rfqs.editQuote(change)),
    rfqs: (filter) => at(filter.account, (rfqs) => rfqs.rfqs(filter)),
    cancelRfq: (of) => at(of.account, (rfqs) => rfqs.cancelRfq(of)),
    cancelTrigger: (of) => at(of.account, (rfqs) => rfqs.cancelTrigger(of)),
    cancelQuote: (of) => at(of.account, (rfqs) => rfqs.cancelQuote(of)),
    cancelQuotes: (of) => at(of.account, (rfqs) => rfqs.cancelQuotes(of)),
    quotes: (of) => at(of.account, (rfqs) => rfqs.quotes(of)),
    makers: (account) => at(account, (rfqs) => rfqs.makers(account)),
    blockTrades: (of) => at(of.account, (rfqs) => rfqs.blockTrades(of)),
    tape: async (venue, of) => {
      const rfqs = venueOf(orders, venue)?.rfqs;
      return rfqs === undefined ? { kind: 'done', value: [] } : await rfqs.tape(of);
    },
    aliasOf: (account) => {
      directory.publishChanges();
      return Promise.resolve(orders.rfqsFor?.(account)?.aliasOf(account));
    },
    follow: (venue, listener) => venueOf(orders, venue)?.rfqs?.listen(listener) ?? NOTHING_TO_LEAVE,
  };
}

const NOTHING_TO_LEAVE = (): void => undefined;

function instrumentOf(notice: VenueNotice): InstrumentName | undefined {
  switch (notice.kind) {
    case 'order':
      return notice.order.instrument;
    case 'trade':
      return notice.trade.instrument;
    default:
      return undefined;
  }
}

const invalidAccount = (reason: string): Refused => ({
  kind: 'refused',
  code: -32602,
  message: 'Invalid params',
  class: 'final',
  details: { param: 'accountId', reason },
});

const noOrders = (account: AccountId): Refused =>
  invalidAccount(`${account} cannot send orders; accepted: an account other than a dummy account`);

const noRfqs = (account: AccountId): Refused =>
  invalidAccount(`the venue of ${account} has no Block RFQs; accepted: another account`);

const noCombos = (account: AccountId): Refused =>
  invalidAccount(`the venue of ${account} has no combos; accepted: another account`);

const noMargins = (account: AccountId): Refused =>
  invalidAccount(
    `the venue of ${account} does not say what orders need; accepted: another account`,
  );

const MMP_REQUIRED: Refused = {
  kind: 'refused',
  code: 13040,
  message: 'mmp_required this deployment has no market-maker protection',
  class: 'final',
};

const NO_PROTECTION: MethodApi['mmp'] = {
  configure: () => Promise.resolve(MMP_REQUIRED),
  configs: () => Promise.resolve(MMP_REQUIRED),
  frozen: () => Promise.resolve(MMP_REQUIRED),
  reset: () => Promise.resolve(MMP_REQUIRED),
  listen: () => NOTHING_TO_LEAVE,
};
