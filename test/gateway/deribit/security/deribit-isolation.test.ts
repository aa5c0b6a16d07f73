// What a key may not see or change on Deribit's wire, taken from the table of methods, so that a new method is
// covered as soon as it is listed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DERIBIT_METHODS } from '../../../../src/gateway/deribit/deribit-method-table.ts';
import { NOTHING, READER, SECOND_MAKER, STRANGER, TAKER } from '../../gateway-under-test.ts';
import { RidStage } from '../../order-api/rid-stage.ts';
import { postRpc, RawClient } from '../raw-client.ts';

const BTC = 'BTC-PERPETUAL';
const FORBIDDEN = 13021;
const UNAUTHORIZED = 13009;
const LABEL = 'order of a stranger';

const PRIVATE = [...DERIBIT_METHODS.values()].filter(({ scope }) => scope !== undefined);
const CHANGING = PRIVATE.filter(
  ({ about, scope }) => about !== undefined || /write$/.test(scope ?? ''),
);

let stage: RidStage;
let url: string;
let foreign: string;
let price: string;

beforeAll(async () => {
  stage = await RidStage.start();
  url = stage.gateway.url;
  price = await stage.restingPrice('buy');
  const order = { instrument_name: BTC, amount: 100, type: 'limit', price, label: LABEL };
  const placed = await postRpc(url, { method: 'private/buy', params: order, by: STRANGER });
  foreign = placed.result.order.order_id;
});
afterAll(() => stage.close());

const untouched = async (): Promise<void> => {
  const own = { method: 'private/get_order_state', params: { order_id: foreign }, by: STRANGER };
  const { result } = await postRpc(url, own);
  expect(result).toMatchObject({ order_state: 'open', label: LABEL, amount: 100 });
};

describe('without a login', () => {
  test.each(PRIVATE.map(({ name }) => name))('%s is refused', async (method) => {
    const { status, error } = await postRpc(url, { method });
    if (DERIBIT_METHODS.get(method)?.isWebSocketOnly) expect(error?.code).toBe(10030);
    else expect([status, error?.code]).toEqual([400, UNAUTHORIZED]);
    const client = await RawClient.connect(url);
    expect((await client.request(method)).error?.code).toBe(UNAUTHORIZED);
    await client.close();
  });

  test('raw channels and channels of an account are not opened', async () => {
    const client = await RawClient.connect(url);
    const own = ['user.orders.any.any.raw', 'user.portfolio.any', 'user.trades.any.any.100ms'];
    const { result, error } = await client.request('public/subscribe', { channels: own });
    expect(result ?? []).toEqual([]);
    if (result === undefined) expect([UNAUTHORIZED, 13778]).toContain(error?.code);
    const raw = await client.request('public/subscribe', { channels: [`book.${BTC}.raw`] });
    expect(raw.error?.code).toBe(13778);
    await client.close();
  });
});

describe('with a key that may only read', () => {
  test.each(CHANGING.map(({ name }) => name))('%s is refused', async (method) => {
    const client = await RawClient.loggedIn(url, READER);
    // Protection is refused by what it is for, which its params say.
    const window = { interval: 60, frozen_time: 0, max_quote_quantity: 5 };
    const protection = { index_name: 'btc_usd', ...window, block_rfq: false };
    const params = { order_id: foreign, label: LABEL, currency: 'BTC', ...protection };
    const { error } = await client.request(method, params);
    expect(error?.code).toBe(FORBIDDEN);
    await client.close();
  });

  test.each(PRIVATE.map(({ name }) => name))(
    '%s is refused to a key without any scope for it',
    async (method) => {
      const { error } = await postRpc(url, { method, by: NOTHING });
      expect([FORBIDDEN, UNAUTHORIZED, 10030, 13004]).toContain(error?.code);
    },
  );
});

