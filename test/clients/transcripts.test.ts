// Transcripts, not run: the requests of clients that cannot be had here, as they send them, and the columns without which
// they fail. NautilusTrader parses strictly; cryptofeed, the samples that Deribit's support links to, and GoCryptoTrader
// each have a habit of their own.
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../adapters/until.ts';
import { basic } from '../gateway/deribit/raw-client.ts';
import { TAKER } from '../gateway/gateway-under-test.ts';
import { RidStage } from '../gateway/order-api/rid-stage.ts';
import { inOrder } from '../support/in-order.ts';
import { expectRan } from './ran.ts';
import { RecordingFront } from './recording-front.ts';

inOrder();

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Fields = any;

const BTC = 'BTC-PERPETUAL';
const ACCOUNT_CHANNELS = [
  'user.orders.any.any.raw',
  'user.trades.any.any.raw',
  'user.portfolio.any',
];

let stage: RidStage;
let front: RecordingFront;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  stage = await RidStage.start();
  front = await RecordingFront.before(stage.gateway.url);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(async () => {
  await front.close();
  await stage.close();
});

const hmac = (text: string): string =>
  createHmac('sha256', TAKER.secret).update(text).digest('hex');

/** One connection that keeps what arrived. */
class Wire {
  readonly frames: Fields[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (raw) => this.frames.push(JSON.parse(String(raw))));
  }

  static async open(): Promise<Wire> {
    const socket = new WebSocket(`${front.url.replace('http', 'ws')}/ws/api/v2`);
    sockets.push(socket);
    const wire = new Wire(socket);
    await once(socket, 'open');
    return wire;
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame));
  }

  async answer(id: unknown): Promise<Fields> {
    await until(() => this.frames.some((frame) => frame.id === id));
    return this.frames.find((frame) => frame.id === id);
  }

  request(id: unknown, method: string, params: object): Promise<Fields> {
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.answer(id);
  }

  /** The data of a channel's notifications. */
  async heard(channel: string, count = 1): Promise<Fields[]> {
    const all = (): Fields[] => this.frames.filter((frame) => frame.params?.channel === channel);
    await until(() => all().length >= count);
    return all().map((frame) => frame.params.data);
  }
}

let nonces = 0;
/** As its clients do: a signature is accepted once. */
function newNonce(): string {
  nonces += 1;
  return `nonce-${nonces}`;
}

/** Every column is there and not null. */
function requires(value: Fields, columns: string): void {
  const missing = columns.split(' ').filter((column) => (value?.[column] ?? null) === null);
  expect(missing).toEqual([]);
}

