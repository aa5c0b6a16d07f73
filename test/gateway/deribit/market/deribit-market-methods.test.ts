// Deribit's public market methods over a seeded market: fields, numbers and filters.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instrumentName } from '../../../../src/values/ids.ts';
import { DeribitMarketStage, type Json } from './deribit-market-stage.ts';

const BTC = 'BTC-PERPETUAL';
let stage: DeribitMarketStage;
let leave: () => void;

beforeAll(async () => {
  stage = new DeribitMarketStage();
  leave = stage.venue.market.follow(instrumentName(BTC), () => undefined);
  await stage.pass(60_000);
});
afterAll(async () => {
  leave();
  await stage.close();
});

describe('instruments', () => {
  it('all instruments are listed without a currency, by expiry', async () => {
    const all: Json[] = await stage.get('public/get_instruments');
    expect(all.length).toBeGreaterThan(100);
    expect(await stage.get('public/get_instruments', { currency: 'any' })).toEqual(all);
    const expiries = all.map((one) => one.expiration_timestamp);
    expect(expiries).toEqual(expiries.toSorted((a, b) => a - b));
    expect(new Set(all.map((one) => one.instrument_id)).size).toBe(all.length);
  });

  it('an unknown currency has no instruments, which is not an error', async () => {
    expect(await stage.get('public/get_instruments', { currency: 'SOL' })).toEqual([]);
  });

  it('a kind and a currency select the instruments', async () => {
    const futures: Json[] = await stage.get('public/get_instruments', {
      currency: 'btc',
      kind: 'future',
    });
    expect(futures.map((one) => one.instrument_name)).toContain(BTC);
    for (const one of futures) {
      expect([one.kind, one.settlement_currency]).toEqual(['future', 'BTC']);
    }
  });

  it('the inverse perpetual has its numbers digit for digit', async () => {
    const text = await stage.text('public/get_instrument', { instrument_name: BTC });
    expect(text).toContain('"min_trade_amount":10.0,');
    expect(text).toContain('"tick_size":0.5,');
    expect(text).toContain('"contract_size":10.0,');
    expect(text).toContain('"expiration_timestamp":32503708800000,');
    expect(text).toContain('"taker_commission":0.0005,');
    expect(JSON.parse(text)).toMatchObject({
      base_currency: 'BTC',
      quote_currency: 'USD',
      counter_currency: 'USD',
      settlement_period: 'perpetual',
      future_type: 'reversed',
      is_active: true,
    });
  });

  it('an option has a strike, a type, steps of ticks and the coin as quote currency', async () => {
    const [option]: Json[] = await stage.get('public/get_instruments', {
      currency: 'BTC',
      kind: 'option',
    });
    expect(option.instrument_name).toMatch(/^BTC-\d{1,2}[A-Z]{3}\d\d-\d+-[CP]$/);
    expect(option.tick_size_steps).toEqual([{ above_price: 0.005, tick_size: 0.0005 }]);
    expect(option).toMatchObject({ quote_currency: 'BTC', counter_currency: 'USD' });
    expect(option.creation_timestamp).toBeLessThan(stage.clock.now());
  });

  it('a spot pair has no settlement currency and no settlement period', async () => {
    const spot = await stage.get('public/get_instrument', { instrument_name: 'BTC_USDC' });
    expect(spot).toMatchObject({ kind: 'spot', counter_currency: 'USDC' });
    expect(spot).not.toHaveProperty('settlement_currency');
    expect(spot).not.toHaveProperty('settlement_period');
  });

  it('expiries are grouped by currency, or by kind for all currencies', async () => {
    const btc = await stage.get('public/get_expirations', { currency: 'BTC', kind: 'any' });
    expect(btc.btc.future).toContain('PERPETUAL');
    expect(btc.btc.option.length).toBeGreaterThan(5);
    const all = await stage.get('public/get_expirations', { currency: 'any', kind: 'option' });
    expect(Object.keys(all)).toEqual(['option']);
    const grouped = await stage.get('public/get_expirations', { currency: 'grouped', kind: 'any' });
    expect(Object.keys(grouped)).toEqual(['btc', 'eth', 'usdc']);
  });

  it('an instrument that is not listed is refused with the names of similar ones', async () => {
    const refused = await stage.refusal('public/ticker', { instrument_name: 'BTC-PERPETUALS' });
    expect(refused.code).toBe(-32602);
    expect(refused.details.reason).toContain(BTC);
  });
});

