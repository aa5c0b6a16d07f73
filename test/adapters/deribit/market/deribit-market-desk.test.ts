// The market reads of the port over scripted answers: what is answered from memory, what by query, in which calls a past
// is read, and what an unknown subject, a refusal or a malformed answer becomes.
import { describe, expect, test } from 'vitest';
import { MarketUnanswered } from '../../../../src/ports/market-reads.ts';
import { text } from '../../../../src/values/amounts.ts';
import { instrumentName, tradeId } from '../../../../src/values/ids.ts';
import { DAY_MS, HOUR_MS, instant, later, MINUTE_MS } from '../../../../src/values/instant.ts';
import { NOON } from '../../paper/paper-stage.ts';
import {
  BOOK,
  refusedWith,
  result,
  ScriptedMarket,
  snapshot,
  TICKER,
  ticker,
} from './scripted-market.ts';

const BTC = instrumentName('BTC-PERPETUAL');
const ETH = instrumentName('ETH-PERPETUAL');
const NOTHING = instrumentName('BTC-NOTHING');

const listed = (instrument_name: string, coin: string): object => ({
  kind: 'future',
  instrument_name,
  settlement_period: 'perpetual',
  base_currency: coin,
  quote_currency: 'USD',
  settlement_currency: coin,
  instrument_type: 'reversed',
  contract_size: 10,
  min_trade_amount: 10,
  tick_size: 0.5,
  is_active: true,
  price_index: `${coin.toLowerCase()}_usd`,
});
/** More than are requested by name. */
const MANY = Array.from({ length: 10 }, (_, index) => `BTC-${index}`);

async function scene(): Promise<ScriptedMarket> {
  const scripted = new ScriptedMarket();
  const all = [listed(BTC, 'BTC'), listed(ETH, 'ETH'), ...MANY.map((one) => listed(one, 'BTC'))];
  scripted.answers.set('public/get_instruments', ({ expired }) =>
    result(expired === true ? [] : all),
  );
  await scripted.connect();
  scripted.asked.length = 0;
  return scripted;
}

const paramsOf = ({ asked }: ScriptedMarket, method: string) =>
  asked.filter((one) => one.method === method).map(({ params }) => params);

