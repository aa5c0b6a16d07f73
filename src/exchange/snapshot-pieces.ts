// A snapshot as JSON in short pieces, for a writer that lets others have their turn in between. What
// can still change is copied when it is asked for; what is closed or never changes is shown when wanted.
import { viewOf } from './live-order.ts';
import { rfqContent } from './rfq/rfq-plain.ts';
import { unsettledContent } from './snapshot.ts';
import type { ExchangeState } from './state.ts';

/** A fraction of a millisecond's work. */
const ITEMS_PER_PIECE = 32;

/**
 * Together the JSON of the snapshot of this instant, whatever happens to `state` before they are taken.
 * To be gone through once.
 */
export function snapshotPieces(state: ExchangeState): Iterable<string> {
  const { instruments, openOrders, trades, blockRfqs: _, ...rest } = unsettledContent(state);
  const closedOrders = [...state.orders.closed()];
  const begun = JSON.stringify({ version: 1, ...rest }).slice(0, -1);
  const { last, ...lists } = rfqContent(state.rfqs);
  return (function* pieces() {
    yield begun;
    yield* listed('instruments', instruments);
    yield* listed('openOrders', openOrders);
    yield* listed('trades', trades);
    yield* listed('closedOrders', closedOrders, viewOf);
    yield `,"blockRfqs":{"last":${JSON.stringify(last)}`;
    for (const [name, records] of Object.entries(lists)) yield* listed<object>(name, records);
    yield '}}';
  })();
}

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