describe('tickers', () => {
  it('a perpetual has best prices, funding and volumes in coins and in USD', async () => {
    const ticker = await stage.get('public/ticker', { instrument_name: BTC });
    expect(ticker.best_bid_price).toBeLessThan(ticker.best_ask_price);
    expect(ticker.state).toBe('open');
    expect(ticker.stats.volume * ticker.mark_price).toBeCloseTo(ticker.stats.volume_usd, 0);
    for (const name of ['funding_8h', 'current_funding', 'interest_value', 'open_interest']) {
      expect(typeof ticker[name]).toBe('number');
    }
  });

  it('an option has volatilities in percent and greeks', async () => {
    const [option]: Json[] = await stage.get('public/get_instruments', {
      currency: 'ETH',
      kind: 'option',
    });
    const ticker = await stage.get('public/ticker', option);
    expect(ticker.mark_iv).toBeGreaterThan(10);
    expect(Object.keys(ticker.greeks)).toEqual(['delta', 'gamma', 'vega', 'theta', 'rho']);
    expect(ticker.underlying_index).toMatch(/^(SYN\.)?ETH-/);
  });

  it('a spot pair is marked at the index and has no open interest', async () => {
    const ticker = await stage.get('public/ticker', { instrument_name: 'BTC_USDC' });
    expect(ticker.mark_price).toBe(ticker.index_price);
    expect(ticker.open_interest).toBe(0);
  });

  it('a book comes with its ticker, in pairs, to the next allowed depth', async () => {
    const book = await stage.get('public/get_order_book', { instrument_name: BTC, depth: '2' });
    expect(book.bids).toHaveLength(5);
    expect(book.bids[0]).toEqual([book.best_bid_price, book.best_bid_amount]);
    expect(Number.isInteger(book.change_id)).toBe(true);
  });

  it('the summary of a currency has the same rows as that of an instrument', async () => {
    const summaries: Json[] = await stage.get('public/get_book_summary_by_currency', {
      currency: 'BTC',
      kind: 'future',
    });
    const [one]: Json[] = await stage.get('public/get_book_summary_by_instrument', {
      instrument_name: BTC,
    });
    const same = summaries.find((row) => row.instrument_name === BTC);
    expect(same).toEqual(one);
    expect(one.mid_price).toBeCloseTo((one.bid_price + one.ask_price) / 2, 9);
  });

  it('the turnover is given for each currency', async () => {
    const rows: Json[] = await stage.get('public/get_trade_volumes', { extended: true });
    const btc = rows.find((row) => row.currency === 'BTC');
    expect(btc.futures_volume).toBeGreaterThan(0);
    expect(btc).toHaveProperty('calls_volume_30d');
  });
});

describe('indexes', () => {
  it('an index has a price, and its name as text or with what can be created on it', async () => {
    const price = await stage.get('public/get_index_price', { index_name: 'btc_usd' });
    expect(price.index_price).toBeGreaterThan(1_000);
    const names: Json[] = await stage.get('public/get_index_price_names');
    expect(names).toEqual(['btc_usd', 'btc_usdc', 'eth_usd', 'eth_usdc']);
    const [first]: Json[] = await stage.get('public/get_index_price_names', { extended: 'true' });
    expect(first.name).toBe('btc_usd');
  });

  it('an unknown index is refused with the known names', async () => {
    const refused = await stage.refusal('public/get_index_price', { index_name: 'doge_usd' });
    expect(refused.details.param).toBe('index_name');
    expect(refused.details.reason).toContain('btc_usd');
  });
});

describe('currencies', () => {
  it('the currencies are those of the instruments', async () => {
    const rows: Json[] = await stage.get('public/get_currencies');
    expect(rows.map((row) => row.currency)).toEqual(['BTC', 'ETH', 'USDC']);
    expect(rows[0].currency_long).toBe('Bitcoin');
  });
});
