// The bare client logs in in every way that Deribit documents, subscribes, stays alive, and leaves its orders or takes them along.
import { expect, test } from 'vitest';
import { BareBook, BareClient, signature } from './bare-client.ts';
import { type ClientStage, KEYS, STARTING } from './client-stage.ts';

const KEY = KEYS.bare;
const BTC = 'BTC-PERPETUAL';
/**
 * The clock of a client may be a minute off. Requests may take long here: what is signed behind loses of its minute on the
 * way, what is signed beyond it in the future comes nearer.
 */
const ACCEPTED_MS = [-45_000, 0, 58_000];
const REFUSED_MS = [-62_000, 80_000];
const INVALID_CREDENTIALS = 13_004;
const UNAUTHORIZED = 13_009;
const RAW_WITHOUT_LOGIN = 13_778;
const INVALID_PARAMS = -32_602;
const SUMMARY = 'private/get_account_summary';

const signed = (timestamp: number, nonce: string, secret = KEY.secret) => ({
  grant_type: 'client_signature',
  client_id: KEY.id,
  timestamp,
  nonce,
  data: '',
  signature: signature(secret, [String(timestamp), nonce, '']),
});

/** One GET with the header that Deribit documents for signed requests. */
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
async function signedGet(url: string, target: string, timestamp: number): Promise<any> {
  const nonce = `n${timestamp}`;
  const sig = signature(KEY.secret, [String(timestamp), nonce, 'GET', target, '', '']);
  const response = await fetch(url + target, {
    headers: {
      Authorization: `deri-hmac-sha256 id=${KEY.id},ts=${timestamp},nonce=${nonce},sig=${sig}`,
    },
  });
  return await response.json();
}

export function bareLogins(stage: ClientStage): void {
  test('a connection without a login is refused what is private', async () => {
    const client = await BareClient.open(stage.front.url);
    expect((await client.refused(SUMMARY, { currency: 'BTC' })).code).toBe(UNAUTHORIZED);
    const raw = { channels: [`book.${BTC}.raw`] };
    expect((await client.refused('public/subscribe', raw)).code).toBe(RAW_WITHOUT_LOGIN);
    await client.close();
  });

  test('the grant client_credentials logs the connection in, without a token in what follows', async () => {
    const client = await BareClient.open(stage.front.url);
    const granted = await client.call('public/auth', {
      grant_type: 'client_credentials',
      client_id: KEY.id,
      client_secret: KEY.secret,
      state: 'mine',
    });
    expect(granted).toMatchObject({ token_type: 'bearer', state: 'mine' });
    expect(granted.expires_in).toBeGreaterThan(0);
    expect(granted.scope.split(' ')).toContain('connection');
    expect((await client.call(SUMMARY, { currency: 'ETH' })).balance).toBe(STARTING.ETH);
    const other = await BareClient.open(stage.front.url);
    const wrong = { grant_type: 'client_credentials', client_id: KEY.id, client_secret: 'wrong' };
    expect((await other.refused('public/auth', wrong)).code).toBe(INVALID_CREDENTIALS);
    await Promise.all([client.close(), other.close()]);
  });

  test('the grant client_signature is accepted up to a minute off in both directions, and not beyond', async () => {
    const client = await BareClient.open(stage.front.url);
    for (const offMs of ACCEPTED_MS) {
      const granted = await client.call('public/auth', signed(Date.now() + offMs, 'abcdefgh'));
      expect(granted.access_token).not.toBe('');
    }
    for (const offMs of REFUSED_MS) {
      const refused = await client.refused('public/auth', signed(Date.now() + offMs, 'abcdefgh'));
      expect(refused.code).toBe(INVALID_CREDENTIALS);
    }
    const forged = signed(Date.now(), 'abcdefgh', 'another secret');
    expect((await client.refused('public/auth', forged)).code).toBe(INVALID_CREDENTIALS);
    await client.close();
  });

  test('the grant refresh_token gives a new pair, keeps the subscriptions, and is good once', async () => {
    const client = await BareClient.open(stage.front.url);
    const first = await client.call('public/auth', {
      grant_type: 'client_credentials',
      client_id: KEY.id,
      client_secret: KEY.secret,
    });
    const channel = `ticker.${BTC}.100ms`;
    expect(await client.call('public/subscribe', { channels: [channel] })).toEqual([channel]);
    const refreshing = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
    const second = await client.call('public/auth', refreshing);
    expect(second.access_token).not.toBe(first.access_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await client.call(SUMMARY, { currency: 'BTC' })).currency).toBe('BTC');
    const heard = client.notices(channel).length;
    await client.until(() => client.notices(channel).length > heard);
    expect([INVALID_CREDENTIALS, UNAUTHORIZED]).toContain(
      (await client.refused('public/auth', refreshing)).code,
    );
    await client.close();
  });

  test('a signed request that changes something is accepted up to a minute off in both directions, once', async () => {
    const { url } = stage.front;
    const limit = await passivePrice(stage);
    const target = `/api/v2/private/buy?instrument_name=${BTC}&amount=10&type=limit&price=${limit}`;
    const ids: string[] = [];
    for (const offMs of ACCEPTED_MS) {
      const timestamp = Date.now() + offMs;
      const { result, error } = await signedGet(url, target, timestamp);
      expect(error).toBeUndefined();
      expect(result.order).toMatchObject({ order_state: 'open', amount: 10 });
      ids.push(result.order.order_id);
      expect((await signedGet(url, target, timestamp)).error.code).toBe(UNAUTHORIZED);
    }
    for (const offMs of REFUSED_MS) {
      const { error } = await signedGet(url, target, Date.now() + offMs);
      expect(error.code).toBe(INVALID_CREDENTIALS);
    }
    const client = await BareClient.loggedIn(url, KEY);
    const open = await client.call('private/get_open_orders_by_instrument', {
      instrument_name: BTC,
    });
    expect(open.map((order: { order_id: string }) => order.order_id).sort()).toEqual(ids.sort());
    expect(await client.call('private/cancel_all_by_instrument', { instrument_name: BTC })).toBe(3);
    await client.close();
  });
}

