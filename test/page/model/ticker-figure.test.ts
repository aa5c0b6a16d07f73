// What a table shows of a ticker that was not read yet, that has no such figure, and that has one.
import { expect, test } from 'vitest';
import type { Ticker } from '../../../src/page/model/instruments/option-chain.ts';
import { tickerFigure } from '../../../src/page/model/instruments/ticker-figure.ts';

const bid = ({ bestBidPrice }: Ticker): string | null | undefined => bestBidPrice;
const tickerOf = (bestBidPrice: string | null): Ticker => ({ bestBidPrice }) as Ticker;

test.each([
  ['not read yet', undefined, '…'],
  ['without a bid', tickerOf(null), '–'],
  ['with a bid', tickerOf('0.0015'), '0.0015 BTC'],
  ['with a bid of zero', tickerOf('0'), '0 BTC'],
])('a ticker %s is shown as itself', (_, ticker, shown) => {
  expect(tickerFigure(ticker, bid, (text) => `${text} BTC`)).toBe(shown);
});
