// Every temporary refusal states when to retry: for every operation and every cause. A new operation is covered
// as soon as it is in the OpenAPI document.

import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { refusal } from '../../../src/core/order/answer-class.ts';
import { reject } from '../../../src/core/rejection.ts';
import { STOPPING } from '../../../src/engine/api/find-active-portfolio.ts';
import type { OrderOperations } from '../../../src/engine/order-entry/order-operations.ts';
import { signedHeaders, signedQuery } from '../../../src/gateway/auth/signed-stamp.ts';
import { connect } from '../../../src/gateway/client/client.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from '../../../src/gateway/limits/limits.ts';
import { METHODS } from '../../../src/gateway/order-api/method-table.ts';
import { LedgerFailure } from '../../../src/ports/ledger.ts';
import { MarketUnanswered } from '../../../src/ports/market-reads.ts';
import type { Reply, TradingDesk } from '../../../src/ports/trading-desk.ts';
import { venueName } from '../../../src/values/ids.ts';
import { NO_DESKS } from '../../doubles/lone-api.ts';
import { NO_MARKET } from '../../support/engine/venue-records.ts';
import { nonEmpty } from '../../support/non-empty.ts';
import {
  type Answered,
  type Asked,
  type GatewayParts,
  GatewayUnderTest,
  MemoryOperations,
  PATH,
  perpetualBody,
  TAKER,
} from '../gateway-under-test.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function serve(
  limits: Partial<GatewayLimits> = {},
  parts: GatewayParts = {},
): Promise<GatewayUnderTest> {
  const gateway = await GatewayUnderTest.start(limits, {
    trustedProxies: ['127.0.0.0/8'],
    ...parts,
  });
  cleanUp.push(() => gateway.close());
  return gateway;
}

interface Operation {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  /** Requires a key. */
  readonly isSigned: boolean;
}

const METHOD_PREFIX = '/api/';
const methodAt = (path: string) =>
  path.startsWith(METHOD_PREFIX) ? METHODS.get(path.slice(METHOD_PREFIX.length)) : undefined;

/** The operations in the gateway's own document. */
async function operationsOf(gateway: GatewayUnderTest): Promise<readonly Operation[]> {
  const { json } = await gateway.request('/openapi.json', { by: null });
  const paths: Record<
    string,
    Record<string, { readonly security?: readonly unknown[] }>
  > = json.paths;
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { security }]) => ({
      verb: verb === 'get' ? 'GET' : 'POST',
      path,
      isSigned: security !== undefined,
    })),
  );
}

function request(
  gateway: GatewayUnderTest,
  { verb, path, isSigned }: Operation,
  asked: Asked = {},
) {
  const body = verb === 'GET' ? {} : { body: methodAt(path)?.example ?? {} };
  return gateway.request(path, {
    method: verb,
    ...body,
    ...(isSigned ? {} : { by: null }),
    ...asked,
  });
}

const isWork = ({ path }: Operation): boolean => /^\/(?:api|tt)\//.test(path);

/** The Retry-After header: a positive whole number of seconds, otherwise its text. */
const secondsOf = ({ headers }: Answered): number | string => {
  const text = headers.get('retry-after') ?? 'nothing';
  return /^[1-9]\d*$/.test(text) ? Number(text) : text;
};

/** The status and the Retry-After of each operation, by path. */
async function told(
  gateway: GatewayUnderTest,
  operations: readonly Operation[],
  asked?: Asked,
): Promise<Record<string, readonly [status: number, seconds: number | string]>> {
  const all: Record<string, readonly [number, number | string]> = {};
  for (const operation of operations) {
    const answer = await request(gateway, operation, asked);
    all[operation.path] = [answer.status, secondsOf(answer)];
    if (!operation.path.startsWith(METHOD_PREFIX)) continue;
    expect(answer.json.error.data.retryAfterSec, operation.path).toBeGreaterThanOrEqual(1);
  }
  return all;
}

const allOf = (operations: readonly Operation[], status: number, seconds: number) =>
  Object.fromEntries(operations.map(({ path }) => [path, [status, seconds]]));

const EMPTY = { perSecond: 0.25, burst: 0.5 };
const { rid: RID, address: ADDRESS, stream: STREAM } = DEFAULT_LIMITS;
/** Half a token is missing, at a quarter per second. */
const EMPTY_SEC = 2;