/** 2 % below the mark, on the grid. */
async function passivePrice(stage: ClientStage): Promise<number> {
  const client = await BareClient.open(stage.front.url);
  const { mark_price: mark } = await client.call('public/ticker', { instrument_name: BTC });
  await client.close();
  return Math.round(mark * 0.98);
}

export function bareSessions(stage: ClientStage): void {
  test('a book kept from its snapshot and changes has no gap and agrees with the quote', async () => {
    const client = await BareClient.loggedIn(stage.front.url, KEY);
    const channels = [`book.${BTC}.100ms`, `trades.${BTC}.100ms`, `quote.${BTC}`];
    expect(await client.call('public/subscribe', { channels })).toEqual(channels);
    await client.until(() => client.notices(`book.${BTC}.100ms`).length >= 5);
    const book = new BareBook();
    const notices = client.notices(`book.${BTC}.100ms`);
    expect(notices.map(({ type }) => type === 'snapshot')).toEqual(
      notices.map((_, at) => at === 0),
    );
    for (const data of notices) {
      book.apply(data);
      expect(book.best.bid).toBeLessThan(book.best.ask);
    }
    await client.until(() => client.notices(`quote.${BTC}`).length > 0);
    const quote = client.notices(`quote.${BTC}`).at(-1);
    expect(Math.abs(quote.best_bid_price / book.best.bid - 1)).toBeLessThan(0.01);
    const left = channels.slice(1);
    expect(await client.call('public/unsubscribe', { channels: channels.slice(0, 1) })).toEqual(
      channels.slice(0, 1),
    );
    expect(left).toHaveLength(2);
    await client.close();
  });

  test('orders are cancelled with the connection that requested it, and only those that it placed', async () => {
    const price = await passivePrice(stage);
    const [leaving, staying] = await Promise.all([
      BareClient.loggedIn(stage.front.url, KEY),
      BareClient.loggedIn(stage.front.url, KEY),
    ]);
    const rest = { instrument_name: BTC, amount: 10, type: 'limit', price };
    expect(await leaving.call('private/enable_cancel_on_disconnect')).toBe('ok');
    expect(await leaving.call('private/get_cancel_on_disconnect')).toEqual({
      scope: 'connection',
      enabled: true,
    });
    const gone = (await leaving.call('private/buy', rest)).order.order_id;
    const kept = (await staying.call('private/buy', rest)).order.order_id;
    const channel = 'user.orders.any.any.raw';
    expect(await staying.call('private/subscribe', { channels: [channel] })).toEqual([channel]);
    await leaving.drop();
    const ended = () => staying.notices(channel).find(({ order_id: id }) => id === gone);
    await staying.until(() => ended()?.order_state === 'cancelled');
    expect(ended().cancel_reason).toBe('cancel_on_disconnect');
    expect(await staying.call('private/get_order_state', { order_id: kept })).toMatchObject({
      order_state: 'open',
    });
    expect(await staying.call('private/cancel_all')).toBe(1);
    await staying.close();
  });

  test('a logout closes the connection and keeps its orders, whatever was requested a disconnect', async () => {
    const leaving = await BareClient.loggedIn(stage.front.url, KEY);
    const price = await passivePrice(stage);
    await leaving.call('private/enable_cancel_on_disconnect');
    const rest = { instrument_name: BTC, amount: 10, type: 'limit', price };
    const { order } = await leaving.call('private/buy', rest);
    const end = leaving.closed();
    void leaving.request('private/logout');
    await end;
    const again = await BareClient.loggedIn(stage.front.url, KEY);
    const found = await again.call('private/get_order_state', { order_id: order.order_id });
    expect(found.order_state).toBe('open');
    expect(await again.call('private/cancel_all')).toBe(1);
    await again.close();
  });
}

/** Connects at once, so that its interval passes while other tests run. */
export function bareHeartbeats(stage: ClientStage): { begin(): Promise<void>; test(): void } {
  let client: BareClient;
  return {
    begin: async () => {
      client = await BareClient.open(stage.front.url);
      const short = await client.refused('public/set_heartbeat', { interval: 9 });
      expect(short).toMatchObject({ code: INVALID_PARAMS, data: { param: 'interval' } });
      expect(await client.call('public/set_heartbeat', { interval: 10 })).toBe('ok');
    },
    test: () => {
      test('a connection that answers the test requests of its heartbeat stays open', async () => {
        await client.until(() => client.heartbeats.includes('test_request'));
        expect((await client.call('public/test')).version).toEqual(expect.any(String));
        expect(await client.call('public/disable_heartbeat')).toBe('ok');
        await client.close();
      });
    },
  };
}
