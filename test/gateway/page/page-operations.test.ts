// What a session of the page may do alongside portfolios: order methods, strategies, protection, and which of it takes a code.
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { perpetualBody, TAKER } from '../gateway-under-test.ts';
import { BTC, RidStage } from '../order-api/rid-stage.ts';
import { ListedStrategies } from '../trading/listed-strategies.ts';
import { browserRequest, enter, withSession } from './browser-request.ts';

const TRADING = '/tt/broker/openapi/trading';

let stage: RidStage;
let strategies: ListedStrategies;
let headers: Record<string, string>;
beforeEach(async () => {
  strategies = new ListedStrategies();
  stage = await RidStage.start({}, undefined, undefined, undefined, undefined, { strategies });
  headers = withSession(await enter(stage.gateway.url, await codeOf('open')));
});
afterEach(() => stage.close());

async function codeOf(purpose: 'open' | 'confirm'): Promise<string> {
  const { json } = await stage.gateway.request(`${TRADING}/page-code`, { body: { purpose } });
  return json.value.code;
}

const send = (path: string, body: unknown, code?: string) =>
  browserRequest(`${stage.gateway.url}/page/api/${path}`, {
    body,
    headers: { ...headers, ...(code !== undefined && { 'x-twapd-code': code }) },
  });

const read = (path: string) => browserRequest(`${stage.gateway.url}/page/api/${path}`, { headers });