describe('every operation states when to retry', () => {
  test('if the bucket of its key is empty', async () => {
    const rates = { read: EMPTY, submit: EMPTY, cancel: EMPTY };
    const ridRates = { order: EMPTY, order_cancel: EMPTY, query: EMPTY };
    const gateway = await serve({ rates, rid: { ...RID, rates: ridRates } });
    const signed = (await operationsOf(gateway)).filter(({ isSigned }) => isSigned);
    expect(await told(gateway, signed)).toEqual(allOf(signed, 429, EMPTY_SEC));
  });

  test('if it needs no key and the bucket of its address is empty', async () => {
    const ridRates = { order: EMPTY, order_cancel: EMPTY, query: EMPTY };
    const plain = await serve();
    const operations = await operationsOf(plain);
    const address = { ...ADDRESS, open: EMPTY };
    const gateway = await serve({ address, rid: { ...RID, rates: ridRates } });
    const open = operations.filter(
      (one) => !one.isSigned && methodAt(one.path)?.isWebSocketOnly !== true,
    );
    expect(await told(gateway, open)).toEqual(allOf(open, 429, EMPTY_SEC));
  });

  test('after too many wrong signatures from its address', async () => {
    const failures = { perSecond: 0.25, burst: 1 };
    const gateway = await serve({ address: { ...ADDRESS, failures } });
    const by = { ...TAKER, secret: Buffer.alloc(32, 7).toString('base64') };
    const signed = (await operationsOf(gateway)).filter(({ isSigned }) => isSigned);
    expect((await gateway.request(`${PATH}/page?accountId=10001`, { by })).status).toBe(401);
    expect(await told(gateway, signed, { by })).toEqual(allOf(signed, 429, 4));
  });

  test('if too many requests are in flight', async () => {
    const gateway = await serve({ inFlightMax: 0 });
    const work = (await operationsOf(gateway)).filter(isWork);
    expect(await told(gateway, work)).toEqual(allOf(work, 503, 1));
  });

  test('while nonces cannot be checked', async () => {
    const gateway = await serve();
    gateway.nonceStoreUp = false;
    const signed = (await operationsOf(gateway)).filter(({ isSigned }) => isSigned);
    expect(await told(gateway, signed)).toEqual(allOf(signed, 503, 1));
  });

  test('while the gateway is closing', async () => {
    const { desk, hasBegun, letGo } = heldDesk();
    const gateway = await serve({ drainMs: 60_000 }, { orders: ordersAt(desk) });
    const operations = await operationsOf(gateway);
    const socket = await opened(gateway, TAKER);
    const params = { orderId: '1' };
    socket.send(JSON.stringify({ rid: 1, method: 'private/get_order_state', params }));
    await hasBegun;
    const closed = gateway.close();
    const refused = operations.filter((one) => isWork(one) || one.path === '/readyz');
    try {
      expect(await told(gateway, refused)).toEqual(allOf(refused, 503, 1));
    } finally {
      letGo();
      await closed;
    }
  });
});

describe('a temporary refusal after admission states when to retry', () => {
  const METHOD = '/api/private/get_order_state';
  test.each<[string, Reply<never>, number, number]>([
    ['busy', refusal(10040), 503, 1],
    ['a flood', refusal(10028), 429, 1],
    ['a flood for so long', tooMany(7), 429, 7],
    ['no usable answer', { kind: 'unknown', reason: 'no answer in time' }, 503, 1],
  ])('if a venue replies with %s', async (_, reply, status, seconds) => {
    const desk = { order: () => Promise.resolve(reply) };
    const gateway = await serve({}, { orders: ordersAt(desk) });
    const answer = await gateway.request(METHOD, { body: { orderId: '1' } });
    expect([answer.status, secondsOf(answer)]).toEqual([status, seconds]);
    // If the request may have been executed, the answer does not say when to send it again.
    const again = reply.kind === 'refused' ? seconds : undefined;
    expect(answer.json.error.data.retryAfterSec).toBe(again);
    if (reply.kind !== 'refused') return;
    const { url: baseUrl } = gateway;
    const now = () => gateway.nowMs;
    const client = connect({ baseUrl, keyId: TAKER.id, secret: TAKER.secret, now });
    const told = await client.call('private/get_order_state', { orderId: '1' });
    expect(told).toMatchObject({ kind: 'refused', retryAfterSec: seconds });
  });

  test('if a venue does not answer a market query, without reporting an internal error', async () => {
    const desk = { order: () => Promise.reject(new MarketUnanswered('no answer')) };
    const gateway = await serve({}, { orders: ordersAt(desk) });
    const answer = await gateway.request(METHOD, { body: { orderId: '1' } });
    expect([answer.status, secondsOf(answer)]).toEqual([503, 1]);
    expect(answer.json.error).toMatchObject({ code: 10040, data: { retryAfterSec: 1 } });
  });

  test.each([
    ['away', new LedgerFailure('away', false)],
    ['silent', new LedgerFailure('silent', true)],
    ['priced by a venue that does not answer', new MarketUnanswered('no answer to public/ticker')],
  ])('if a portfolio operation needs something that is %s', async (_, failure) => {
    const gateway = await serve();
    gateway.operations.failure = failure;
    const answers = await Promise.all([
      gateway.submit(perpetualBody()),
      gateway.request(`${PATH}/info?portfolioId=1`),
      gateway.request(`${PATH}/page?accountId=10001`),
      gateway.request(`${PATH}/cancel`, { body: { portfolioId: 1 } }),
      gateway.request(`${PATH}/cancel-all`, { body: { accountId: 10001 } }),
    ]);
    for (const answer of nonEmpty(answers))
      expect([answer.status, secondsOf(answer)]).toEqual([503, 1]);
  });

  test('if the daemon is stopping', async () => {
    const stopping = () => Promise.resolve(STOPPING);
    const operations = new MemoryOperations();
    Object.assign(operations, { submit: stopping, cancelAll: stopping });
    const gateway = await serve({}, { operations });
    const answers = await Promise.all([
      gateway.submit(perpetualBody()),
      gateway.request(`${PATH}/cancel-all`, { body: { accountId: 10001 } }),
    ]);
    for (const answer of nonEmpty(answers))
      expect([answer.status, secondsOf(answer)]).toEqual([503, 1]);
  });

  test('if the engine says after how long the same request may succeed', async () => {
    const overloaded = () =>
      Promise.resolve({
        kind: 'refused' as const,
        rejections: [{ ...reject('unavailable', '', 'slices are late'), retryAfterSec: 3 }],
      });
    const operations = new MemoryOperations();
    Object.assign(operations, { submit: overloaded });
    const gateway = await serve({}, { operations });
    const answer = await gateway.submit(perpetualBody());
    expect([answer.status, secondsOf(answer)]).toEqual([503, 3]);
  });

  test('if a health check fails', async () => {
    const gateway = await serve(
      {},
      { health: { live: () => false }, notReady: () => ['no ledger'] },
    );
    for (const path of ['/healthz', '/readyz']) {
      const answer = await gateway.request(path, { by: null });
      expect([path, answer.status, secondsOf(answer)]).toEqual([path, 503, 1]);
    }
  });
});

