// Logging in over Deribit's wire: the grants, the headers, tokens and their ends, named sessions, accounts, and what is
// not found out by trying.
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../../src/gateway/auth/key-store.ts';
import { addressList } from '../../../../src/gateway/limits/address-list.ts';
import { DEFAULT_LIMITS } from '../../../../src/gateway/limits/limits.ts';
import { accountId } from '../../../../src/values/ids.ts';
import {
  BOUND,
  TAKER as ONE_DESK,
  READER,
  SECOND_MAKER,
  STRANGER,
} from '../../gateway-under-test.ts';
import { BTC, RidStage } from '../../order-api/rid-stage.ts';
import { browserRequest } from '../../page/browser-request.ts';
import { type Frame, FrameClient, withSecret } from './frame-client.ts';

const [FIRST = '', SECOND = ''] = [...ONE_DESK.accounts, ...SECOND_MAKER.accounts].filter(
  (account) => account !== '20001',
);
const TAKER = { ...ONE_DESK, accounts: [FIRST, SECOND].map(accountId) };

/** The keys in force; tests change them. */
let keys: Map<string, ApiKey>;
let keysChanged: () => void;
let stage: RidStage;
beforeEach(async () => {
  keys = new Map([TAKER, STRANGER, READER, BOUND].map((key) => [key.id, key]));
  keysChanged = () => undefined;
  const store = {
    find: (id: string) => keys.get(id),
    watch: (listener: () => void) => {
      keysChanged = listener;
      return () => undefined;
    },
  };
  stage = await RidStage.start({}, undefined, undefined, store);
});
afterEach(() => stage.close());

const nowMs = (): number => stage.gateway.nowMs;

interface Got {
  readonly status: number;
  readonly json: Frame;
}

async function http(target: string, authorization?: string, init: RequestInit = {}): Promise<Got> {
  const headers = { ...(authorization && { Authorization: authorization }), ...init.headers };
  const response = await fetch(stage.gateway.url + target, { ...init, headers });
  return { status: response.status, json: await response.json() };
}

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/** The header `deri-hmac-sha256`, with the fields in an order of the test's own. */
function signedHeader(
  { id, secret }: Pick<ApiKey, 'id' | 'secret'>,
  { method = 'GET', uri, body = '' }: { method?: string; uri: string; body?: string },
  { ts = nowMs(), nonce = 'n1', order = ['id', 'ts', 'sig', 'nonce'] } = {},
): string {
  const text = `${ts}\n${nonce}\n${method}\n${uri}\n${body}\n`;
  const fields: Record<string, string> = {
    id,
    ts: String(ts),
    nonce,
    sig: createHmac('sha256', secret).update(text).digest('hex'),
  };
  return `deri-hmac-sha256 ${order.map((name) => `${name}=${fields[name]}`).join(',')}`;
}

function signedLogin({ id, secret }: ApiKey, rest: object = {}) {
  const [timestamp, nonce, data] = [String(nowMs()), 'abc', 'some data'];
  const text = `${timestamp}\n${nonce}\n${data}`;
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  const proof = { client_id: id, timestamp, nonce, data, signature };
  return { grant_type: 'client_signature', ...proof, ...rest };
}

const MINE = '/api/v2/private/get_open_orders';
const isIn = async (authorization: string): Promise<boolean> =>
  (await http(MINE, authorization)).status === 200;