describe('a session of the page', () => {
  test('a session reads positions, balances and protection by the order methods, of its own accounts only', async () => {
    const of = { accountId: '10001' };
    expect((await send('private/get_positions', of)).json.result).toEqual([]);
    const summary = await send('private/get_account_summary', { ...of, currency: 'BTC' });
    expect(summary.json.result).toMatchObject({ accountId: '10001', currency: 'BTC' });
    expect((await send('private/get_mmp_config', of)).json.result).toEqual({ results: [] });
    const foreign = await send('private/get_positions', { accountId: '10002' });
    expect([foreign.status, foreign.json.error.data.param]).toEqual([403, 'accountId']);
  });

  test('an order method is answered neither without the session nor by a name that the page does not use', async () => {
    const url = `${stage.gateway.url}/page/api/private/get_positions`;
    const stranger = await browserRequest(url, { body: {} });
    expect(stranger.status).toBe(401);
    expect((await send('private/edit_by_label', {})).status).toBe(404);
    expect((await send('page-code', { purpose: 'confirm' })).status).toBe(404);
    expect((await send('override-grant', { id: 'none' })).status).toBe(404);
  });

  test('a session plans and submits within its scopes and accounts, once for each key, and is recorded', async () => {
    const once = { ...headers, 'idempotency-key': 'one-press' };
    const confirmed = { ...once, 'x-twapd-code': await codeOf('confirm') };
    const submit = (body: unknown, own: Record<string, string>) =>
      browserRequest(`${stage.gateway.url}/page/api/submit`, { body, headers: own });
    const refused = await submit(perpetualBody(), once);
    expect([refused.status, refused.json.errors[0].field]).toEqual([403, 'code']);
    const first = await submit(perpetualBody(), confirmed);
    const again = await submit(perpetualBody(), once);
    expect(again.json.value.portfolioId).toBe(first.json.value.portfolioId);
    const foreign = await submit(perpetualBody({ accountId: 10002 }), headers);
    expect([foreign.status, foreign.json.errors[0].field]).toEqual([403, 'accountId']);
    const [last] = (await read('actions?limit=1')).json.value.actions;
    expect(last).toMatchObject({ operation: 'portfolios/submit', keyId: 'taker' });
    const body = { purpose: 'open', scopes: ['read'] };
    const { json } = await stage.gateway.request(`${TRADING}/page-code`, { body });
    const reading = withSession(await enter(stage.gateway.url, json.value.code));
    expect((await submit(perpetualBody(), reading)).status).toBe(403);
    const url = `${stage.gateway.url}/page/api/plan`;
    expect((await browserRequest(url, { body: perpetualBody(), headers: reading })).status).toBe(
      200,
    );
  });

  test('the schema of a submission is served to sessions only', async () => {
    const url = `${stage.gateway.url}/page/submit-schema`;
    const schema = (await browserRequest(url, { headers })).json.value;
    expect(schema.properties.legs.items.required).toContain('instrument');
    expect(schema.properties.execution.anyOf[0].properties.phase.description).toMatch(/default 0/);
    expect((await browserRequest(url, {})).status).toBe(401);
  });

  test('a reset of protection takes a fresh code, good once, and is recorded', async () => {
    const config = { indexName: 'btc_usd', interval: 5, frozenTime: 0, quantityLimit: '5' };
    await stage.post('block/rfqs/set_mmp_config', config, TAKER);
    const reset = { accountId: '10001', indexName: 'btc_usd' };
    expect((await send('private/reset_mmp', reset)).json.error.data.param).toBe('code');
    const code = await codeOf('confirm');
    expect((await send('private/reset_mmp', reset, code)).json.result).toBe('ok');
    expect((await send('private/reset_mmp', reset, code)).status).toBe(403);
    const [last] = (await read('actions?limit=1')).json.value.actions;
    expect(last).toMatchObject({ operation: 'private/reset_mmp', keyId: 'taker', outcome: 'done' });
  });

  test('orders are entered for 15 minutes after a fresh code, and cancelled without one', async () => {
    const price = await stage.restingPrice('buy');
    const order = { accountId: '10001', instrumentName: BTC, quantity: '100', price };
    const refused = await send('private/buy', order);
    expect([refused.status, refused.json.error.data.param]).toEqual([403, 'code']);
    const first = await send('private/buy', order, await codeOf('confirm'));
    expect(first.json.result.order.orderState).toBe('open');
    const { orderId } = first.json.result.order;
    const edit = { accountId: '10001', orderId, quantity: '200', price };
    expect((await send('private/edit', edit)).json.result.order.quantity).toBe('200');
    stage.gateway.nowMs += 15 * 60_000 - 1;
    expect((await send('private/buy', order)).status).toBe(200);
    stage.gateway.nowMs += 1;
    expect((await send('private/buy', order)).json.error.data.param).toBe('code');
    const cancelled = await send('private/cancel', { accountId: '10001', orderId });
    expect(cancelled.json.result.orderState).toBe('cancelled');
    const [last] = (await read('actions?limit=1')).json.value.actions;
    expect(last).toMatchObject({ operation: 'private/cancel', keyId: 'taker', outcome: 'done' });
  });

  test('a code that was given with an order lets the session submit portfolios, until 15 minutes later', async () => {
    const order = { accountId: '10001', instrumentName: BTC, quantity: '100', type: 'market' };
    expect((await send('private/buy', order, await codeOf('confirm'))).status).toBe(200);
    stage.gateway.nowMs += 15 * 60_000 - 1;
    expect((await send('submit', perpetualBody())).json.succ).toBe(true);
    stage.gateway.nowMs += 1;
    expect((await send('submit', perpetualBody())).status).toBe(403);
    expect((await send('plan', perpetualBody())).status).toBe(200);
  });

  test('what the page changes is recorded under the names that programs use', async () => {
    const wish = { strategy: 'one', reason: 'drill', state: 'off' };
    expect((await send('strategy-switch', wish)).status).toBe(200);
    await send('cancel', { accountId: 10001, portfolioId: 1 });
    const { actions } = (await read('actions?limit=2')).json.value;
    expect(actions.map(({ operation }: { operation: string }) => operation)).toEqual([
      'portfolios/cancel',
      'trading/strategy-switch',
    ]);
  });

  test('a code lets one session enter orders, not another of the same key', async () => {
    const order = { accountId: '10001', instrumentName: BTC, quantity: '100', type: 'market' };
    expect((await send('private/buy', order, await codeOf('confirm'))).status).toBe(200);
    headers = withSession(await enter(stage.gateway.url, await codeOf('open')));
    expect((await send('private/buy', order)).status).toBe(403);
  });

  test('the stream of channels subscribes, and answers no method that changes something', async () => {
    const session = await enter(stage.gateway.url, await codeOf('open'));
    const url = `${stage.gateway.url.replace('http', 'ws')}/page/ws/api`;
    const socket = new WebSocket(url, ['twapd.page', session.secret], {
      headers: { cookie: session.cookie, origin: stage.gateway.url },
    });
    await once(socket, 'open');
    const request = async (method: string, params: object) => {
      const answered = new Promise<Record<string, unknown>>((resolve) => {
        socket.on('message', (text) => {
          const frame = JSON.parse(String(text));
          if (frame.rid === method) resolve(frame);
        });
      });
      socket.send(JSON.stringify({ rid: method, method, params }));
      return await answered;
    };
    const channels = ['user.orders.any.any.raw', `book.${BTC}.none.20.100ms`];
    expect(await request('private/subscribe', { channels })).toMatchObject({ result: channels });
    for (const method of [
      'private/buy',
      'private/reset_mmp',
      'private/enable_cancel_on_disconnect',
    ])
      expect(await request(method, {})).toMatchObject({ error: { code: -32601 } });
    socket.close();
  });

  test('a strategy is switched off by the session alone, and on, or back to its file, with a fresh code', async () => {
    const wish = { strategy: 'one', reason: 'drill' };
    expect((await send('strategy-switch', { ...wish, state: 'off' })).status).toBe(200);
    for (const state of ['on', 'file']) {
      expect((await send('strategy-switch', { ...wish, state })).status).toBe(403);
      const code = await codeOf('confirm');
      expect((await send('strategy-switch', { ...wish, state }, code)).status).toBe(200);
    }
    expect(strategies.set.map(({ state }) => state)).toEqual(['off', 'on', 'file']);
  });

  test('a session reads the summary, the history of switches, actions, keys and sessions', async () => {
    for (const name of ['summary', 'actions', 'keys', 'strategies', 'page-sessions', 'limits']) {
      expect([name, (await read(name)).json.succ]).toEqual([name, true]);
    }
  });
});
