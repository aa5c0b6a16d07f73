// What ccxt reads of the market over HTTP: markets, books, tickers, trades, candles, funding, volatility and greeks.
import { expect, test } from 'vitest';
import type { Ccxt } from './ccxt-deribit.ts';
import { type CcxtTrader, PERPETUAL } from './ccxt-trader.ts';

const LINEAR = 'BTC/USDC:USDC';
const SPOT = 'BTC/USDC';
/** The exchange's clock may follow the machine's by less. */
const CLOCK_MS = 60_000;
const HOUR_MS = 3_600_000;

export function ccxtMarket(trader: CcxtTrader): void {
  test('markets have the kinds, precisions, minimums and fees of the instruments', async () => {
    const listed: { instrumentName: string }[] = await trader.stage.own('public/get_instruments', {
      currency: 'any',
    });
    const ids = Object.values<Ccxt>(trader.ccxt.markets).map((market) => market.id);
    expect(ids.sort()).toEqual(listed.map((one) => one.instrumentName).sort());
    expect(trader.ccxt.market(PERPETUAL)).toMatchObject({
      id: 'BTC-PERPETUAL',
      type: 'swap',
      active: true,
      linear: false,
      inverse: true,
      base: 'BTC',
      quote: 'USD',
      settle: 'BTC',
      contractSize: 10,
      maker: expect.any(Number),
      taker: expect.any(Number),
      precision: { price: 0.5, amount: 10 },
      limits: { amount: { min: 10 } },
    });
    expect(trader.ccxt.market(LINEAR)).toMatchObject({
      type: 'swap',
      linear: true,
      inverse: false,
    });
    expect(trader.ccxt.market(SPOT)).toMatchObject({ type: 'spot', contract: false });
    expect(trader.ccxt.market(await trader.optionNearTheMoney())).toMatchObject({
      type: 'option',
      optionType: 'call',
      strike: expect.any(Number),
      expiry: expect.any(Number),
    });
    expect(
      Object.values<Ccxt>(trader.ccxt.markets).some((market) => market.type === 'future'),
    ).toBe(true);
  });

  test('a ticker has both sides of the book, its last price and the index', async () => {
    const ticker = await trader.ccxt.fetchTicker(PERPETUAL);
    expect(ticker.bid).toBeGreaterThan(0);
    expect(ticker.ask).toBeGreaterThan(ticker.bid);
    expect(ticker.indexPrice).toBeGreaterThan(0);
    expect(Math.abs(ticker.markPrice / ticker.indexPrice - 1)).toBeLessThan(0.05);
    const all = await trader.ccxt.fetchTickers(undefined, { code: 'BTC' });
    expect(all[PERPETUAL].symbol).toBe(PERPETUAL);
    expect((await trader.ccxt.fetchTicker(SPOT)).bid).toBeGreaterThan(0);
  });

  test('a book is sorted, and not deeper than requested', async () => {
    const book = await trader.ccxt.fetchOrderBook(PERPETUAL, 5);
    const prices = (side: number[][]): number[] => side.map(([price]) => Number(price));
    expect(book.bids.length).toBeGreaterThan(0);
    expect(book.bids.length).toBeLessThanOrEqual(5);
    expect(prices(book.bids)).toEqual(prices(book.bids).sort((a, b) => b - a));
    expect(prices(book.asks)).toEqual(prices(book.asks).sort((a, b) => a - b));
    expect(book.nonce).toEqual(expect.any(Number));
  });

  test('public trades and candles come from the same market', async () => {
    const trades = await trader.ccxt.fetchTrades(PERPETUAL, undefined, 50);
    for (const { price, amount, side, timestamp } of trades) {
      expect([price > 0, amount > 0, timestamp > 0]).toEqual([true, true, true]);
      expect(['buy', 'sell']).toContain(side);
    }
    const since = Date.now() - HOUR_MS;
    const candles: number[][] = await trader.ccxt.fetchOHLCV(PERPETUAL, '1m', since, 30);
    expect(candles.length).toBeGreaterThan(0);
    for (const [, open = 0, high = 0, low = 0, close = 0] of candles) {
      expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
      expect(low).toBeLessThanOrEqual(Math.min(open, close));
    }
  });

  test('funding, open interest and volatility have numbers', async () => {
    expect((await trader.ccxt.fetchFundingRate(PERPETUAL)).fundingRate).toEqual(expect.any(Number));
    const history = await trader.ccxt.fetchFundingRateHistory(PERPETUAL, Date.now() - 12 * HOUR_MS);
    for (const { fundingRate } of history) expect(fundingRate).toEqual(expect.any(Number));
    const interest = await trader.ccxt.fetchOpenInterest(PERPETUAL);
    expect(interest.openInterestAmount ?? interest.openInterestValue).toEqual(expect.any(Number));
    expect(await trader.ccxt.fetchVolatilityHistory('BTC')).toEqual(expect.any(Array));
  });

  test('an option has greeks, implied volatilities and a place in the chain', async () => {
    const symbol = await trader.optionNearTheMoney();
    const greeks = await trader.ccxt.fetchGreeks(symbol);
    expect(greeks).toMatchObject({
      delta: expect.any(Number),
      gamma: expect.any(Number),
      theta: expect.any(Number),
      vega: expect.any(Number),
      rho: expect.any(Number),
      markImpliedVolatility: expect.any(Number),
      underlyingPrice: expect.any(Number),
    });
    const chain = await trader.ccxt.fetchOptionChain('BTC');
    const listed = trader.ccxt.symbols.filter((one: string) =>
      /^BTC\/USD:BTC-\d+-\d+-[CP]$/.test(one),
    );
    expect(Object.keys(chain).sort()).toEqual(listed.sort());
    expect((await trader.ccxt.fetchOption(symbol)).symbol).toBe(symbol);
  });

  test('time, status and currencies are answered', async () => {
    const from = Date.now() - CLOCK_MS;
    const served = await trader.ccxt.fetchTime();
    expect(served).toBeGreaterThan(from);
    expect(served).toBeLessThan(Date.now() + CLOCK_MS);
    expect((await trader.ccxt.fetchStatus()).status).toBe('ok');
    expect(Object.keys(await trader.ccxt.fetchCurrencies())).toEqual(
      expect.arrayContaining(['BTC', 'ETH', 'USDC']),
    );
  });
}