describe('orders of other keys', () => {
  test.each([
    ['private/get_order_state', () => ({ order_id: foreign })],
    ['private/edit', () => ({ order_id: foreign, amount: 10, price })],
    ['private/cancel', () => ({ order_id: foreign })],
    ['private/get_user_trades_by_order', () => ({ order_id: foreign })],
    ['private/edit_by_label', () => ({ label: LABEL, instrument_name: BTC, amount: 10, price })],
  ])('%s answers as for an order that does not exist', async (method, params) => {
    const { error, result } = await postRpc(url, { method, params: params(), by: TAKER });
    const unknown = {
      ...params(),
      ...('label' in params() ? { label: 'no such' } : { order_id: '424242' }),
    };
    const missing = await postRpc(url, { method, params: unknown, by: TAKER });
    expect([error?.code, result]).toEqual([missing.error?.code, missing.result]);
    await untouched();
  });

  test('no list shows them, and no mass cancel reaches them', async () => {
    const by = TAKER;
    const currency = 'BTC';
    for (const [method, params] of [
      ['private/get_open_orders', {}],
      ['private/get_open_orders_by_currency', { currency }],
      ['private/get_open_orders_by_instrument', { instrument_name: BTC }],
      ['private/get_open_orders_by_label', { currency, label: LABEL }],
      ['private/get_order_state_by_label', { currency, label: LABEL }],
    ] as const) {
      expect((await postRpc(url, { method, params, by })).text).not.toContain(LABEL);
    }
    for (const [method, params] of [
      ['private/cancel_all', {}],
      ['private/cancel_all_by_currency', { currency }],
      ['private/cancel_all_by_instrument', { instrument_name: BTC }],
      ['private/cancel_by_label', { label: LABEL }],
    ] as const) {
      expect((await postRpc(url, { method, params, by })).result).toBe(0);
    }
    await untouched();
  });
});

describe('logins', () => {
  const login = (changes: object) =>
    postRpc(url, {
      method: 'public/auth',
      params: {
        grant_type: 'client_credentials',
        client_id: TAKER.id,
        client_secret: TAKER.secret,
        ...changes,
      },
    });
  const read = (token: string) =>
    postRpc(url, {
      method: 'private/get_open_orders',
      headers: { Authorization: `Bearer ${token}` },
    });

  test('a spent refresh token, a cut token and an invented one are refused', async () => {
    const { result: first } = await login({ scope: 'session:spent' });
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const { result: second } = await postRpc(url, { method: 'public/auth', params: refresh });
    expect((await read(second.access_token)).error).toBeUndefined();
    const again = await postRpc(url, { method: 'public/auth', params: refresh });
    expect([13004, UNAUTHORIZED]).toContain(again.error?.code);
    for (const token of [
      first.refresh_token,
      second.access_token.slice(0, -1),
      'x',
      '',
      'é'.repeat(50),
    ]) {
      const headers = { Authorization: `Bearer ${encodeURIComponent(token)}` };
      const { error } = await postRpc(url, { method: 'private/get_open_orders', headers });
      expect(error?.code).toBe(UNAUTHORIZED);
    }
  });

  test('a token of one key does not act for another key named beside it', async () => {
    const { result } = await login({});
    const second = await RawClient.loggedIn(url, SECOND_MAKER);
    const params = { access_token: result.access_token, order_id: foreign };
    expect((await second.request('private/cancel', params)).error).toBeDefined();
    await untouched();
    await second.close();
  });

  test('no answer contains a secret', async () => {
    for (const method of ['private/get_account_summaries', 'private/get_subaccounts']) {
      const { text } = await postRpc(url, { method, params: { extended: true }, by: TAKER });
      expect(text).not.toContain(TAKER.secret);
    }
  });
});

test('unknown methods and addresses are answered in Deribit’s form', async () => {
  const unknown = await postRpc(url, { method: 'private/withdraw_everything', by: TAKER });
  expect([unknown.status, unknown.error?.code]).toEqual([400, -32601]);
  for (const path of ['/api/v2/private/no_such', '/api/v2/public/__proto__', '/api/v2/public/']) {
    const response = await fetch(url + path);
    expect(response.status).toBeLessThan(500);
    expect(await response.json()).toMatchObject({ error: { code: expect.any(Number) } });
  }
});
