// The order methods of a venue behind a faulty connection. Public market reads use another connection without
// faults.
import type { DeskNews, Reply, VenueDesk } from '../../ports/trading-desk.ts';
import type { VenueLink } from './faulty-link.ts';

export function faultyDesk(desk: VenueDesk, link: VenueLink): VenueDesk {
  const request = <T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> =>
    link.carry(send, (code) => ({ kind: 'refused', code, message: `refused ${code}` }));
  const ask = <T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> => link.carry(send);
  return {
    enter: (order) => request(() => desk.enter(order)),
    edit: (change) => request(() => desk.edit(change)),
    cancel: (order) => request(() => desk.cancel(order)),
    cancelAll: (filter) => request(() => desk.cancelAll(filter)),
    order: (account, id) => ask(() => desk.order(account, id)),
    ordersLabelled: (filter) => ask(() => desk.ordersLabelled(filter)),
    openOrdersOf: (filter) => ask(() => desk.openOrdersOf(filter)),
    orderHistory: (query) => ask(() => desk.orderHistory(query)),
    trades: (query) => ask(() => desk.trades(query)),
    positionsOf: (filter) => ask(() => desk.positionsOf(filter)),
    summaryOf: (account, currency) => ask(() => desk.summaryOf(account, currency)),
    listen: (listener) => listen(desk, link, listener),
    listed: (query) => desk.listed(query),
    instrument: (name) => desk.instrument(name),
    ticker: (name) => desk.ticker(name),
    book: (name, depth) => desk.book(name, depth),
    index: (name) => desk.index(name),
    indexNames: () => desk.indexNames(),
    follow: (name, listener) => desk.follow(name, listener),
  };
}

function listen(desk: VenueDesk, link: VenueLink, listener: (news: DeskNews) => void): () => void {
  const leave = desk.listen((news) => link.deliver(() => listener(news)));
  const settle = link.onReconnect(() => listener({ kind: 'reconnected' }));
  return () => {
    leave();
    settle();
  };
}
