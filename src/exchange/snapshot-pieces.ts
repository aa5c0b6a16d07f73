// A snapshot as JSON in short pieces, for a writer that lets others have their turn in between. What
// can still change is copied when it is asked for, orders as the few numbers that can; all the rest is
// done when a piece is wanted.
import { type LiveOrder, type OrderStand, standOf, viewOf } from './live-order.ts';
import type { ExchangeOrder } from './order.ts';
import { rfqContent } from './rfq/rfq-plain.ts';
import { contentBesideOrders, openOrdersOf } from './snapshot.ts';
import type { ExchangeState } from './state.ts';

/** A fraction of a millisecond's work. */
const ITEMS_PER_PIECE = 32;

/**
 * Together the JSON of the snapshot of this instant, whatever happens to `state` before they are taken.
 * To be gone through once.
 */
export function snapshotPieces(state: ExchangeState): Iterable<string> {
  const { instruments, trades, blockRfqs: _, ...rest } = contentBesideOrders(state);
  const openOrders = openOrdersOf(state).map(asItStands);
  const closedOrders = state.orders.closedSoFar();
  const begun = JSON.stringify({ version: 1, ...rest }).slice(0, -1);
  const { last, ...lists } = rfqContent(state.rfqs);
  return (function* pieces() {
    yield begun;
    yield* listed('instruments', instruments);
    yield* listed('openOrders', openOrders, shown);
    yield* listed('trades', trades);
    yield* listed('closedOrders', closedOrders, ({ item }) => viewOf(item));
    yield `,"blockRfqs":{"last":${JSON.stringify(last)}`;
    for (const [name, records] of Object.entries(lists)) yield* listed<object>(name, records);
    yield '}}';
  })();
}

interface Stood {
  readonly order: LiveOrder;
  readonly stand: OrderStand;
}

/** Of an order with conditions, which change in place, all of it: few have any. */
const asItStands = (order: LiveOrder): Stood | ExchangeOrder =>
  order.conditions === undefined ? { order, stand: standOf(order) } : viewOf(order);

const shown = (order: Stood | ExchangeOrder): ExchangeOrder =>
  'stand' in order ? viewOf(order.order, order.stand) : order;

function* listed<T>(
  name: string,
  items: readonly T[],
  shown: (item: T) => unknown = (item) => item,
): IterableIterator<string> {
  yield `,"${name}":[`;
  for (let from = 0; from < items.length; from += ITEMS_PER_PIECE) {
    const some = items.slice(from, from + ITEMS_PER_PIECE).map(shown);
    yield `${from > 0 ? ',' : ''}${JSON.stringify(some).slice(1, -1)}`;
  }
  yield ']';
}