describe('a refused connection states when to retry', () => {
  const NONE = { connectionsPerKeyMax: 0, connectionsPerStrangerMax: 0 };

  test('a connection above the limit, or while nonces cannot be checked, gets the time to wait', async () => {
    const full = await serve({ rid: { ...RID, ...NONE }, stream: { ...STREAM, ...NONE } });
    const blind = await serve();
    blind.nonceStoreUp = false;
    for (const [gateway, status] of [[full, 429] as const, [blind, 503] as const]) {
      for (const path of ['/ws/api', '/ws/portfolio']) {
        const query = signedQuery({ keyId: TAKER.id, secret: TAKER.secret }, gateway.nowMs, path);
        expect([path, await refusedAt(gateway, `${path}?${query}`)]).toEqual([path, [status, '1']]);
      }
    }
    expect(await refusedAt(full, '/ws/api')).toEqual([429, '1']);
  });

  test('a connection above the limit of an address gets the time to wait', async () => {
    const gateway = await serve(
      { address: { ...ADDRESS, connectionsMax: 0 } },
      { trustedProxies: [] },
    );
    const socket = connectSocket(Number(new URL(gateway.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toMatch(/\r\nRetry-After: [1-9]\d*\r\n/);
  });

  test('or, once open, its answers do', async () => {
    const rates = { ...RID.rates, query: EMPTY };
    const gateway = await serve({ rid: { ...RID, rates } });
    const socket = await opened(gateway, null);
    socket.send(JSON.stringify({ rid: 1, method: 'public/test' }));
    const [raw] = await once(socket, 'message');
    expect(JSON.parse(String(raw))).toMatchObject({
      rid: 1,
      error: { code: 10028, data: { retryAfterSec: EMPTY_SEC } },
    });
  });
});

function tooMany(retryAfterSec: number): Reply<never> {
  const details = { param: '', reason: 'slow down', retryAfterSec };
  return refusal(10028, details);
}

type Desk = Pick<TradingDesk, 'order'>;

function ordersAt({ order }: Desk): OrderOperations {
  const name = venueName('paper');
  const desk = { order } as Desk as TradingDesk;
  return {
    ...NO_DESKS,
    accounts: () => TAKER.accounts.map((account) => [account, name]),
    venues: () => [{ name, market: NO_MARKET, subscribe: () => () => undefined }],
    forAccount: () => desk,
  };
}

/** An order API that answers an order query only when released. */
function heldDesk() {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Reply<never>>();
  const desk: Desk = {
    order: () => {
      begun.resolve();
      return held.promise;
    },
  };
  const letGo = (): void => held.resolve({ kind: 'unknown', reason: 'let go' });
  return { desk, hasBegun: begun.promise, letGo };
}

async function opened(gateway: GatewayUnderTest, key: typeof TAKER | null): Promise<WebSocket> {
  const at = { method: 'GET', target: '/ws/api', body: Buffer.alloc(0) };
  const headers = key === null ? {} : signedHeaders({ ...key, keyId: key.id }, gateway.nowMs, at);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/ws/api`, { headers });
  await once(socket, 'open');
  return socket;
}

async function refusedAt(gateway: GatewayUnderTest, target: string) {
  const socket = new WebSocket(gateway.url.replace('http', 'ws') + target);
  const [, { statusCode, headers }] = await once(socket, 'unexpected-response');
  return [statusCode, headers['retry-after']];
}
