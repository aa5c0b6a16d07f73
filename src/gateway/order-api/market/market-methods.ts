// Public market methods: instruments, tickers, books, indexes.

import { z } from 'zod';
import { text as decimalText } from '../../../values/amounts.ts';
import type { Desks } from '../../desks/desks.ts';
import { METHOD_ROWS as ROWS } from '../../method-rows.ts';
import { switchField, textField, wholeField } from '../../wire/field-kinds.ts';
import { optionalOr } from '../../wire/fields.ts';
import { findInstrument, listAwaited } from '../find-instrument.ts';
import { done, type Method, publicMethod } from '../method.ts';
import { currencyField, instrumentField, kindField } from '../param-fields.ts';
import { invalidParam } from '../refusals.ts';
import { DEPTHS, depthOf, looked, notFound, onMarket } from './ask-market.ts';
import { InstrumentLists, listsPer } from './instrument-lists.ts';
import { instrumentSchema, instrumentView } from './instrument-view.ts';
import { bookLevels, bookSchema, tickerSchema, tickerView } from './market-view.ts';

const instruments = publicMethod({
  row: ROWS.getInstruments,
  summary: 'Instruments in trading, or recently expired',
  params: {
    currency: currencyField,
    kind: kindField,
    expired: optionalOr(switchField('true: recently expired ones'), false),
  },
  result: z.array(instrumentSchema),
  example: { currency: 'BTC', kind: 'option' },
  run: ({ orders, now }, { currency, kind, expired }) => {
    const markets = orders.markets();
    const awaited = listAwaited(markets);
    if (awaited !== undefined) return awaited;
    const question = { currency: currency.code, kinds: kind, expired };
    const found = listsOf(orders).find(markets, question, now());
    return found instanceof Promise ? found.then((json) => done(json)) : done(found);
  },
});

/** Cached as long as the desks whose instruments they list. */
const listsOf = listsPer<Desks>(() => new InstrumentLists(instrumentView));

const instrument = publicMethod({
  row: ROWS.getInstrument,
  summary: 'One instrument',
  params: { instrumentName: instrumentField },
  result: instrumentSchema,
  example: { instrumentName: 'BTC-PERPETUAL' },
  run: ({ orders, now }, { instrumentName }) => {
    const found = findInstrument(orders.markets(), instrumentName);
    return found === undefined
      ? notFound({ orders, now }, instrumentName)
      : done(instrumentView(found.instrument, now()));
  },
});

const ticker = publicMethod({
  row: ROWS.ticker,
  summary: 'Best prices, mark price, index and statistics of an instrument',
  params: { instrumentName: instrumentField },
  result: tickerSchema,
  example: { instrumentName: 'BTC-PERPETUAL' },
  run: (call, { instrumentName }) =>
    onMarket(call, instrumentName, async (market) => {
      const found = await market.ticker(instrumentName);
      return found === undefined ? notFound(call, instrumentName) : done(tickerView(found));
    }),
});

const orderBook = publicMethod({
  row: ROWS.getOrderBook,
  summary: 'The book of an instrument, with its ticker',
  params: {
    instrumentName: instrumentField,
    depth: optionalOr(
      wholeField({
        min: 1,
        max: 10_000,
        description: `Levels of each side (default 5), rounded up to one of ${DEPTHS.join(', ')}`,
      }),
      5,
    ),
  },
  result: bookSchema,
  example: { instrumentName: 'BTC-PERPETUAL', depth: 10 },
  run: (call, { instrumentName, depth }) =>
    onMarket(call, instrumentName, async (market) => {
      const levels = depthOf(depth);
      const asked = [market.ticker(instrumentName), market.book(instrumentName, levels)] as const;
      const [seen, book] = await Promise.all(asked);
      if (seen === undefined || book === undefined) return notFound(call, instrumentName);
      return done({ ...tickerView(seen), ...bookLevels(book) });
    }),
});

const indexPrice = publicMethod({
  row: ROWS.getIndexPrice,
  summary: 'An index',
  params: { indexName: textField({ max: 32, description: 'For example btc_usd' }) },
  result: z.object({
    indexPrice: z.string().describe('Price of the index'),
    estimatedDeliveryPrice: z
      .string()
      .describe('Same as the price unless a settlement is in progress'),
  }),
  example: { indexName: 'btc_usd' },
  run: ({ orders }, { indexName }) =>
    looked(async () => {
      for (const market of orders.markets()) {
        const price = await market.index(indexName);
        if (price === undefined) continue;
        return done({ indexPrice: decimalText(price), estimatedDeliveryPrice: decimalText(price) });
      }
      const names = orders.markets().flatMap((market) => [...market.indexNames()]);
      return invalidParam('indexName', `is not known; accepted: ${[...new Set(names)].join(', ')}`);
    }),
});

export const MARKET_METHODS = [
  instruments,
  instrument,
  ticker,
  orderBook,
  indexPrice,
] as const satisfies readonly Method[];
