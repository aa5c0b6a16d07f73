// Deribit's public channels over a seeded market: what each publishes, that a book can be rebuilt from its changes, and
// that subscribers share one source.
import { setTimeout as passReally } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MarketFamily } from '../../../../src/gateway/deribit/channels/market-family.ts';
import { DeribitMarketStage, type Json } from './deribit-market-stage.ts';

const BTC = 'BTC-PERPETUAL';
let stage: DeribitMarketStage;
let family: MarketFamily;

beforeEach(() => {
  stage = new DeribitMarketStage();
  family = new MarketFamily({
    orders: stage.desks,
    now: () => stage.clock.now(),
    report: (error) => expect.unreachable(String(error)),
  });
});
afterEach(async () => {
  family.close();
  await stage.close();
});

interface Subscribed {
  readonly texts: string[];
  readonly data: () => Json[];
  readonly leave: () => void;
  readonly markets: number;
}

function subscribe(name: string): Subscribed {
  const texts: string[] = [];
  const opened = family.open(name, { publish: (text) => texts.push(text) });
  if (opened === undefined) throw new Error(`${name} was not granted`);
  return { ...opened, texts, data: () => texts.map((text) => JSON.parse(text)) };
}

/** The market moves in virtual time, channels publish by timers. */
async function run(steps: number, stepMs = 500): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await stage.pass(stepMs);
    await passReally(5);
  }
}

const until = async (isThere: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 2_000 && !isThere(); turn += 1) await run(1, 50);
};

/** Until timers have published what has happened, with the market standing still. */
const waiting = async (isThere: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 2_000 && !isThere(); turn += 1) await passReally(5);
};

type Levels = Map<number, number>;

/** As a client rebuilds a book; throws on a gap, on a new level that exists, and on a changed one that does not. */
class Rebuilt {
  readonly bids: Levels = new Map();
  readonly asks: Levels = new Map();
  changeId: number | undefined;

  apply(message: Json): void {
    if (message.type === 'snapshot') {
      this.bids.clear();
      this.asks.clear();
      expect(message).not.toHaveProperty('prev_change_id');
    } else expect(message.prev_change_id).toBe(this.changeId);
    this.changeId = message.change_id;
    for (const side of ['bids', 'asks'] as const) {
      for (const [action, price, amount] of message[side]) {
        expect(this[side].has(price)).toBe(action !== 'new');
        if (action === 'delete') {
          expect(amount).toBe(0);
          this[side].delete(price);
        } else this[side].set(price, amount);
      }
    }
  }

  sorted(side: 'bids' | 'asks'): [number, number][] {
    const sign = side === 'bids' ? -1 : 1;
    return [...this[side]].sort(([a], [b]) => sign * (a - b));
  }
}

describe('a book', () => {
  it.each(['raw', '100ms'])(
    'a book is rebuilt from its %s changes by the first subscriber and by a later one',
    async (interval) => {
      const first = subscribe(`book.${BTC}.${interval}`);
      await run(20);
      const second = subscribe(`book.${BTC}.${interval}`);
      await until(() => second.texts.length > 3);
      // The market stands still now.
      const book = await stage.get('public/get_order_book', {
        instrument_name: BTC,
        depth: 10_000,
      });
      const isLast = ({ data }: Subscribed) => data().at(-1).change_id === book.change_id;
      await waiting(() => isLast(first) && isLast(second));
      for (const { data } of [first, second]) {
        const messages = data();
        expect(messages.map(({ type }) => type).indexOf('change')).toBe(1);
        expect(messages.length).toBeGreaterThan(3);
        const rebuilt = new Rebuilt();
        for (const message of messages) rebuilt.apply(message);
        expect(rebuilt.changeId).toBe(book.change_id);
        expect(rebuilt.sorted('bids')).toEqual(book.bids);
        expect(rebuilt.sorted('asks')).toEqual(book.asks);
      }
      expect(first.texts.at(-1)).toBe(second.texts.at(-1));
    },
  );

  it('a client that lost a change sees the gap, and has the book again after it subscribes again', async () => {
    const name = `book.${BTC}.100ms`;
    // Keeps the market of the channel going, as other clients do.
    const other = subscribe(name);
    const lossy = subscribe(name);
    await until(() => lossy.texts.length > 4);
    const messages = lossy.data().toSpliced(2, 1);
    const gap = messages.findIndex(
      ({ prev_change_id: before }, at) => at > 0 && before !== messages[at - 1].change_id,
    );
    expect(gap).toBe(2);
    lossy.leave();
    const again = subscribe(name);
    await until(() => again.texts.length > 3);
    const rebuilt = new Rebuilt();
    for (const message of again.data()) rebuilt.apply(message);
    const whole = new Rebuilt();
    for (const message of other.data()) {
      whole.apply(message);
      if (whole.changeId === rebuilt.changeId) break;
    }
    for (const side of ['bids', 'asks'] as const) {
      expect(rebuilt.sorted(side)).toEqual(whole.sorted(side));
    }
  });

  it('a grouped book has whole lists of pairs, no deeper than requested', async () => {
    const grouped = subscribe(`book.${BTC}.10.10.100ms`);
    await until(() => grouped.texts.length > 0);
    const [book] = grouped.data();
    expect(book.bids.length).toBeLessThanOrEqual(10);
    for (const [price] of [...book.bids, ...book.asks]) expect(price % 10).toBe(0);
    expect(book).not.toHaveProperty('type');
    expect(Number.isInteger(book.change_id)).toBe(true);
  });
});

