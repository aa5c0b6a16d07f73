// The public tape and the candles: candles equal a fold of the tape by the test's own code, whether a book was in use,
// was not, or both.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { instrumentName } from '../../../../src/values/ids.ts';
import { DeribitMarketStage, type Json } from './deribit-market-stage.ts';

const BTC = 'BTC-PERPETUAL';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
let stage: DeribitMarketStage;

beforeEach(() => {
  stage = new DeribitMarketStage();
});
afterEach(async () => await stage.close());

const use = (name: string): (() => void) =>
  stage.venue.market.follow(instrumentName(name), () => undefined);

/** The whole tape of a span, a page at a time. */
async function tapeOf(name: string, from: number, until: number): Promise<Json[]> {
  const trades: Json[] = [];
  const seen = new Set<string>();
  for (let start = from; ; ) {
    const page = await stage.get('public/get_last_trades_by_instrument_and_time', {
      instrument_name: name,
      start_timestamp: start,
      end_timestamp: until,
      count: 1_000,
      sorting: 'asc',
    });
    for (const trade of page.trades) {
      if (!seen.has(trade.trade_id)) trades.push(trade);
      seen.add(trade.trade_id);
    }
    if (!page.has_more) return trades;
    start = page.trades.at(-1).timestamp;
  }
}

const chartOf = (name: string, from: number, until: number, resolution: string): Promise<Json> =>
  stage.get('public/get_tradingview_chart_data', {
    instrument_name: name,
    start_timestamp: from,
    end_timestamp: until,
    resolution,
  });

/** Compares every candle with the trades of its period. */
function expectFold(chart: Json, trades: Json[], everyMs: number): void {
  let close: number | undefined;
  for (const [at, tick] of chart.ticks.entries()) {
    const of = trades.filter(({ timestamp }) => timestamp >= tick && timestamp < tick + everyMs);
    const prices = of.map(({ price }) => price);
    const bar = [chart.open[at], chart.high[at], chart.low[at], chart.close[at]];
    if (of.length === 0) {
      if (close !== undefined) expect(bar).toEqual([close, close, close, close]);
      expect([chart.volume[at], chart.cost[at]]).toEqual([0, 0]);
      continue;
    }
    expect(bar).toEqual([prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)]);
    expect(chart.cost[at]).toBeCloseTo(
      of.reduce((sum, { amount }) => sum + amount, 0),
      6,
    );
    expect(chart.volume[at]).toBeCloseTo(
      of.reduce((sum, { amount, price }) => sum + amount / price, 0),
      6,
    );
    close = prices.at(-1);
  }
}

describe('the candles of a perpetual', () => {
  it.each([
    ['1', MINUTE],
    ['15', 15 * MINUTE],
    ['60', HOUR],
  ])(
    'candles of %s minutes are a fold of the tape while the book was not in use',
    async (word, everyMs) => {
      const until = Math.floor(stage.clock.now() / HOUR) * HOUR;
      const from = until - 2 * HOUR;
      const chart = await chartOf(BTC, from, until - 1, word);
      expect(chart.status).toBe('ok');
      expect(chart.ticks).toHaveLength((2 * HOUR) / everyMs);
      expectFold(chart, await tapeOf(BTC, from, until - 1), everyMs);
    },
  );

  it('candles are a fold of the tape while the book was in use, and before and after', async () => {
    await stage.pass(10 * MINUTE);
    const leave = use(BTC);
    await stage.pass(10 * MINUTE);
    leave();
    await stage.pass(10 * MINUTE);
    const until = stage.clock.now();
    const from = until - 40 * MINUTE;
    const trades = await tapeOf(BTC, from, until);
    expect(trades.some(({ trade_id: id }) => !id.includes('@'))).toBe(true);
    expect(trades.some(({ trade_id: id }) => id.includes('@'))).toBe(true);
    expectFold(await chartOf(BTC, from, until, '1'), trades, MINUTE);
    expectFold(await chartOf(BTC, from, until, '5'), trades, 5 * MINUTE);
  });

  it('candles of days reach back a month, and before that there is no data', async () => {
    const now = stage.clock.now();
    const day = 24 * HOUR;
    const chart = await chartOf(BTC, now - 4 * day, now, '1D');
    expect(chart.ticks).toHaveLength(5);
    const old = await chartOf(BTC, now - 60 * day, now - 50 * day, '1D');
    expect(old).toEqual({
      status: 'no_data',
      ticks: [],
      open: [],
      high: [],
      low: [],
      close: [],
      volume: [],
      cost: [],
    });
  });
});

