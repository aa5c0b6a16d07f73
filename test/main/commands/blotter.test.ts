// The reading commands of accounts and markets against a real gateway in front of a paper exchange.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../src/gateway/auth/key-store.ts';
import { must } from '../../../src/values/assert.ts';
import { RidStage } from '../../gateway/order-api/rid-stage.ts';
import { inOrder } from '../../support/in-order.ts';
import { type Captured, captured } from '../captured-terminal.ts';
import { demoKeys } from '../cli-world.ts';

inOrder();

let stage: RidStage;
let taker: ApiKey;
beforeAll(async () => {
  const keys = demoKeys();
  taker = must(keys.get('demo-taker'), 'it is in config/paper.yaml');
  stage = await RidStage.start({}, undefined, undefined, { find: (id) => keys.get(id) });
  stage.holdTime();
  // Commands sign with the clock of the machine.
  Object.defineProperty(stage.gateway, 'nowMs', { get: () => Date.now() });
});
afterAll(() => stage.close());

const run = (words: readonly string[], columns = 140): Promise<Captured> =>
  captured([...words, '--url', stage.gateway.url], { columns });

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
async function json(...words: readonly string[]): Promise<any> {
  const { code, out, err } = await run([...words, '--json']);
  if (code !== 0) throw new Error(err);
  return JSON.parse(out);
}

async function csv(...words: readonly string[]): Promise<readonly Record<string, string>[]> {
  const { code, out, err } = await run([...words, '--csv']);
  if (code !== 0) throw new Error(err);
  return parse(out, { columns: true });
}

async function buy(params: object) {
  const { result, error } = await stage.post('private/buy', params, taker);
  if (error !== undefined) throw new Error(JSON.stringify(error));
  return result;
}

/** Every line of a table has to fit the terminal. */
const widest = (out: string): number =>
  Math.max(...out.split('\n').map((line) => [...line].length));

describe('positions and account', () => {
  test('positions are listed with size, prices, profit and margin, on terminals of every width', async () => {
    await buy({ instrumentName: 'BTC-PERPETUAL', quantity: '20000', type: 'market' });
    const [position, ...others] = await json('positions');
    expect(others).toEqual([]);
    expect(position).toMatchObject({
      accountId: '10001',
      instrumentName: 'BTC-PERPETUAL',
      size: '20000',
      side: 'buy',
    });
    const [row] = await csv('positions', '--currency', 'btc');
    expect(row).toMatchObject({ account: '10001', instrument: 'BTC-PERPETUAL', size: '20000' });
    expect(row?.['average_price']).toBe(position.averagePrice);
    for (const columns of [44, 80, 140]) {
      const { out, code } = await run(['positions'], columns);
      expect(code).toBe(0);
      expect(out).toContain('20000');
      expect(widest(out)).toBeLessThanOrEqual(columns);
    }
    expect((await run(['positions', '--currency', 'ETH'])).out).toBe('no open positions\n');
    expect(await csv('positions', '--kind', 'perpetual')).toEqual(await csv('positions'));
    expect(await csv('positions', '--kind', 'option')).toEqual([]);
  });

  test('positions of a dummy account are refused when it is named, and left out otherwise', async () => {
    const named = await run(['positions', '--account', '20001']);
    expect(named).toMatchObject({ code: 1, out: '' });
    expect(named.err).toContain('has no exchange behind it');
  });

  test('an account is shown by currency, empty currencies only when they are named', async () => {
    const { balances, limits } = await json('account');
    expect(balances.map((one: { currency: string }) => one.currency)).toEqual([
      'BTC',
      'ETH',
      'USDC',
    ]);
    expect(limits).toEqual([]);
    const rows = await csv('account', '--currency', 'usdt,ETH');
    expect(rows.map(({ currency, equity }) => [currency, equity])).toEqual([
      ['USDT', '0'],
      ['ETH', '1000'],
    ]);
    for (const columns of [44, 80, 140]) {
      const { out } = await run(['account'], columns);
      expect(out).toContain('1000');
      expect(widest(out)).toBeLessThanOrEqual(columns);
    }
  });

  test('JSON and CSV at once are refused', async () => {
    const { code, err } = await run(['positions', '--json', '--csv']);
    expect(code).toBe(2);
    expect(err).toContain("'--csv' cannot be used with option '--json'");
  });
});