describe('NautilusTrader (transcript, not run)', () => {
  const REQUIRED = {
    instrument:
      'base_currency contract_size creation_timestamp instrument_id instrument_name is_active kind ' +
      'maker_commission taker_commission min_trade_amount quote_currency tick_size',
    order:
      'order_id instrument_name direction order_type order_state amount creation_timestamp ' +
      'last_update_timestamp time_in_force',
    trade:
      'trade_id order_id instrument_name direction price amount fee fee_currency timestamp trade_seq ' +
      'liquidity order_type index_price mark_price tick_direction state',
    ticker: 'instrument_name timestamp mark_price index_price open_interest state',
    quote:
      'timestamp instrument_name best_bid_price best_bid_amount best_ask_price best_ask_amount',
    position:
      'instrument_name direction size average_price mark_price maintenance_margin initial_margin ' +
      'floating_profit_loss realized_profit_loss total_profit_loss kind',
    summary: 'currency equity balance available_funds margin_balance',
    portfolio:
      'currency equity balance available_funds margin_balance initial_margin maintenance_margin',
    auth: 'access_token expires_in refresh_token scope token_type',
  };

  /** POST at `/api/v2`, which is also what is signed. */
  async function post(id: number, method: string, params: object): Promise<Fields> {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const [ts, nonce] = [String(stage.gateway.nowMs), `nt-${id}`];
    const sig = hmac(`${ts}\n${nonce}\nPOST\n/api/v2\n${body}\n`);
    const Authorization = `deri-hmac-sha256 id=${TAKER.id},ts=${ts},nonce=${nonce},sig=${sig}`;
    const response = await fetch(`${front.url}/api/v2`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', Authorization },
    });
    return await response.json();
  }

  async function execution(): Promise<Wire> {
    front.client = 'NautilusTrader';
    const wire = await Wire.open();
    expect((await wire.request(1, 'public/set_heartbeat', { interval: 30 })).result).toBe('ok');
    const [timestamp, nonce] = [stage.gateway.nowMs, newNonce()];
    const auth = await wire.request(2, 'public/auth', {
      grant_type: 'client_signature',
      client_id: TAKER.id,
      timestamp,
      nonce,
      data: '',
      signature: hmac(`${timestamp}\n${nonce}\n`),
      scope: 'session:nautilus-execution',
    });
    requires(auth.result, REQUIRED.auth);
    for (const [index, channel] of ACCOUNT_CHANNELS.entries()) {
      const answer = await wire.request(10 + index, 'private/subscribe', { channels: [channel] });
      expect(answer.result).toEqual([channel]);
    }
    return wire;
  }

  test('reads instruments of every kind and the account before it connects', async () => {
    front.client = 'NautilusTrader';
    for (const [index, kind] of ['future', 'option', 'spot'].entries()) {
      const { result } = await post(index, 'public/get_instruments', { currency: 'any', kind });
      expect(result.length).toBeGreaterThan(0);
      for (const instrument of result) requires(instrument, REQUIRED.instrument);
    }
    const { result } = await post(9, 'private/get_account_summaries', { extended: true });
    for (const summary of result.summaries) requires(summary, REQUIRED.summary);
    const expirations = { currency: 'any', kind: 'any' };
    expect((await post(20, 'public/get_expirations', expirations)).result).toBeDefined();
  });

  test('trades and sees each order, trade and balance in its channels', async () => {
    const wire = await execution();
    const order = {
      instrument_name: BTC,
      amount: 100,
      type: 'market',
      label: 'O-20261122-001',
      post_only: false,
      reduce_only: false,
    };
    const { result } = await wire.request(20, 'private/buy', order);
    requires(result.order, REQUIRED.order);
    const [trades] = await wire.heard('user.trades.any.any.raw');
    for (const trade of trades) requires(trade, REQUIRED.trade);
    const [update] = await wire.heard('user.orders.any.any.raw');
    requires(update, REQUIRED.order);
    const [portfolio] = await wire.heard('user.portfolio.any');
    requires(portfolio, REQUIRED.portfolio);
    const { result: positions } = await post(30, 'private/get_positions', { currency: 'any' });
    expect(positions.length).toBeGreaterThan(0);
    for (const position of positions) requires(position, REQUIRED.position);
  });

  test('edits and cancels, and looks for 11054 when a post-only order would take', async () => {
    const wire = await execution();
    const price = Number(await stage.restingPrice('buy'));
    const limit = {
      instrument_name: BTC,
      amount: 100,
      type: 'limit',
      post_only: true,
      reject_post_only: true,
    };
    const placed = await wire.request(20, 'private/buy', { ...limit, price, label: 'O-2' });
    const { order_id } = placed.result.order;
    const edit = {
      order_id,
      amount: 200,
      price: price - 5,
      post_only: true,
      reject_post_only: true,
    };
    expect((await wire.request(21, 'private/edit', edit)).result.order).toMatchObject({ order_id });
    expect((await wire.request(22, 'private/get_order_state', { order_id })).result.amount).toBe(
      200,
    );
    expect((await post(31, 'private/get_open_orders', {})).result).toHaveLength(1);
    const taking = { ...limit, price: Math.round(price * 1.015), label: 'O-3' };
    expect((await wire.request(23, 'private/buy', taking)).error.code).toBe(11054);
    expect((await wire.request(24, 'private/cancel', { order_id })).result.order_state).toBe(
      'cancelled',
    );
    const all = { instrument_name: BTC, type: 'all' };
    expect((await wire.request(25, 'private/cancel_all_by_instrument', all)).result).toBe(0);
  });

  test('reconciles orders and trades of every currency in turn', async () => {
    front.client = 'NautilusTrader';
    const window = {
      start_timestamp: stage.gateway.nowMs - 3_600_000,
      end_timestamp: stage.venue.venueNow(),
    };
    for (const currency of ['BTC', 'ETH', 'USDC', 'USDT', 'EURR']) {
      const old = { currency, include_old: true, include_unfilled: true, count: 100 };
      const orders = await post(40, 'private/get_order_history_by_currency', old);
      for (const order of orders.result) requires(order, REQUIRED.order);
      const recent = { currency, ...window, sorting: 'asc', count: 1_000 };
      const answer = await post(41, 'private/get_user_trades_by_currency_and_time', recent);
      requires(answer.result, 'has_more trades');
    }
  });

  test('subscribes to its market data', async () => {
    const wire = await execution();
    const channels = [
      `trades.${BTC}.raw`,
      `book.${BTC}.raw`,
      `book.${BTC}.none.10.100ms`,
      `ticker.${BTC}.raw`,
      `quote.${BTC}`,
      `perpetual.${BTC}.raw`,
      'instrument.state.any.any',
      'deribit_volatility_index.btc_usd',
      `chart.trades.${BTC}.1`,
    ];
    const { result } = await wire.request(50, 'private/subscribe', { channels });
    expect([...result].sort()).toEqual([...channels].sort());
    const [ticker] = await wire.heard(`ticker.${BTC}.raw`);
    requires(ticker, REQUIRED.ticker);
    const [quote] = await wire.heard(`quote.${BTC}`);
    requires(quote, REQUIRED.quote);
    const [book] = await wire.heard(`book.${BTC}.raw`);
    requires(book, 'instrument_name timestamp change_id bids asks');
    const [grouped] = await wire.heard(`book.${BTC}.none.10.100ms`);
    requires(grouped, 'instrument_name timestamp change_id bids asks');
    const [perpetual] = await wire.heard(`perpetual.${BTC}.raw`);
    requires(perpetual, 'index_price interest timestamp');
  });
});