describe('the tape', () => {
  it('the tape of a past time is the same in every answer', async () => {
    const until = stage.clock.now() - HOUR;
    const first = await tapeOf(BTC, until - HOUR, until);
    await stage.pass(5 * MINUTE);
    expect(await tapeOf(BTC, until - HOUR, until)).toEqual(first);
    expect(first.length).toBeGreaterThan(50);
  });

  it('the tape never has trades of the future', async () => {
    const now = stage.clock.now();
    const page = await stage.get('public/get_last_trades_by_instrument_and_time', {
      instrument_name: BTC,
      start_timestamp: now - MINUTE,
      end_timestamp: now + HOUR,
      count: 1_000,
    });
    for (const trade of page.trades) expect(trade.timestamp).toBeLessThanOrEqual(now);
  });

  it('the latest trades come first, with their contracts, unless asked otherwise', async () => {
    const page = await stage.get('public/get_last_trades_by_instrument', {
      instrument_name: BTC,
      count: 5,
      include_old: true,
    });
    expect(page.trades).toHaveLength(5);
    expect(page.has_more).toBe(true);
    const times = page.trades.map(({ timestamp }: Json) => timestamp);
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    for (const trade of page.trades) expect(trade.contracts * 10).toBe(trade.amount);
  });

  it('sequence numbers select among the trades that were made', async () => {
    const leave = use(BTC);
    await stage.pass(MINUTE);
    leave();
    const page = await stage.get('public/get_last_trades_by_instrument', {
      instrument_name: BTC,
      start_seq: 2,
      end_seq: '4',
      sorting: 'asc',
    });
    expect(page.trades.map((trade: Json) => trade.trade_seq)).toEqual([2, 3, 4]);
  });

  it('the tape of a currency joins those of its instruments in order', async () => {
    const page = await stage.get('public/get_last_trades_by_currency', {
      currency: 'BTC',
      kind: 'any',
      count: 50,
    });
    const names = new Set(page.trades.map((trade: Json) => trade.instrument_name));
    expect(names.size).toBeGreaterThan(1);
    const times = page.trades.map(({ timestamp }: Json) => timestamp);
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
    expect(await stage.get('public/get_last_trades_by_currency', { currency: 'SOL' })).toEqual({
      trades: [],
      has_more: false,
    });
  });

  it.each(['asc', 'desc'] as const)(
    'the tape of a currency is the same page by page from trade to trade, %s, as by its times',
    async (sorting) => {
      const leave = use(BTC);
      await stage.pass(3 * MINUTE);
      leave();
      await stage.pass(5 * MINUTE);
      const now = stage.clock.now();
      const of = { currency: 'BTC', kind: 'future', sorting };
      const byTime = await stage.get('public/get_last_trades_by_currency_and_time', {
        ...of,
        start_timestamp: now - 6 * MINUTE,
        end_timestamp: now,
        count: 1_000,
      });
      expect(byTime.has_more).toBe(false);
      const wanted: string[] = byTime.trades.map(({ trade_id: id }: Json) => id);
      expect(wanted.some((id) => id.includes('@'))).toBe(true);
      expect(wanted.some((id) => !id.includes('@'))).toBe(true);
      const [start, end] = sorting === 'asc' ? ['start_id', 'end_id'] : ['end_id', 'start_id'];
      const found = new Set<string>();
      for (let from = wanted[0], isMore = true; isMore; ) {
        const page = await stage.get('public/get_last_trades_by_currency', {
          ...of,
          [start as string]: from,
          [end as string]: wanted.at(-1),
          count: 40,
        });
        for (const { trade_id: id } of page.trades) found.add(id);
        const last = page.trades.at(-1).trade_id;
        expect(last).not.toBe(from);
        from = last;
        isMore = page.has_more;
      }
      expect([...found]).toEqual(wanted);
    },
  );

  it('an id of no trade is refused with what is accepted', async () => {
    const of = { currency: 'BTC', kind: 'future', start_id: 'BTC-PERPETUAL@soon' };
    const refused = await stage.refusal('public/get_last_trades_by_currency', of);
    expect(JSON.stringify(refused)).toContain('BTC-12');
  });

  it('a trade of an option has its volatility in percent', async () => {
    const page = await stage.get('public/get_last_trades_by_currency', {
      currency: 'BTC',
      kind: 'option',
      count: 5,
    });
    expect(page.trades).toHaveLength(5);
    for (const trade of page.trades) expect(trade.iv).toBeGreaterThan(5);
  });
});