describe('a grant', () => {
  test('by the secret logs the connection in and answers a token', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    expect((await client.request('private/get_open_orders')).error.code).toBe(13009);
    const answer = await client.logIn(TAKER, { state: 'mine' });
    expect(answer).toMatchObject({
      token_type: 'bearer',
      expires_in: 31_536_000,
      state: 'mine',
      scope: 'account:read_write block_rfq:read_write connection trade:read_write wallet:none',
    });
    expect(answer.access_token).not.toBe(answer.refresh_token);
    expect((await client.request('private/get_open_orders')).result).toEqual([]);
    await client.close();
  });

  test.each(['number', 'text'])('by a signature accepts a timestamp that is a %s', async (form) => {
    const client = await FrameClient.open(stage.gateway.url);
    const login = signedLogin(TAKER);
    const timestamp = form === 'number' ? Number(login.timestamp) : login.timestamp;
    expect(await client.request('public/auth', { ...login, timestamp })).toHaveProperty('result');
    expect(await client.request('private/get_open_orders')).toHaveProperty('result');
    await client.close();
  });

  test('by a signature sent ahead of private calls is in force for all of them', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    client.send(JSON.stringify({ id: 0, method: 'public/auth', params: signedLogin(TAKER) }));
    for (let n = 0; n < 5; n += 1) {
      client.send(JSON.stringify({ id: 0, method: 'private/get_open_orders', params: {} }));
    }
    for (let n = 0; n < 5; n += 1) await client.frame(({ result }) => Array.isArray(result));
    await client.close();
  });

  test('by a signature is accepted once, on every connection', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const captured = signedLogin(TAKER);
    expect(await client.request('public/auth', captured)).toHaveProperty('result');
    const thief = await FrameClient.open(stage.gateway.url);
    for (const other of [
      {},
      { scope: 'session:mine' },
      { timestamp: Number(captured.timestamp) },
    ]) {
      const { error } = await thief.request('public/auth', { ...captured, ...other });
      expect(error).toMatchObject({ code: 13009, data: { param: 'signature' } });
    }
    expect((await thief.request('private/get_open_orders')).error.code).toBe(13009);
    expect(await client.request('private/get_open_orders')).toHaveProperty('result');
    await client.close();
    await thief.close();
  });

  test('by a signature is refused while it cannot be checked whether it was used', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    stage.gateway.nonceStoreUp = false;
    expect((await client.request('public/auth', signedLogin(TAKER))).error.code).toBe(10040);
    expect((await client.request('private/get_open_orders')).error.code).toBe(13009);
    expect(await client.request('public/auth', withSecret(TAKER))).toHaveProperty('result');
    await client.close();
  });

  test.each([TAKER, BOUND])(
    'by the signature of a captured request of $id is refused',
    async (by) => {
      const [ts, nonce] = [String(nowMs()), 'n1'];
      const fields = new Map(
        signedHeader(by, { uri: MINE }, { ts: Number(ts), nonce })
          .replace('deri-hmac-sha256 ', '')
          .split(',')
          .map((field) => field.split('=') as [string, string]),
      );
      const signature = fields.get('sig');
      const captured = {
        grant_type: 'client_signature',
        client_id: by.id,
        timestamp: ts,
        signature,
      };
      const client = await FrameClient.open(stage.gateway.url);
      for (const split of [
        { nonce, data: `GET\n${MINE}\n\n` },
        { nonce: `${nonce}\nGET`, data: `${MINE}\n\n` },
        { nonce: `${nonce}\nGET\n${MINE}\n`, data: '' },
      ]) {
        const { error } = await client.request('public/auth', { ...captured, ...split });
        expect([-32602, 13004]).toContain(error.code);
      }
      expect((await client.request('private/get_open_orders')).error.code).toBe(13009);
      await client.close();
    },
  );

  test('by a refresh token gives a new pair and spends the old one', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const first = await client.logIn(TAKER);
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const second = (await client.request('public/auth', refresh)).result;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await client.request('public/auth', refresh)).error.code).toBe(13009);
    expect(await client.request('private/get_open_orders')).toHaveProperty('result');
    await client.close();
  });

  test('sent ahead of private calls is in force for all of them', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    client.send(JSON.stringify({ id: 0, method: 'public/auth', params: withSecret(TAKER) }));
    client.send(JSON.stringify({ id: 0, method: 'private/get_open_orders', params: {} }));
    await client.frame(({ result }) => Array.isArray(result));
    await client.close();
  });

  test('without what it needs names the missing param', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    for (const [params, param] of [
      [{}, 'grant_type'],
      [{ grant_type: 'password' }, 'grant_type'],
      [{ grant_type: 'client_credentials' }, 'client_id'],
      [{ grant_type: 'client_credentials', client_id: 'a' }, 'client_secret'],
      [{ grant_type: 'client_signature', client_id: 'a', timestamp: 1 }, 'signature'],
      [{ grant_type: 'refresh_token' }, 'refresh_token'],
      [{ ...withSecret(TAKER), scope: 'expires:soon' }, 'scope'],
    ] as const) {
      const { error } = await client.request('public/auth', params);
      expect(error).toMatchObject({ code: -32602, data: { param } });
    }
    await client.close();
  });
});