describe('tickers', () => {
  it('tickers, quotes and perpetuals begin at once and name their market', async () => {
    const ticker = subscribe(`ticker.${BTC}.100ms`);
    const quote = subscribe(`quote.${BTC}`);
    const perpetual = subscribe(`perpetual.${BTC}.100ms`);
    await until(() => [ticker, quote, perpetual].every(({ texts }) => texts.length > 0));
    expect(ticker.data()[0]).toMatchObject({ instrument_name: BTC, state: 'open' });
    expect(ticker.texts[0]).toMatch(/"best_bid_price":\d+\.\d,/);
    expect(Object.keys(quote.data()[0])).toEqual([
      'timestamp',
      'instrument_name',
      'best_bid_price',
      'best_bid_amount',
      'best_ask_price',
      'best_ask_amount',
    ]);
    expect(Object.keys(perpetual.data()[0])).toEqual(['interest', 'index_price', 'timestamp']);
  });

  it('an incremental ticker begins with everything and continues with what has changed', async () => {
    const ticker = subscribe(`incremental_ticker.${BTC}`);
    await until(() => ticker.texts.length > 1);
    const [first, next] = ticker.data();
    expect(first.type).toBe('snapshot');
    expect(first.best_bid_price).toBeGreaterThan(0);
    expect(next).toMatchObject({ type: 'change', instrument_name: BTC });
    expect(Object.keys(next).length).toBeLessThan(Object.keys(first).length);
    const later = subscribe(`incremental_ticker.${BTC}`);
    expect(later.data()[0].type).toBe('snapshot');
  });
});

describe('trades', () => {
  it('the trades of an instrument are those of the tape, in order', async () => {
    const made = subscribe(`trades.${BTC}.100ms`);
    const all = subscribe('trades.future.BTC.100ms');
    expect(all.markets).toBeGreaterThan(1);
    await until(() => made.data().flat().length > 3);
    const latest = await stage.get('public/get_last_trades_by_instrument', {
      instrument_name: BTC,
      count: 1,
      sorting: 'desc',
    });
    const isLast = ({ data }: Subscribed) =>
      data()
        .flat()
        .some(({ trade_id: id }) => id === latest.trades[0].trade_id);
    await waiting(() => isLast(made) && isLast(all));
    const seen = made.data().flat();
    const tape = await stage.get('public/get_last_trades_by_instrument', {
      instrument_name: BTC,
      start_seq: seen[0].trade_seq,
      count: 1_000,
      sorting: 'asc',
    });
    expect(seen).toEqual(tape.trades);
    const others = all.data().flat();
    expect(others.filter((trade: Json) => trade.instrument_name === BTC)).toEqual(seen);
  });

  it('the candle of the present period is published', async () => {
    const chart = subscribe(`chart.trades.${BTC}.60`);
    await until(() => chart.texts.length > 0);
    const candle = chart.data().at(-1);
    expect(Object.keys(candle)).toEqual(['tick', 'open', 'high', 'low', 'close', 'volume', 'cost']);
    expect(candle.tick % 3_600_000).toBe(0);
  });
});

describe('an index', () => {
  it('an index has a price, a volatility, an estimate of its delivery and marks of its options', async () => {
    const price = subscribe('deribit_price_index.btc_usd');
    const volatility = subscribe('deribit_volatility_index.btc_usd');
    const estimate = subscribe('estimated_expiration_price.btc_usd');
    const marks = subscribe('markprice.options.btc_usd');
    await until(() => [price, volatility, estimate, marks].every(({ texts }) => texts.length > 0));
    expect(price.data()[0]).toMatchObject({ index_name: 'btc_usd' });
    expect(volatility.data()[0].volatility).toBeGreaterThan(10);
    expect(estimate.data()[0]).toMatchObject({ is_estimated: false });
    expect(estimate.data()[0].seconds).toBeGreaterThan(3_600);
    expect(marks.data()[0].length).toBeGreaterThan(100);
    expect(marks.data()[0][0].iv).toBeLessThan(10);
  });
});

describe('a channel', () => {
  it('a channel that does not exist is not granted', () => {
    for (const name of [
      'ticker.BTC-NOWHERE.100ms',
      `ticker.${BTC}`,
      `ticker.${BTC}.1s`,
      'quote.',
      `chart.trades.${BTC}.7`,
      'deribit_price_index.doge_usd',
      'user.orders.any.any.raw',
      'perpetual.BTC_USDC.100ms',
      'instrument.state.bond.any',
      'constructor',
      '',
    ]) {
      expect([name, family.open(name, { publish: () => undefined })]).toEqual([name, undefined]);
    }
  });

  it('a channel of the interval raw is known as one', () => {
    expect(family.isRaw(`book.${BTC}.raw`)).toBe(true);
    expect(family.isRaw(`perpetual.${BTC}.raw`)).toBe(true);
    expect(family.isRaw(`book.${BTC}.100ms`)).toBe(false);
    expect(family.isRaw('user.orders.any.any.raw')).toBe(false);
  });

  it('a channel on which nothing happens is granted', () => {
    for (const name of ['announcements', 'platform_state', 'instrument.creation.any.any']) {
      expect(subscribe(name).markets).toBe(0);
    }
    expect(subscribe('platform_state.public_methods_state').data()).toEqual([
      { allow_unauthenticated_public_requests: true },
    ]);
  });

  it('a channel publishes nothing after its last subscriber has left', async () => {
    const ticker = subscribe(`ticker.${BTC}.raw`);
    await until(() => ticker.texts.length > 0);
    ticker.leave();
    const { length } = ticker.texts;
    await run(10);
    expect(ticker.texts).toHaveLength(length);
  });
});