describe('orders and fills', () => {
  test('open orders are listed newest first, and closed ones on request, whatever they filled', async () => {
    const instrumentName = 'BTC-PERPETUAL';
    const price = await stage.restingPrice('buy');
    const resting = { instrumentName, quantity: '500', type: 'limit', price };
    await buy({ ...resting, label: 'desk-7/first' });
    const { order } = await buy({ ...resting, label: 'desk-8/second' });
    const open = await json('orders');
    expect(open.map(({ label }: { label: string }) => label)).toEqual([
      'desk-8/second',
      'desk-7/first',
    ]);
    expect(open[0]).toMatchObject({ accountId: '10001', price, orderState: 'open' });
    const labelled = await csv('orders', '--label', 'DESK-*first', '-i', 'btc-perpetual');
    expect(labelled.map(({ label }) => label)).toEqual(['desk-7/first']);
    for (const columns of [44, 80, 140]) {
      const { out } = await run(['orders'], columns);
      expect(out).toContain(price);
      expect(widest(out)).toBeLessThanOrEqual(columns);
    }
    await stage.post('private/cancel', { orderId: order.orderId }, taker);
    const closed = await json('orders', '--closed');
    expect(closed.map(({ orderState }: { orderState: string }) => orderState)).toContain('filled');
    expect(closed).toContainEqual(
      expect.objectContaining({ orderId: order.orderId, orderState: 'cancelled' }),
    );
    expect((await run(['orders', '--closed', '--limit', '1'])).out).toContain(
      'the first 1; see --limit',
    );
    const dated = (await csv('instruments', '--kind', 'future')).find(
      ({ kind }) => kind === 'future',
    );
    const future = must(dated?.['instrument'], 'a dated future');
    await buy({ instrumentName: future, quantity: '1000', type: 'limit', price: '30000' });
    const namesOf = async (...words: readonly string[]) =>
      new Set((await csv('orders', ...words)).map(({ instrument }) => instrument));
    expect(await namesOf('--kind', 'future')).toEqual(new Set([instrumentName, future]));
    expect(await namesOf('--kind', 'perpetual')).toEqual(new Set([instrumentName]));
    expect(await namesOf('--kind', 'perpetual', '--closed')).toEqual(new Set([instrumentName]));
    await stage.post('private/cancel_all', {}, taker);
    expect((await run(['orders'])).out).toBe('no open orders\n');
  });

  test('fills are listed with price and fee, by order and by time, on the clocks of a zone', async () => {
    const { order, trades } = await buy({
      instrumentName: 'ETH-PERPETUAL',
      quantity: '1000',
      type: 'market',
    });
    const own = ['fills', '--order', order.orderId];
    const fills = await json(...own);
    expect(fills.map(({ tradeId }: { tradeId: string }) => tradeId).toSorted()).toEqual(
      trades.map(({ tradeId }: { tradeId: string }) => tradeId).toSorted(),
    );
    const [first] = trades;
    const rows = await csv(...own, '--tz', 'Asia/Kolkata');
    const row = must(
      rows.find(({ trade }) => trade === first.tradeId),
      'the first trade',
    );
    expect(row).toMatchObject({ side: 'buy', price: first.price, fee: first.fee });
    expect(row['traded']).toMatch(/T17:30:\d\d\.\d{3}\+05:30$/);
    expect(Date.parse(must(row['traded'], 'a time'))).toBe(first.timestamp);
    // The exchange's day begins at noon UTC, 17:30 in India.
    const day = row['traded']?.slice(0, 10);
    const india = ['-i', 'ETH-PERPETUAL', '--tz', 'Asia/Kolkata'];
    expect(await csv('fills', ...india, '--from', `${day}T17:29`)).toHaveLength(trades.length);
    expect(await csv('fills', ...india, '--to', `${day}T17:29`)).toEqual([]);
    for (const columns of [44, 80, 140]) {
      const { out } = await run(['fills', '--tz', 'Asia/Kolkata'], columns);
      expect(out).toContain('ETH-PERPETUAL');
      expect(widest(out)).toBeLessThanOrEqual(columns);
    }
  });

  test.each([
    [['fills', '--from', 'yesterday'], '--from yesterday is no time; accepted: ISO 8601'],
    [['fills', '--tz', 'Mars/Olympus'], 'accepted: an IANA zone such as Europe/Berlin'],
    [['orders', '--limit', '0'], 'accepted: 1 to 1000'],
    [['orders', '--kind', 'swap'], 'accepted: future, perpetual, option, spot'],
  ])('a wrong argument is refused with what is accepted: %j', async (words, accepted) => {
    const { code, out, err } = await run(words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(accepted);
  });
});

describe('quote and instruments', () => {
  test('a quote has best prices and the book, on terminals of every width', async () => {
    const [book] = await json('quote', 'btc-perpetual', '--depth', '3');
    expect(book).toMatchObject({ instrumentName: 'BTC-PERPETUAL', state: 'open' });
    expect(book.bids.length).toBeGreaterThan(0);
    for (const columns of [44, 80, 140]) {
      const { out } = await run(['quote', 'BTC-PERPETUAL'], columns);
      for (const [price] of [...book.bids, ...book.asks]) expect(out).toContain(price);
      expect(out).toContain(book.markPrice);
      expect(widest(out)).toBeLessThanOrEqual(columns);
    }
  });

  test('several instruments are quoted in one table, in the order in which they are named', async () => {
    const names = ['ETH-PERPETUAL', 'BTC_USDC', 'BTC-PERPETUAL'];
    const rows = await csv('quote', ...names);
    expect(rows.map(({ instrument }) => instrument)).toEqual(names);
    for (const { bid, ask } of rows) expect(Number(bid)).toBeLessThan(Number(ask));
  });

  test('an instrument that is not listed is refused with the nearest ones', async () => {
    const quoted = await run(['quote', 'BTC-PERPETAL']);
    expect(quoted).toMatchObject({ code: 1, out: '' });
    expect(quoted.err).toContain('BTC-PERPETUAL');
    const searched = await run(['instruments', 'BTC-PERPETAL']);
    expect(searched).toMatchObject({ code: 1, out: '' });
    expect(searched.err).toContain('accepted: a listed instrument, such as BTC-PERPETUAL');
    const expired = await run(['instruments', 'BTC-25DEC20-20000-C']);
    expect(expired.err).toContain('expired on 2020-12-25 08:00 UTC');
  });

  test('instruments are found by kind, currency, expiry and a part of their names', async () => {
    const all = await json('instruments');
    const options = await csv('instruments', '--kind', 'option', '--currency', 'BTC');
    expect(options).toHaveLength(
      all.filter(
        (one: Record<string, unknown>) =>
          one['kind'] === 'option' &&
          [one['baseCurrency'], one['settlementCurrency']].includes('BTC'),
      ).length,
    );
    const [option] = options;
    const name = must(option?.['instrument'], 'an option');
    const day = must(name.split('-')[1], 'its expiry');
    const iso = must(option?.['expiry'], 'a time').slice(0, 10);
    const byName = await csv('instruments', '--expiry', day.toLowerCase());
    expect(byName.length).toBeGreaterThan(0);
    for (const { instrument } of byName) expect(instrument?.split('-')[1]).toBe(day);
    expect(await csv('instruments', '--expiry', iso)).toEqual(byName);
    const found = await csv('instruments', `*-${day}-*-p`);
    for (const { instrument } of found) expect(instrument).toMatch(/-P$/);
    expect((await run(['instruments', 'NOTHING*AT*ALL'])).out).toBe('no such instruments\n');
    const perpetuals = await csv('instruments', '--kind', 'perpetual');
    const futures = await csv('instruments', '--kind', 'future');
    expect(perpetuals).toEqual(futures.filter(({ kind }) => kind === 'perpetual'));
    expect(perpetuals.length).toBeGreaterThan(0);
    expect(futures.length).toBeGreaterThan(perpetuals.length);
    for (const columns of [44, 80, 140]) {
      const { out } = await run(['instruments', '--kind', 'future'], columns);
      expect(widest(out)).toBeLessThanOrEqual(columns);
    }
  });
});

describe('chain', () => {
  test('calls and puts of each strike of the next expiry are shown as their tickers say', async () => {
    const chain = await json('chain', 'btc', '--strikes', '4');
    const strikes = chain.strikes.map(({ strike }: { strike: string }) => Number(strike));
    expect(strikes).toHaveLength(4);
    expect(strikes).toEqual(strikes.toSorted((a: number, b: number) => a - b));
    expect(chain.expiry).toBe(chain.expiries[0]);
    const rows = await csv('chain', 'BTC', chain.expiry, '--strikes', '4');
    for (const [at, { strike, call, put }] of chain.strikes.entries()) {
      expect(call.instrumentName).toBe(`BTC-${chain.expiry}-${strike}-C`);
      expect(put.instrumentName).toBe(`BTC-${chain.expiry}-${strike}-P`);
      expect(rows[at]).toMatchObject({ strike, call_delta: expect.stringMatching(/^0?\.?\d/) });
    }
    // The forward is among the strikes around the money.
    const forward = Number(chain.underlyingPrice);
    const all = await json('chain', 'BTC', chain.expiry, '--strikes', '500');
    const away = (strike: number): number => Math.abs(strike - forward);
    const farthest = Math.max(...strikes.map(away));
    for (const { strike } of all.strikes) {
      if (!strikes.includes(Number(strike))) {
        expect(away(Number(strike))).toBeGreaterThanOrEqual(farthest);
      }
    }
  });

  test('a chain is readable on terminals of every width: bid and ask always, more where there is room', async () => {
    const { strikes } = await json('chain', 'BTC', '--strikes', '3');
    const heads = { 44: ['C bid', 'P ask'], 80: ['C IV %', 'P delta'], 140: ['C mark', 'P mark'] };
    for (const [columns, shown] of Object.entries(heads)) {
      const { out } = await run(['chain', 'BTC', '--strikes', '3'], Number(columns));
      for (const { strike } of strikes) expect(out).toContain(strike);
      for (const head of shown) expect(out).toContain(head);
      expect(widest(out)).toBeLessThanOrEqual(Number(columns));
      // The longest name of a zone there is.
      const far = ['--tz', 'America/Argentina/ComodRivadavia'];
      const zoned = await run(['chain', 'BTC', '--strikes', '3', ...far], Number(columns));
      const [heading = ''] = zoned.out.split('\n\n');
      expect(heading).toMatch(/expires \S+ \d\d:\d\d\s+America\/Argentina\/ComodRivadavia\s+\w/);
      expect(widest(zoned.out)).toBeLessThanOrEqual(Number(columns));
    }
  });

  test('a currency or an expiry without options is refused with those that have some', async () => {
    const currency = await run(['chain', 'DOGE']);
    expect(currency.code).toBe(1);
    expect(currency.err).toMatch(/DOGE has no options; accepted: .*BTC/);
    const expiry = await run(['chain', 'BTC', '1JAN99']);
    expect(expiry.code).toBe(1);
    expect(expiry.err).toMatch(/no options that expire on 1JAN99; accepted: \d/);
    expect((await run(['chain', 'BTC', 'soon'])).err).toContain('a day such as 27NOV26');
  });
});