describe('credentials', () => {
  test('wrong credentials are answered alike, whether or not the key exists', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const old = { timestamp: String(nowMs() - 60_001) };
    const wrong = [
      { ...withSecret(TAKER), client_secret: 'wrong' },
      { ...withSecret(TAKER), client_secret: TAKER.secret.slice(0, -1) },
      {
        ...withSecret(TAKER),
        client_secret: Buffer.from(TAKER.secret, 'base64').toString('latin1'),
      },
      { ...withSecret(TAKER), client_id: 'nobody' },
      { ...withSecret(TAKER), client_id: `nobody/${FIRST}` },
      { ...signedLogin(TAKER), nonce: 'other' },
      { ...signedLogin(TAKER), client_id: 'nobody' },
      { ...signedLogin(TAKER), ...old },
    ];
    const answers = [];
    for (const params of wrong) answers.push((await client.request('public/auth', params)).error);
    expect(new Set(answers.map((error) => JSON.stringify(error))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: 13004, message: 'invalid_credentials' });
    await client.close();
  });

  test('credentials are no longer checked from an address that sent too many wrong ones', async () => {
    const small = { failures: { perSecond: 0.01, burst: 3 } };
    await stage.close();
    stage = await RidStage.start({}, undefined, undefined, { find: (id) => keys.get(id) });
    stage.gateway.reload({ address: { ...DEFAULT_LIMITS.address, ...small } });
    const client = await FrameClient.open(stage.gateway.url);
    const guess = { ...withSecret(TAKER), client_secret: 'wrong' };
    const codes = [];
    for (let n = 0; n < 5; n += 1)
      codes.push((await client.request('public/auth', guess)).error.code);
    expect(codes).toEqual([13004, 13004, 13004, 12003, 12003]);
    expect((await client.request('public/auth', withSecret(TAKER))).error.code).toBe(12003);
    await client.close();
  });

  test('of a key that is bound to other addresses are refused', async () => {
    keys.set(TAKER.id, { ...TAKER, admits: addressList(['10.0.0.0/8']) });
    const client = await FrameClient.open(stage.gateway.url);
    expect((await client.request('public/auth', withSecret(TAKER))).error.code).toBe(13021);
    expect(await isIn(basic(TAKER.id, TAKER.secret))).toBe(false);
    await client.close();
  });

  test('a client id may name another account of the key, and no other account, whether or not it exists', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const as = (account: string) => ({ ...withSecret(TAKER), client_id: `${TAKER.id}/${account}` });
    const [foreign = ''] = STRANGER.accounts;
    const { error: unknown } = await client.request('public/auth', as('999'));
    expect(unknown.code).toBe(13021);
    for (const account of [foreign, '']) {
      expect((await client.request('public/auth', as(account))).error).toEqual(unknown);
    }
    const { error: long } = await client.request('public/auth', as('1'.repeat(300)));
    expect([13021, -32602]).toContain(long.code);
    expect((await client.request('private/get_open_orders')).error.code).toBe(13009);
    expect(await client.request('public/auth', as(FIRST))).toHaveProperty('result');
    await client.close();
  });

  test('of the previous secret are accepted for as long as it is', async () => {
    const until = (nowMs() + 60_000) as NonNullable<ApiKey['previous']>['until'];
    const previous = { secret: TAKER.secret, until };
    keys.set(TAKER.id, { ...TAKER, secret: 'a new one', generation: 2, previous });
    const client = await FrameClient.of(stage.gateway.url, TAKER);
    expect(await client.request('private/get_open_orders')).toHaveProperty('result');
    stage.gateway.nowMs += 60_000;
    expect((await client.request('private/get_open_orders')).error.code).toBe(13009);
    expect((await client.request('public/auth', withSecret(TAKER))).error.code).toBe(13004);
    keysChanged();
    expect(await client.end()).toMatchObject({ code: 4401 });
  });
});

