// Deribit's public methods about prices now: tickers, books, summaries, indexes.

import { decimalNumber } from '../../../ports/deribit-wire/json-number.ts';
import { tickerJson } from '../../../ports/deribit-wire/ticker-rows.ts';
import type { MarketReads } from '../../../ports/market-reads.ts';
import type { Reply } from '../../../ports/trading-desk.ts';
import type { Instrument } from '../../../values/instrument.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { listAwaited } from '../../order-api/find-instrument.ts';
import {
  depthOf,
  looked,
  type MarketCall,
  notFound,
  onMarket,
} from '../../order-api/market/ask-market.ts';
import { done } from '../../order-api/method.ts';
import { invalidParam } from '../../order-api/refusals.ts';
import { optionalOr } from '../../wire/fields.ts';
import { type DeribitMethod, publicMethod } from '../method/deribit-method.ts';
import { wholeParam } from '../method/deribit-params.ts';
import {
  currencyParam,
  indexParam,
  instrumentParam,
  isOfMarket,
  kindParam,
} from '../method/instrument-params.ts';
import { summariesOf } from './book-summaries.ts';
import { bookJson, summaryJson } from './deribit-book-json.ts';

const ticker = publicMethod({
  row: ROWS.ticker,
  params: { instrumentName: instrumentParam },
  run: (call, { instrumentName: name }) =>
    onMarket(call, name, async (market, instrument) => {
      const found = await market.ticker(name);
      return found === undefined ? notFound(call, name) : done(tickerJson(instrument, found));
    }),
});

const orderBook = publicMethod({
  row: ROWS.getOrderBook,
  params: {
    instrumentName: instrumentParam,
    depth: optionalOr(wholeParam({ min: 1, max: 10_000, description: 'Levels of each side' }), 5),
  },
  run: (call, { instrumentName: name, depth }) =>
    onMarket(call, name, async (market, instrument) => {
      const asked = [market.ticker(name), market.book(name, depthOf(depth))] as const;
      const [seen, book] = await Promise.all(asked);
      if (seen === undefined || book === undefined) return notFound(call, name);
      return done({ ...tickerJson(instrument, seen), ...bookJson(book) });
    }),
});

const summaryByInstrument = publicMethod({
  row: ROWS.getBookSummaryByInstrument,
  params: { instrumentName: instrumentParam },
  run: (call, { instrumentName: name }) =>
    onMarket(call, name, async (market, instrument) => {
      const found = await market.ticker(name);
      return found === undefined ? notFound(call, name) : done([summaryJson(instrument, found)]);
    }),
});

const summaryByCurrency = publicMethod({
  row: ROWS.getBookSummaryByCurrency,
  params: { currency: currencyParam, kind: kindParam },
  run: ({ orders, now }, { currency, kind }) =>
    looked(async () => {
      const awaited = listAwaited(orders.markets());
      if (awaited !== undefined) return awaited;
      const wanted = { kinds: kind, currency: currency.code };
      const isWanted = (one: Instrument): boolean => isOfMarket(one, wanted);
      return done(await summariesOf(orders, { isWanted, of: JSON.stringify(wanted), now: now() }));
    }),
});

/** Refuses if no market has the index. */
export function onIndex(
  { orders }: MarketCall,
  name: string,
  read: (market: MarketReads) => Promise<Reply<unknown> | undefined>,
): Promise<Reply<unknown>> {
  return looked(async () => {
    for (const market of orders.markets()) {
      if (!market.indexNames().includes(name)) continue;
      const reply = await read(market);
      if (reply !== undefined) return reply;
    }
    const names = orders.markets().flatMap((market) => [...market.indexNames()]);
    return invalidParam(
      'index_name',
      `is not known; accepted: ${[...new Set(names)].sort().join(', ')}`,
    );
  });
}

const indexPrice = publicMethod({
  row: ROWS.getIndexPrice,
  params: { index_name: indexParam },
  run: (call, { index_name: name }) =>
    onIndex(call, name, async (market) => {
      const price = await market.index(name);
      if (price === undefined) return undefined;
      const number = decimalNumber(price);
      return done({ index_price: number, estimated_delivery_price: number });
    }),
});

export const DERIBIT_PRICE_METHODS: readonly DeribitMethod[] = [
  ticker,
  orderBook,
  summaryByInstrument,
  summaryByCurrency,
  indexPrice,
];