describe('cryptofeed (transcript, not run)', () => {
  test('each of its four currencies is answered with a list, also the one that is not listed', async () => {
    front.client = 'cryptofeed';
    for (const currency of ['BTC', 'ETH', 'USDC', 'SOL']) {
      const address = `${front.url}/api/v2/public/get_instruments?currency=${currency}`;
      const { result } = (await (await fetch(address)).json()) as Fields;
      expect(result).toEqual(expect.any(Array));
      for (const instrument of result) {
        requires(
          instrument,
          'base_currency quote_currency kind expiration_timestamp instrument_name tick_size',
        );
      }
    }
  });

  test('tells a snapshot of a book from a change by prev_change_id alone', async () => {
    front.client = 'cryptofeed';
    const wire = await Wire.open();
    const [timestamp, nonce] = [stage.gateway.nowMs, newNonce()];
    const auth = await wire.request('auth 7c1f', 'public/auth', {
      grant_type: 'client_signature',
      client_id: TAKER.id,
      timestamp,
      nonce,
      data: '',
      signature: hmac(`${timestamp}\n${nonce}\n`),
      scope: 'session:7c1f',
    });
    expect(auth.result.access_token).toEqual(expect.any(String));
    const open = { channels: [`quote.${BTC}`] };
    expect((await wire.request('101', 'public/subscribe', open)).result).toEqual(open.channels);
    const channels = [`book.${BTC}.raw`, `trades.${BTC}.raw`, `ticker.${BTC}.raw`];
    const scoped = { scope: 'session:7c1f', channels: [...channels, 'user.portfolio.BTC'] };
    const { result } = await wire.request('102', 'private/subscribe', scoped);
    expect([...result].sort()).toEqual([...scoped.channels].sort());
    const [first, second] = await wire.heard(`book.${BTC}.raw`, 2);
    expect(first).not.toHaveProperty('prev_change_id');
    expect(second.prev_change_id).toBe(first.change_id);
    const [ticker] = await wire.heard(`ticker.${BTC}.raw`);
    requires(ticker, 'best_bid_price best_ask_price open_interest');
    const [portfolio] = await wire.heard('user.portfolio.BTC');
    requires(portfolio, 'currency balance available_withdrawal_funds');
  });

  test('reads a deep book and trades with its own params', async () => {
    front.client = 'cryptofeed';
    for (const query of [
      `get_order_book?depth=10000&instrument_name=${BTC}`,
      `get_last_trades_by_instrument?instrument_name=${BTC}&include_old=true&count=1000`,
    ]) {
      const response = await fetch(`${front.url}/api/v2/public/${query}`);
      expect(response.status).toBe(200);
    }
  });
});