describe('the past of the market', () => {
  it('funding by the hour adds up to the value of the span', async () => {
    const until = Math.floor(stage.clock.now() / HOUR) * HOUR;
    const span = { start_timestamp: until - 12 * HOUR, end_timestamp: until };
    const rows: Json[] = await stage.get('public/get_funding_rate_history', {
      instrument_name: BTC,
      ...span,
    });
    expect(rows).toHaveLength(13);
    const value = await stage.get('public/get_funding_rate_value', {
      instrument_name: BTC,
      ...span,
    });
    const sum = rows.slice(1).reduce((total, row) => total + row.interest_1h, 0);
    expect(value).toBeCloseTo(sum, 8);
    const chart = await stage.get('public/get_funding_chart_data', {
      instrument_name: BTC,
      length: '8h',
    });
    expect(chart.data.length).toBeGreaterThanOrEqual(8);
  });

  it('delivery prices come by day, the latest first', async () => {
    const found = await stage.get('public/get_delivery_prices', {
      index_name: 'btc_usd',
      count: 3,
    });
    expect(found.data.map(({ date }: Json) => date)).toEqual([
      '2026-11-20',
      '2026-11-19',
      '2026-11-18',
    ]);
    expect(found.records_total).toBeGreaterThan(found.data.length);
  });

  it('the bars of the volatility index meet, and the realised volatility comes by the hour', async () => {
    const now = stage.clock.now();
    const index = await stage.get('public/get_volatility_index_data', {
      currency: 'BTC',
      start_timestamp: now - 6 * HOUR,
      end_timestamp: now,
      resolution: 3_600,
    });
    expect(index.data).toHaveLength(7);
    for (const [at, row] of index.data.entries()) {
      const next = index.data[at + 1];
      if (next !== undefined) expect(row[4]).toBe(next[1]);
      expect(row[2]).toBeGreaterThanOrEqual(row[3]);
    }
    const realised: Json[] = await stage.get('public/get_historical_volatility', {
      currency: 'BTC',
    });
    expect(realised.length).toBeGreaterThan(300);
    for (const [, percent] of realised) expect(percent).toBeGreaterThan(5);
  });

  it('settlements come at 08:00 UTC, a page at a time', async () => {
    const asked = { instrument_name: BTC, count: 2 };
    const page = await stage.get('public/get_last_settlements_by_instrument', asked);
    const hours = page.settlements.map(({ timestamp }: Json) => (timestamp / HOUR) % 24);
    expect(hours).toEqual([8, 8]);
    const next = await stage.get('public/get_last_settlements_by_instrument', {
      ...asked,
      continuation: page.continuation,
    });
    expect(next.settlements[0].timestamp).toBe(page.settlements[1].timestamp - 24 * HOUR);
  });

  it('mark prices come by the minute', async () => {
    const now = stage.clock.now();
    const rows: Json[] = await stage.get('public/get_mark_price_history', {
      instrument_name: BTC,
      start_timestamp: now - 5 * MINUTE,
      end_timestamp: now,
    });
    expect(rows.map(([at]) => at % MINUTE)).toEqual(rows.map(() => 0));
    expect(rows.length).toBeGreaterThanOrEqual(5);
  });
});
