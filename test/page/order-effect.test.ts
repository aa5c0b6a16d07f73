// What an order would do, said in figures before it is sent: of every kind of instrument, bought and sold.
import { expect, test } from 'vitest';
import type { BookRecord } from '../../src/page/model/desk/book.ts';
import {
  type Market,
  orderEffects,
  type RequestedOrder,
} from '../../src/page/model/desk/order-effect.ts';
import type { Instrument, Ticker } from '../../src/page/model/instruments/option-chain.ts';

const listed = (changes: Partial<Instrument>): Instrument =>
  ({
    kind: 'future',
    quantityUnit: 'USD',
    baseCurrency: 'BTC',
    settlementCurrency: 'BTC',
    takerCommission: '0.0005',
    ...changes,
  }) as Instrument;
const ticker = { markPrice: '99000', indexPrice: '100000' } as Ticker;

const INVERSE = listed({});
const BOOK: BookRecord = {
  timestamp: 0,
  bids: [
    ['99990', '5000'],
    ['99980', '20000'],
  ],
  asks: [
    ['100000', '4000'],
    ['100010', '20000'],
  ],
};
const OPTION_BOOK: BookRecord = { timestamp: 0, bids: [['0.04', '5']], asks: [['0.05', '5']] };

const effects = (order: Partial<RequestedOrder>, market: Partial<Market> = {}): readonly string[] =>
  orderEffects(
    {
      account: '10001',
      instrumentName: 'BTC-PERPETUAL',
      side: 'buy',
      quantity: '10000',
      price: undefined,
      postOnly: false,
      reduceOnly: false,
      ...order,
    },
    { listed: INVERSE, book: BOOK, ticker, position: undefined, ...market },
  );

test('everything that an order would do is said in order, with the position before and after it', () => {
  expect(effects({ reduceOnly: true }, { position: '-2500' })).toEqual([
    'Buy 10000 USD BTC-PERPETUAL at market for account 10001.',
    // 4 000 at 100 000 and 6 000 at 100 010.
    'It trades at once, at about 100,006 on average; the best ask is 100000.',
    "Value about 0.1 BTC; a taker's fee of at most about 0.00005 BTC.",
    'The position is -2500 USD, and 7500 USD once it is filled.',
    'It only reduces the position.',
    'Limits, switches and the margin are checked when it is sent.',
  ]);
  expect(
    effects({ side: 'sell', price: '99985', quantity: '5000' }, { position: '-2500' }),
  ).toEqual([
    'Sell 5000 USD BTC-PERPETUAL at 99985 for account 10001.',
    'It trades at once, at about 99,990 on average; the best bid is 99990.',
    "Value about 0.0500075 BTC; a taker's fee of at most about 0.0000250038 BTC.",
    'The position is -2500 USD, and -7500 USD once it is filled.',
    'Limits, switches and the margin are checked when it is sent.',
  ]);
});

test.each<[string, Partial<RequestedOrder>, Partial<Market>, string]>([
  [
    'a bid below the asks',
    { price: '99999.5' },
    {},
    'It rests in the book: the best ask is 100000.',
  ],
  [
    'an offer above the bids',
    { side: 'sell', price: '99990.5' },
    {},
    'It rests in the book: the best bid is 99990.',
  ],
  [
    'a bid at the best ask',
    { price: '100000', quantity: '4000' },
    {},
    'It trades at once, at about 100,000 on average; the best ask is 100000.',
  ],
  [
    'an offer at the best bid',
    { side: 'sell', price: '99990', quantity: '5000' },
    {},
    'It trades at once, at about 99,990 on average; the best bid is 99990.',
  ],
  [
    'post-only at the best ask',
    { price: '100000', postOnly: true },
    {},
    'It would reach the best ask of 100000: its price is moved so that it rests.',
  ],
  [
    'more than its price reaches',
    { price: '100000' },
    {},
    'It trades at once from 100000 on, as far as its price allows; the rest stays in the book.',
  ],
  [
    'more than is shown',
    { side: 'sell', quantity: '25000.5' },
    {},
    'It trades at once from 99990 on, with more than the levels shown.',
  ],
  ['an empty side', {}, { book: { ...BOOK, asks: [] } }, 'There is no ask to trade with.'],
  ['no book', {}, { book: undefined }, 'The book is not known: it may trade at once.'],
])('%s: what it meets is said', (_, order, market, sentence) => {
  expect(effects(order, market)[1]).toBe(sentence);
});

const OPTION = { instrumentName: 'BTC-25DEC26-100000-C', quantity: '3', price: '0.05' };
test.each<[string, Partial<RequestedOrder>, Partial<Instrument>, string]>([
  [
    'a linear future',
    { quantity: '2', price: '99000' },
    { quantityUnit: 'BTC', settlementCurrency: 'USDC' },
    "Value about 198,000 USDC; a taker's fee of at most about 99 USDC.",
  ],
  [
    'an option in coin: the fee is of the coins',
    OPTION,
    { kind: 'option', quantityUnit: 'BTC', takerCommission: '0.0003' },
    "Premium about 0.15 BTC; a taker's fee of at most about 0.0009 BTC.",
  ],
  [
    'an option in dollars: the fee is of what the coins are worth',
    { ...OPTION, price: '2000' },
    {
      kind: 'option',
      quantityUnit: 'BTC',
      settlementCurrency: 'USDC',
      takerCommission: '0.0003',
    },
    "Premium about 6,000 USDC; a taker's fee of at most about 90 USDC.",
  ],
])('%s: value and fee', (_, order, terms, sentence) => {
  const book = terms.kind === 'option' ? OPTION_BOOK : BOOK;
  const own = listed(terms);
  expect(effects({ side: 'sell', ...order }, { listed: own, book })[2]).toBe(sentence);
});

test('without a limit the value is by the best price of the other side, and without one by the mark', () => {
  const order = { side: 'sell', quantity: '99000' } as const;
  const valueIn = (market: Partial<Market>): string | undefined => effects(order, market)[2];
  expect(valueIn({})).toMatch(/^Value about 0.990099 BTC;/);
  expect(valueIn({ book: { ...BOOK, bids: [] } })).toMatch(/^Value about 1 BTC;/);
  expect(valueIn({ book: undefined, ticker: undefined })).toMatch(/^Limits/);
  expect(valueIn({ listed: undefined })).toMatch(/^Limits/);
});