describe('the samples of ElliotP123 (transcript, not run)', () => {
  const post = async (method: string, params: object): Promise<Fields> => {
    const response = await fetch(`${front.url}/api/v2/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...basic(TAKER) },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return await response.json();
  };

  test('post with Basic at the address with a slash', async () => {
    front.client = 'EL samples';
    const price = Number(await stage.restingPrice('buy'));
    const order = { instrument_name: BTC, amount: 10, type: 'limit', price };
    const { result } = await post('private/buy', order);
    expect(result.order.order_state).toBe('open');
    await post('private/cancel', { order_id: result.order.order_id });
    const summary = await post('private/get_account_summary', { currency: 'BTC', extended: true });
    expect(summary.result.currency).toBe('BTC');
  });

  test('log in, keep a heartbeat, refresh the token and subscribe', async () => {
    front.client = 'EL samples';
    const wire = await Wire.open();
    const credentials = { client_id: TAKER.id, client_secret: TAKER.secret };
    const auth = { grant_type: 'client_credentials', ...credentials };
    const first = await wire.request(9929, 'public/auth', auth);
    expect((await wire.request(9098, 'public/set_heartbeat', { interval: 10 })).result).toBe('ok');
    const refresh = { grant_type: 'refresh_token', refresh_token: first.result.refresh_token };
    const second = await wire.request(9930, 'public/auth', refresh);
    expect(second.result.access_token).not.toBe(first.result.access_token);
    const channels = [`quote.${BTC}`];
    expect((await wire.request(42, 'public/subscribe', { channels })).result).toEqual(channels);
    await wire.heard(`quote.${BTC}`);
    expect((await wire.request(8212, 'public/test', {})).result.version).toEqual(
      expect.any(String),
    );
  });
});

describe('GoCryptoTrader (transcript, not run)', () => {
  test('sends its ids and timestamps as text', async () => {
    front.client = 'GoCryptoTrader';
    const wire = await Wire.open();
    const [timestamp, nonce] = [String(stage.gateway.nowMs), newNonce()];
    const auth = await wire.request('1', 'public/auth', {
      grant_type: 'client_signature',
      client_id: TAKER.id,
      timestamp,
      nonce,
      signature: hmac(`${timestamp}\n${nonce}\n`),
    });
    expect(auth.result.token_type).toBe('bearer');
    expect((await wire.request('2', 'public/set_heartbeat', { interval: 15 })).result).toBe('ok');
    expect((await wire.request('3', 'public/test', {})).id).toBe('3');
    const channels = [
      `ticker.${BTC}.100ms`,
      `book.${BTC}.100ms`,
      `trades.${BTC}.100ms`,
      `chart.trades.${BTC}.1D`,
      `user.orders.${BTC}.100ms`,
      `user.trades.${BTC}.100ms`,
    ];
    const { result } = await wire.request('4', 'private/subscribe', { channels });
    expect([...result].sort()).toEqual([...channels].sort());
    const order = { instrument_name: BTC, amount: 100, type: 'market', label: 'gct' };
    expect((await wire.request('5', 'private/sell', order)).result.order.order_state).toBe(
      'filled',
    );
    const [orders] = await wire.heard(`user.orders.${BTC}.100ms`);
    expect(orders[0].label).toBe('gct');
  });
});

test('everything that the transcripts received has the documented shapes', () => {
  expect([...front.check.faults]).toEqual([]);
  for (const client of ['NautilusTrader', 'cryptofeed', 'EL samples', 'GoCryptoTrader']) {
    expectRan(client, front);
  }
});