describe('a request over HTTP', () => {
  test('proves itself by its id and secret', async () => {
    expect(await isIn(basic(TAKER.id, TAKER.secret))).toBe(true);
    expect(await http(MINE, basic(TAKER.id, 'wrong'))).toMatchObject({
      status: 400,
      json: { error: { code: 13004 } },
    });
  });

  test('proves itself by a signature of method, address and body, its fields in any order', async () => {
    const uri = `${MINE}?kind=future`;
    for (const order of [
      ['id', 'ts', 'sig', 'nonce'],
      ['id', 'ts', 'nonce', 'sig'],
      ['nonce', 'sig', 'id', 'ts'],
    ]) {
      const header = signedHeader(TAKER, { uri }, { order });
      expect((await http(uri, header)).status).toBe(200);
      stage.gateway.nowMs += 1;
      const spaced = signedHeader(TAKER, { uri }, { order }).replaceAll(',', ', ');
      expect((await http(uri, spaced)).status).toBe(200);
      stage.gateway.nowMs += 1;
    }
    expect((await http(`${MINE}?kind=option`, signedHeader(TAKER, { uri }))).json.error.code).toBe(
      13004,
    );
    const body = '{"jsonrpc":"2.0","id":1,"method":"private/get_open_orders","params":{}}';
    const post = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
    const header = signedHeader(TAKER, { method: 'POST', uri: '/api/v2', body });
    expect((await http('/api/v2', header, post)).json.result).toEqual([]);
    const altered = { ...post, body: body.replace('"id":1', '"id":2') };
    expect((await http('/api/v2', header, altered)).json.error.code).toBe(13004);
  });

  test('a signed request runs once, however often it is sent', async () => {
    const price = await stage.restingPrice('buy');
    const uri = `/api/v2/private/buy?instrument_name=${BTC}&amount=10&type=limit&price=${price}`;
    const header = signedHeader(TAKER, { uri });
    expect(await http(uri, header)).toMatchObject({ status: 200 });
    expect(await http(uri, header)).toMatchObject({
      status: 400,
      json: { error: { code: 13009 } },
    });
    const reading = signedHeader(TAKER, { uri: MINE });
    expect((await http(MINE, reading)).json.result).toHaveLength(1);
    expect((await http(MINE, reading)).json.error.code).toBe(13009);
    // The same timestamp and nonce with another request is not a repetition.
    const other = uri.replace('amount=10', 'amount=20');
    expect((await http(other, signedHeader(TAKER, { uri: other }))).status).toBe(200);
  });

  test('a signed request that changes an order is not run while its signature cannot be checked', async () => {
    const uri = `/api/v2/private/cancel_all?detailed=false`;
    stage.gateway.nonceStoreUp = false;
    const { json } = await http(uri, signedHeader(TAKER, { uri }));
    expect(json.error.code).toBe(10040);
  });

  test.each([
    ['another scheme', 'Digest abc', 13009],
    ['no fields', 'deri-hmac-sha256', 13004],
    ['an unknown token', 'Bearer abc', 13009],
    ['no colon', `Basic ${Buffer.from('taker').toString('base64')}`, 13004],
  ])('with %s in its header is refused, for a public method too', async (_what, header, code) => {
    for (const target of [MINE, '/api/v2/public/get_time']) {
      expect((await http(target, header)).json.error.code).toBe(code);
    }
  });

  test('a token that public/auth gave over HTTP is accepted over HTTP', async () => {
    const query = new URLSearchParams(withSecret(TAKER)).toString();
    const { json } = await http(`/api/v2/public/auth?${query}`);
    expect(await isIn(`Bearer ${json.result.access_token}`)).toBe(true);
    expect(await isIn(`Bearer ${json.result.refresh_token}`)).toBe(false);
    expect(await isIn(`bearer ${json.result.access_token}`)).toBe(true);
  });

  test('of a key that signs its requests needs a signature', async () => {
    expect((await http(MINE, basic(BOUND.id, BOUND.secret))).json.error.code).toBe(13021);
    expect(await isIn(signedHeader(BOUND, { uri: MINE }))).toBe(true);
    const client = await FrameClient.open(stage.gateway.url);
    expect((await client.request('public/auth', withSecret(BOUND))).error.code).toBe(13021);
    const answer = (await client.request('public/auth', signedLogin(BOUND, { scope: 'session:a' })))
      .result;
    expect(await client.request('private/get_open_orders')).toHaveProperty('result');
    expect(await isIn(`Bearer ${answer.access_token}`)).toBe(false);
    await client.close();
  });
});

