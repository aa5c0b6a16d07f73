// The memory of a resting order: the book's own entry with its share of the price levels, a user's order in
// the book, and one with all look-up structures of the exchange.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OrderBook } from '../src/exchange/book/order-book.ts';
import { Resting } from '../src/exchange/book/price-level.ts';
import { Exchange } from '../src/exchange/exchange.ts';
import { Account } from '../src/exchange/model/account.ts';
import { Listing } from '../src/exchange/model/instruments/listing.ts';
import { LiveOrder } from '../src/exchange/model/live-order.ts';
import { money, price, quantityOf } from '../src/values/amounts.ts';
import { accountId, currency, orderId } from '../src/values/ids.ts';
import { instant } from '../src/values/instant.ts';
import type { Side } from '../src/values/instrument.ts';
import { btcPerpetual } from '../test/exchange/instruments.ts';
import type { Row } from './row.ts';

const ENTRIES = 1_000_000;
const LIVE_ORDERS = 300_000;
const PLACED_ORDERS = 100_000;
/** Price levels per side over which the orders are spread. */
const DEPTH_TICKS = 1_000;
const MIDDLE = 200_000;
const NOW = instant(Date.UTC(2026, 10, 2, 12));
const BALANCES = new Map([[currency('BTC'), money('1000000000')]]);

export function benchOrderMemory(): Row[] {
  const entry = bytesEach(ENTRIES, fillBook);
  const live = bytesEach(LIVE_ORDERS, fillBookWithOrders);
  const placed = bytesEach(PLACED_ORDERS, placeOrders);
  const of = (count: number): string =>
    `${count.toLocaleString('en').replaceAll(',', ' ')} of them`;
  return [
    {
      what: "  a resting order, the book's entry",
      value: `${entry} bytes (${of(ENTRIES)})`,
      yardstick: '300 bytes',
    },
    {
      what: "  a user's order in the book",
      value: `${live} bytes (${of(LIVE_ORDERS)})`,
      yardstick: '300 bytes, all of the order',
    },
    {
      what: '  the same with its indexes',
      value: `${placed} bytes (${of(PLACED_ORDERS)})`,
      yardstick: 'by number, by label, by account',
    },
  ];
}

/** Heap of the result of `make`, after collection, divided by `count`. */
function bytesEach(count: number, make: (count: number) => object): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  make(1_000);
  const before = used();
  const held = [make(count)];
  const bytes = used() - before;
  // An object that is read after the collection cannot be collected in it.
  held.length = 0;
  return Math.round(bytes / count);
}

/** Half of them on each side, spread over all levels. */
function placeOf(i: number): { readonly side: Side; readonly ticks: number } {
  const away = 1 + ((i * 7) % DEPTH_TICKS);
  return i % 2 === 0
    ? { side: 'buy', ticks: MIDDLE - away }
    : { side: 'sell', ticks: MIDDLE + away };
}

function fillBook(count: number): OrderBook {
  const book = new OrderBook();
  const owner = {};
  for (let i = 0; i < count; i += 1) {
    const { side, ticks } = placeOf(i);
    book.rest(new Resting(owner, 1 + (i % 20)), side, ticks);
  }
  return book;
}

function fillBookWithOrders(count: number): Listing {
  const listing = new Listing(btcPerpetual);
  const account = new Account(accountId('10001'), BALANCES);
  for (let i = 0; i < count; i += 1) {
    const { side, ticks } = placeOf(i);
    const identity = {
      orderId: orderId(`${i}`),
      listing,
      side,
      label: `bench-${i}`,
      originalType: 'limit',
      timeInForce: 'good_til_cancelled',
      mmp: false,
      createdAt: instant(NOW + i),
    } as const;
    const flags = { postOnly: false, rejectPostOnly: false, reduceOnly: false };
    const terms = { ticks, totalLots: 1 + (i % 20), ...flags };
    const order = new LiveOrder(identity, account, terms);
    order.lots = order.remainingLots;
    listing.book.rest(order, side, ticks);
  }
  return listing;
}

function placeOrders(count: number): Exchange {
  const account = accountId('10001');
  const exchange = new Exchange({
    instruments: [btcPerpetual],
    accounts: [{ account, balances: BALANCES }],
  });
  const instrument = btcPerpetual.name;
  const mark = price(`${MIDDLE / 2}`);
  exchange.handle({
    kind: 'set_reference',
    now: NOW,
    instrument,
    index: mark,
    mark,
    minPrice: price('90000'),
    maxPrice: price('110000'),
  });
  for (let i = 0; i < count; i += 1) {
    const { side, ticks } = placeOf(i);
    const answer = exchange.handle({
      kind: 'place',
      now: instant(NOW + i),
      account,
      instrument,
      side,
      type: 'limit',
      quantity: quantityOf(10 * (1 + (i % 20))),
      price: price(`${ticks / 2}`),
      timeInForce: 'good_til_cancelled',
      postOnly: false,
      rejectPostOnly: false,
      reduceOnly: false,
      label: `bench-${i}`,
    });
    if (answer.kind !== 'order') throw new Error(JSON.stringify(answer));
    exchange.drainEvents();
  }
  return exchange;
}
