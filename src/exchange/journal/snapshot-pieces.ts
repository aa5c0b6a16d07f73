// Produces a snapshot as JSON in short pieces, for a writer that yields to other work in between. Mutable
// data is copied when the iteration is created, orders as the few numbers that can change; everything else is
// done per piece.

import type { ExchangeState } from '../exchange-state.ts';
import { viewOf } from '../model/live-order.ts';
import { OrderSnapshots } from '../model/order-snapshots.ts';
import { rfqContent } from '../rfq/rfq-plain.ts';
import { contentBesideOrders, openOrdersOf } from './snapshot.ts';

/** Takes a fraction of a millisecond. */
const ITEMS_PER_PIECE = 32;

/**
 * The pieces together are the JSON of the snapshot as of the call, whatever happens to `state` before they
 * are read. Iterate once.
 */
export function snapshotPieces(state: ExchangeState): Iterable<string> {
  const {
    instruments,
    trades,
    settlements = [],
    blockRfqs: _,
    ...rest
  } = contentBesideOrders(state);
  const open = new OrderSnapshots(openOrdersOf(state));
  const closedOrders = state.orders.closedSoFar();
  const begun = JSON.stringify({ version: 1, ...rest }).slice(0, -1);
  const { last, ...lists } = rfqContent(state.rfqs);
  return (function* pieces() {
    yield begun;
    yield* listed('instruments', instruments);
    yield* listed('openOrders', open.orders, (order, index) => open.view(order, index));
    yield* listed('trades', trades);
    yield* listed('settlements', settlements);
    yield* listed('closedOrders', closedOrders, ({ item }) => viewOf(item));
    yield `,"blockRfqs":{"last":${JSON.stringify(last)}`;
    for (const [name, records] of Object.entries(lists)) yield* listed<object>(name, records);
    yield '}}';
  })();
}

function* listed<T>(
  name: string,
  items: readonly T[],
  shown: (item: T, index: number) => unknown = (item) => item,
): IterableIterator<string> {
  yield `,"${name}":[`;
  for (let from = 0; from < items.length; from += ITEMS_PER_PIECE) {
    const some = items.slice(from, from + ITEMS_PER_PIECE).map((item, n) => shown(item, from + n));
    yield `${from > 0 ? ',' : ''}${JSON.stringify(some).slice(1, -1)}`;
  }
  yield ']';
}