describe('another site in the browser', () => {
  test.each([
    ['a page of another site', { Origin: 'https://evil.test' }],
    ['an image of another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page at another port of this host', { 'Sec-Fetch-Site': 'same-site' }],
  ])('a browser sends no order for %s', async (_what, headers) => {
    const price = await stage.restingPrice('buy');
    const uri = `/api/v2/private/buy?instrument_name=${BTC}&amount=10&type=limit&price=${price}`;
    const by = basic(TAKER.id, TAKER.secret);
    // `fetch` sends no such headers of its own.
    const { status } = await browserRequest(stage.gateway.url + uri, {
      headers: { ...headers, authorization: by },
    });
    expect(status).toBe(403);
    expect((await http(MINE, by)).json.result).toEqual([]);
    expect((await http(uri, by)).status).toBe(200);
  });
});

describe('a token', () => {
  test('of scope connection is accepted on its connection only, and dies with it', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const { access_token, refresh_token } = await client.logIn(TAKER);
    const other = await FrameClient.open(stage.gateway.url);
    const asked = await other.request('private/get_open_orders', { access_token });
    expect(asked.error.code).toBe(13009);
    expect(await isIn(`Bearer ${access_token}`)).toBe(false);
    const refresh = { grant_type: 'refresh_token', refresh_token };
    expect((await other.request('public/auth', refresh)).error.code).toBe(13009);
    await client.close();
    expect((await other.request('public/auth', refresh)).error.code).toBe(13009);
    await other.close();
  });

  test('of a named session is accepted on other connections and after a reconnect', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const answer = await client.logIn(TAKER, { scope: 'session:desk' });
    expect(answer).toMatchObject({ sid: 'desk', scope: expect.stringContaining('session:desk') });
    await client.close();
    const { access_token, refresh_token } = answer;
    expect(await isIn(`Bearer ${access_token}`)).toBe(true);
    const other = await FrameClient.open(stage.gateway.url);
    expect(await other.request('private/get_open_orders', { access_token })).toHaveProperty(
      'result',
    );
    expect((await other.request('private/get_open_orders')).error.code).toBe(13009);
    await other.request('public/auth', { grant_type: 'refresh_token', refresh_token });
    expect(await other.request('private/get_open_orders')).toHaveProperty('result');
    expect(await isIn(`Bearer ${access_token}`)).toBe(false);
    await other.close();
  });

  test('of the oldest of seventeen named sessions is no longer accepted', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const tokens: string[] = [];
    for (let n = 0; n < 17; n += 1) {
      tokens.push((await client.logIn(TAKER, { scope: `session:s${n}` })).access_token);
    }
    expect(await isIn(`Bearer ${tokens[0]}`)).toBe(false);
    for (const token of tokens.slice(1)) expect(await isIn(`Bearer ${token}`)).toBe(true);
    await client.close();
  });

  test('expires when it was asked to', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const answer = await client.logIn(TAKER, { scope: 'session:a expires:60' });
    expect(answer.expires_in).toBe(60);
    stage.gateway.nowMs += 59_999;
    expect(await isIn(`Bearer ${answer.access_token}`)).toBe(true);
    stage.gateway.nowMs += 1;
    expect(await isIn(`Bearer ${answer.access_token}`)).toBe(false);
    expect((await client.request('private/get_open_orders')).error.code).toBe(13009);
    const { refresh_token } = answer;
    const refresh = { grant_type: 'refresh_token', refresh_token };
    expect((await client.request('public/auth', refresh)).error.code).toBe(13009);
    await client.close();
  });

  test('for another address is not accepted from here', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const { access_token } = await client.logIn(TAKER, { scope: 'session:a ip:10.0.0.1' });
    expect(await isIn(`Bearer ${access_token}`)).toBe(false);
    await client.close();
  });

  test('allows no more than was requested', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const { scope } = await client.logIn(TAKER, { scope: 'trade:read account:none' });
    expect(scope).toContain('trade:read');
    expect(scope).not.toMatch(/(trade|account):read_write/);
    expect(await client.request('private/get_open_orders')).toHaveProperty('result');
    const order = { instrument_name: BTC, amount: 10, type: 'market' };
    for (const [method, params] of [
      ['private/buy', order],
      ['private/cancel_all', {}],
      ['private/get_account_summaries', {}],
    ] as const) {
      const { error } = await client.request(method, params);
      expect([method, error?.code]).toEqual([method, 13021]);
    }
    await client.close();
  });

  test('ends with its key', async () => {
    const client = await FrameClient.of(stage.gateway.url, TAKER, { scope: 'session:a' });
    const { access_token } = await client.logIn(TAKER, { scope: 'session:a' });
    keys.delete(TAKER.id);
    expect(await isIn(`Bearer ${access_token}`)).toBe(false);
    expect((await client.request('private/get_open_orders')).error.code).toBe(13009);
    keysChanged();
    expect(await client.end()).toMatchObject({ code: 4401 });
    keys.set(TAKER.id, TAKER);
    expect(await isIn(`Bearer ${access_token}`)).toBe(false);
  });

  test('a token has the rights that its key has now', async () => {
    const client = await FrameClient.of(stage.gateway.url, TAKER);
    keys.set(TAKER.id, { ...TAKER, scopes: ['read'] });
    expect(await client.request('private/get_open_orders')).toHaveProperty('result');
    const params = { instrument_name: BTC, amount: 10, type: 'market' };
    expect((await client.request('private/buy', params)).error.code).toBe(13021);
    keys.set(TAKER.id, { ...TAKER, accounts: [] });
    expect((await client.request('private/get_open_orders')).error.code).toBe(13009);
    await client.close();
  });

  test('a refresh token can be exchanged for one of another account of the key, and forked into a named session', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const { refresh_token } = await client.logIn(TAKER, { scope: 'session:a' });
    const foreign = { refresh_token, subject_id: Number(STRANGER.accounts[0]) };
    expect((await client.request('public/exchange_token', foreign)).error.code).toBe(13021);
    const other = { refresh_token, subject_id: Number(SECOND) };
    expect(await client.request('public/exchange_token', other)).toHaveProperty(
      'result.access_token',
    );
    await client.request('private/buy', {
      instrument_name: BTC,
      amount: 10,
      price: await stage.restingPrice('buy'),
    });
    const recorded = await stage.actions.find({ limit: 10 });
    expect(recorded.map(({ account, method }) => [account, method])).toEqual([
      [SECOND, 'deribit private/buy'],
    ]);
    const fork = await client.request('public/fork_token', { refresh_token, session_name: 'b' });
    expect(fork.result.sid).toBe('b');
    expect(await isIn(`Bearer ${fork.result.access_token}`)).toBe(true);
    await client.close();
  });
});

describe('a logout', () => {
  test('closes the connection without an answer and ends the token', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const { access_token } = await client.logIn(TAKER, { scope: 'session:a' });
    client.send('{"id":9,"method":"private/logout","params":{}}');
    expect(await client.end()).toMatchObject({ code: 1000 });
    expect(client.frames.some(({ id }) => id === 9)).toBe(false);
    expect(await isIn(`Bearer ${access_token}`)).toBe(false);
  });

  test('leaves the token of a named session where the client requests it', async () => {
    const client = await FrameClient.open(stage.gateway.url);
    const { access_token } = await client.logIn(TAKER, { scope: 'session:a' });
    client.send('{"id":9,"method":"private/logout","params":{"invalidate_token":false}}');
    await client.end();
    expect(await isIn(`Bearer ${access_token}`)).toBe(true);
  });
});