describe('tickers and books', () => {
  test('A ticker and a book that are followed are answered from memory while they are fresh', async () => {
    const scripted = await scene();
    const { desk } = scripted.market;
    const leave = desk.follow(BTC, () => undefined);
    await scripted.pass(100);
    scripted.publish(TICKER, ticker());
    scripted.publish(BOOK, snapshot(10));
    expect((await desk.ticker(BTC))?.mark?.toString()).toBe('64001.13');
    expect(await desk.book(BTC, 10)).toMatchObject({
      instrument: BTC,
      state: 'open',
      changeId: 10,
      at: NOON,
    });
    expect(scripted.asked.map(({ method }) => method)).toEqual(['public/subscribe']);
    await scripted.pass(11_000);
    scripted.answers.set('public/ticker', () => result(ticker({ mark_price: 7 })));
    expect((await desk.ticker(BTC))?.mark?.toString()).toBe('7');
    leave();
  });

  test('A followed market notifies of its changes until it is left', async () => {
    const scripted = await scene();
    const news: string[] = [];
    const leave = scripted.market.desk.follow(BTC, ({ kind }) => news.push(kind));
    await scripted.pass(100);
    scripted.publish(TICKER, ticker());
    scripted.publish(BOOK, snapshot(10));
    leave();
    scripted.publish(TICKER, ticker());
    await scripted.pass(100);
    expect(news).toEqual(['market', 'market']);
    expect(scripted.calls('public/unsubscribe').flat()).toHaveLength(3);
  });

  test('A book is requested at the next depth that the venue answers, and cut to the depth wanted', async () => {
    const scripted = await scene();
    const bids = [[64_000, 5], ...Array.from({ length: 9 }, (_, index) => [63_000 - index, 1])];
    scripted.answers.set('public/get_order_book', () =>
      result({ ...ticker(), bids, asks: [], change_id: 12 }),
    );
    const book = await scripted.market.desk.book(BTC, 7);
    expect(paramsOf(scripted, 'public/get_order_book')).toEqual([
      { instrument_name: BTC, depth: 10 },
    ]);
    expect(book?.bids).toHaveLength(7);
    await scripted.market.desk.book(BTC, 1_000_000);
    expect(paramsOf(scripted, 'public/get_order_book').at(-1)?.['depth']).toBe(10_000);
  });

  test('An instrument that is not listed is unknown without a query', async () => {
    const { market, asked } = await scene();
    expect(await market.desk.ticker(NOTHING)).toBeUndefined();
    expect(await market.desk.book(NOTHING, 5)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test.each([
    [-32602, 'Invalid params'],
    [10020, 'invalid_or_unsupported_instrument'],
    [13020, 'not_found'],
  ])('The refusal %i of an index says that there is none', async (code, message) => {
    const scripted = await scene();
    scripted.answers.set('public/get_index_price', () => refusedWith(code, message));
    expect(await scripted.market.desk.index('no_usd')).toBeUndefined();
  });

  test.each([
    ['is refused for now', () => refusedWith(10047, 'matching_engine_queue_full'), 0],
    ['is refused with an unknown code', () => refusedWith(98765, 'news'), 0],
    ['has no answer', () => ({ kind: 'unknown', reason: 'time-out' }) as const, 0],
    ['is not sent', () => ({ kind: 'unsent', reason: 'not connected' }) as const, 0],
    ['is answered by half', () => result({ index_price: null }), 1],
  ])('A query that %s rejects as unanswered', async (_why, answer, faults) => {
    const scripted = await scene();
    scripted.answers.set('public/get_index_price', answer);
    await expect(scripted.market.desk.index('btc_usd')).rejects.toThrow(MarketUnanswered);
    expect(scripted.faults).toHaveLength(faults);
  });
});

const trade = (seq: number, instrument_name: string): object => ({
  trade_id: `${1_000 + seq}`,
  trade_seq: seq,
  instrument_name,
  timestamp: NOON - 1_000 + seq,
  direction: 'sell',
  tick_direction: 2,
  price: 64_000.5,
  amount: 10,
  iv: 41.5,
  mark_price: 64_000,
  index_price: 64_000,
});
const seqs = (page: { trades: readonly { tradeSeq: number }[] } | undefined) =>
  page?.trades.map(({ tradeSeq }) => tradeSeq);

describe('the tape', () => {
  test('A few instruments are requested by name, in spans whose last instant is excluded, and merged in order', async () => {
    const scripted = await scene();
    scripted.answers.set('public/get_last_trades_by_instrument', ({ instrument_name: name }) =>
      result({
        trades: name === BTC ? [trade(5, BTC), trade(1, BTC)] : [trade(3, ETH)],
        has_more: false,
      }),
    );
    const page = await scripted.market.desk.history('tape', {
      instruments: [BTC, ETH, NOTHING],
      count: 2,
      order: 'desc',
      fromSeq: 1,
      from: later(NOON, -HOUR_MS),
      until: NOON,
    });
    expect([seqs(page), page?.hasMore]).toEqual([[5, 3], true]);
    expect(page?.trades[0]).toMatchObject({ side: 'sell', iv: 0.415, tickDirection: 2 });
    expect(paramsOf(scripted, 'public/get_last_trades_by_instrument')[0]).toEqual({
      instrument_name: BTC,
      start_seq: 1,
      end_seq: undefined,
      sorting: 'desc',
      count: 2,
      start_timestamp: NOON - HOUR_MS,
      end_timestamp: NOON - 1,
    });
  });

  test('Many instruments are requested by their currency, page after page, and filtered', async () => {
    const scripted = await scene();
    scripted.answers.set('public/get_last_trades_by_currency', ({ start_id: from }) =>
      from === undefined
        ? result({ trades: [trade(1, 'BTC-0'), trade(2, 'BTC-OTHER')], has_more: true })
        : result({ trades: [trade(2, 'BTC-OTHER'), trade(3, 'BTC-9')], has_more: false }),
    );
    const page = await scripted.market.desk.history('tape', {
      instruments: MANY.map(instrumentName),
      count: 5,
      order: 'asc',
    });
    expect([seqs(page), page?.hasMore]).toEqual([[1, 3], false]);
    expect(paramsOf(scripted, 'public/get_last_trades_by_currency')).toMatchObject([
      { currency: 'BTC', kind: 'future', count: 1_000, sorting: 'asc' },
      { currency: 'BTC', start_id: '1002' },
    ]);
  });

  test('Ids are requested by currency, because they count within it', async () => {
    const scripted = await scene();
    scripted.answers.set('public/get_last_trades_by_currency', () =>
      result({ trades: [trade(4, BTC)], has_more: false }),
    );
    const query = { instruments: [BTC], count: 5, order: 'asc', fromId: tradeId('1004') } as const;
    expect(seqs(await scripted.market.desk.history('tape', query))).toEqual([4]);
  });

  test('The tape of instruments that are not listed is unknown', async () => {
    const { market } = await scene();
    const query = { instruments: [NOTHING], count: 5, order: 'asc' } as const;
    expect(await market.desk.history('tape', query)).toBeUndefined();
  });
});

describe('the past', () => {
  test('Candles are read in pieces of 5 000, that of the first instant included and that of the last not', async () => {
    const scripted = await scene();
    scripted.answers.set('public/get_tradingview_chart_data', ({ start_timestamp: from }) => {
      const ticks = [Number(from), Number(from) + MINUTE_MS];
      const two = [1.5, 2.5];
      const prices = { open: two, high: two, low: two, close: two };
      return result({ status: 'ok', ticks, ...prices, volume: [1e-8, 0], cost: [0.1, 3e3] });
    });
    const candles = await scripted.market.desk.history('candles', {
      instrument: BTC,
      from: later(NOON, -6_000 * MINUTE_MS),
      until: NOON,
      everyMs: MINUTE_MS,
    });
    expect(candles).toHaveLength(4);
    const [oldest] = candles ?? [];
    expect(oldest && [text(oldest.volume), text(oldest.cost), text(oldest.open)]).toEqual([
      '0.00000001',
      '0.1',
      '1.5',
    ]);
    const first = NOON - 6_001 * MINUTE_MS + 1;
    expect(paramsOf(scripted, 'public/get_tradingview_chart_data')).toMatchObject([
      { start_timestamp: first, end_timestamp: first + 5_000 * MINUTE_MS - 1 },
      { start_timestamp: first + 5_000 * MINUTE_MS, end_timestamp: NOON - 1, resolution: '1' },
    ]);
  });

  test('Candles of a time without trades are none, and of a period that the venue lacks unknown', async () => {
    const scripted = await scene();
    scripted.answers.set('public/get_tradingview_chart_data', () => result({ status: 'no_data' }));
    const span = { instrument: BTC, from: later(NOON, -HOUR_MS), until: NOON };
    const { desk } = scripted.market;
    expect(await desk.history('candles', { ...span, everyMs: MINUTE_MS })).toEqual([]);
    expect(await desk.history('candles', { ...span, everyMs: 7 * MINUTE_MS })).toBeUndefined();
    expect(await desk.history('candles', { ...span, instrument: NOTHING, everyMs: DAY_MS })).toBe(
      undefined,
    );
    expect(await desk.history('marks', { ...span, everyMs: MINUTE_MS })).toBeUndefined();
  });

  test('Funding is answered by hour, oldest first, and summed', async () => {
    const scripted = await scene();
    const hour = (at: number) => ({
      timestamp: at,
      prev_index_price: 1,
      index_price: 2,
      interest_1h: -4e-7,
      interest_8h: 0.1,
    });
    scripted.answers.set('public/get_funding_rate_history', () =>
      result([hour(NOON), hour(NOON - HOUR_MS), hour(NOON - 2 * HOUR_MS)]),
    );
    scripted.answers.set('public/get_funding_rate_value', () => result(-1.5e-6));
    const span = { instrument: BTC, from: later(NOON, -DAY_MS), until: NOON };
    const { desk } = scripted.market;
    expect(await desk.history('funding', span)).toMatchObject([
      { at: NOON - 2 * HOUR_MS, oneHour: -4e-7 },
      { at: NOON - HOUR_MS, eightHours: 0.1 },
    ]);
    expect(await desk.history('fundingPaid', span)).toBe(-1.5e-6);
  });

  test('Deliveries are at 08:00 UTC of their day', async () => {
    const scripted = await scene();
    scripted.answers.set('public/get_delivery_prices', () =>
      result({ records_total: 58, data: [{ date: '2026-11-19', delivery_price: 64_000.25 }] }),
    );
    const query = { index: 'btc_usd', offset: 0, count: 1 };
    expect(await scripted.market.desk.history('deliveries', query)).toMatchObject({
      total: 58,
      prices: [{ at: Date.UTC(2026, 10, 19, 8) }],
    });
  });

  test('Volatility is read of the coin of its index, from lists or objects', async () => {
    const scripted = await scene();
    scripted.answers.set('public/get_volatility_index_data', () =>
      result({ data: [[NOON - HOUR_MS, 50.1, 51, 49, 50.5]], continuation: null }),
    );
    scripted.answers.set('public/get_historical_volatility', () =>
      result([[NOON, 43.25], { timestamp: NOON + 1, value: 44 }]),
    );
    const span = { from: later(NOON, -DAY_MS), until: NOON };
    const query = { index: 'btc_usd', ...span, everyMs: HOUR_MS };
    const { desk } = scripted.market;
    expect(await desk.history('volatility', query)).toEqual([
      { at: NOON - HOUR_MS, open: 50.1, high: 51, low: 49, close: 50.5 },
    ]);
    expect(await desk.history('realised', { index: 'btc_usd' })).toEqual([
      { at: NOON, percent: 43.25 },
      { at: instant(NOON + 1), percent: 44 },
    ]);
    expect(paramsOf(scripted, 'public/get_volatility_index_data')[0]).toMatchObject({
      currency: 'BTC',
      resolution: '3600',
    });
  });
});
