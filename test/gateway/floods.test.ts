import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { FailureGate } from '../../src/gateway/auth/failure-gate.ts';
import { sign } from '../../src/gateway/auth/signature.ts';
import { Buckets } from '../../src/gateway/limits/buckets.ts';
import { DEFAULT_LIMITS } from '../../src/gateway/limits/limits.ts';
import { instant, later } from '../../src/values/instant.ts';
import { until } from '../adapters/until.ts';
import { GatewayUnderTest, NOW_MS, PATH, STRANGER, TAKER } from './gateway-under-test.ts';

const PAGE = `${PATH}/page?accountId=10001`;
const from = (address: string) => ({ 'X-Forwarded-For': address });
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

async function serve(
  address: Partial<typeof DEFAULT_LIMITS.address> = {},
): Promise<GatewayUnderTest> {
  const gateway = await GatewayUnderTest.start(
    { address: { ...DEFAULT_LIMITS.address, ...address } },
    { trustedProxies: ['127.0.0.0/8'] },
  );
  cleanUp.push(() => gateway.close());
  return gateway;
}

const FORGED = { ...TAKER, secret: Buffer.alloc(32, 7).toString('base64') };
const FAILURES = { perSecond: 1, burst: 3 };

describe('wrong credentials', () => {
  test('wrong credentials from one address are refused unchecked after a burst, without affecting other addresses', async () => {
    const gateway = await serve({ failures: FAILURES });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { status } = await gateway.request(PAGE, { by: FORGED, headers: from('192.0.2.1') });
      statuses.push(status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const refused = await gateway.request(PAGE, { by: FORGED, headers: from('192.0.2.1') });
    expect(refused.headers.get('retry-after')).toBe('1');
    const other = await gateway.request(PAGE, { by: FORGED, headers: from('192.0.2.2') });
    expect(other.status).toBe(401);
    gateway.nowMs += 1_000;
    const again = await gateway.request(PAGE, { by: FORGED, headers: from('192.0.2.1') });
    expect(again.status).toBe(401);
  });

  test.each([
    ['missing', { Authorization: '' }],
    ['of the wrong form', { 'Service-API-Timestamp': 'yesterday' }],
    ['stamped too long ago', { 'Service-API-Timestamp': String(NOW_MS - 60_000) }],
  ])('wrong credentials that are %s count as failures too', async (_, headers) => {
    const gateway = await serve({ failures: FAILURES });
    for (let n = 0; n < 3; n += 1) {
      expect((await gateway.request(PAGE, { headers })).status).toBe(401);
    }
    expect((await gateway.request(PAGE, { headers })).status).toBe(429);
  });

  test('wrong credentials that are captured and replayed count as failures and do not authenticate the key', async () => {
    const gateway = await serve({ failures: FAILURES });
    const statuses: number[] = [];
    const key = `nonce:${TAKER.id}:overheard`;
    await gateway.claims.claimOnce(key, later(instant(gateway.nowMs), 30_000));
    for (let n = 0; n < 4; n += 1) {
      const headers = signedWith('overheard');
      statuses.push((await gateway.request(PAGE, { by: null, headers })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test('wrong credentials do not lock out a key that has authenticated from the address before', async () => {
    const gateway = await serve({ failures: FAILURES });
    expect((await gateway.request(PAGE)).status).toBe(200);
    for (let n = 0; n < 10; n += 1) await gateway.request(PAGE, { by: { ...FORGED, id: 'guess' } });
    expect((await gateway.request(PAGE)).status).toBe(200);
    expect((await gateway.request(PAGE, { by: STRANGER })).status).toBe(429);
  });

  test('wrong credentials are limited on both WebSockets too', async () => {
    const gateway = await serve({ failures: { perSecond: 1, burst: 1 } });
    await gateway.request(PAGE, { by: FORGED });
    const ws = gateway.url.replace('http', 'ws');
    for (const path of ['/ws/portfolio?apiKey=x', '/ws/api?apiKey=x']) {
      const socket = new WebSocket(ws + path);
      const [, response] = await once(socket, 'unexpected-response');
      expect([path, response.statusCode]).toEqual([path, 429]);
      expect(response.headers['retry-after']).toBe('1');
    }
  });
});

function signedWith(nonce: string): Record<string, string> {
  const signature = sign(TAKER.secret, `${NOW_MS}\n${nonce}`);
  return {
    Authorization: `Bearer ${TAKER.id}`,
    'Service-API-Timestamp': String(NOW_MS),
    'Service-API-Nonce': nonce,
    'Service-API-Signature': signature,
  };
}

describe('requests without a key', () => {
  test('requests without a key to open paths are limited by client address', async () => {
    const gateway = await serve({ open: { perSecond: 2, burst: 2 } });
    const paths = ['/healthz', '/no/such', '/readyz', '/openapi.json', '/metrics'];
    const statuses: number[] = [];
    for (const path of paths) {
      statuses.push((await gateway.request(path, { by: null, headers: from('192.0.2.1') })).status);
    }
    expect(statuses).toEqual([200, 404, 429, 429, 429]);
    expect(
      (await gateway.request('/healthz', { by: null, headers: from('192.0.2.2') })).status,
    ).toBe(200);
    expect((await gateway.request(PAGE, { headers: from('192.0.2.1') })).status).toBe(200);
  });

  test('requests without a key to methods are limited by client address', async () => {
    const query = { perSecond: 1, burst: 2 };
    const gateway = await GatewayUnderTest.start(
      {
        rid: { ...DEFAULT_LIMITS.rid, rates: { ...DEFAULT_LIMITS.rid.rates, query } },
      },
      { trustedProxies: ['127.0.0.0/8'] },
    );
    cleanUp.push(() => gateway.close());
    const request = async (address: string): Promise<number> => {
      const asked = { by: null, body: {}, headers: from(address) };
      return (await gateway.request('/api/public/get_time', asked)).status;
    };
    const near = ['2001:db8::1', '2001:db8::2', '2001:db8::3'];
    expect([
      await request('2001:db8::1'),
      await request(near[1] ?? ''),
      await request(near[2] ?? ''),
    ]).toEqual([200, 200, 429]);
    expect(await request('2001:db8:0:1::1')).toBe(200);
  });
});

describe('connections', () => {
  test('connections above the limit of an address are refused with 429 and closed; a closed connection frees its place', async () => {
    const gateway = await GatewayUnderTest.start({
      address: { ...DEFAULT_LIMITS.address, connectionsMax: 2 },
    });
    cleanUp.push(() => gateway.close());
    const port = Number(new URL(gateway.url).port);
    const open = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(open.map((socket) => once(socket, 'connect')));
    const third = connect(port, '127.0.0.1');
    let told = '';
    third.on('data', (chunk) => {
      told += chunk;
    });
    await once(third, 'close');
    expect(told).toMatch(/^HTTP\/1\.1 429 /);
    expect(told).toContain('Retry-After: 1');
    for (const socket of open) socket.destroy();
    await until(async () => {
      const answer = await fetch(`${gateway.url}/healthz`).catch(() => undefined);
      return answer?.status === 200;
    });
  });

  test('connections without a key are limited per address, separately from those with keys', async () => {
    const gateway = await GatewayUnderTest.start(
      { rid: { ...DEFAULT_LIMITS.rid, connectionsPerStrangerMax: 1 } },
      { trustedProxies: ['127.0.0.0/8'] },
    );
    cleanUp.push(() => gateway.close());
    const url = `${gateway.url.replace('http', 'ws')}/ws/api`;
    const opened = async (address: string): Promise<number> => {
      const socket = new WebSocket(url, { headers: from(address) });
      const refused = once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode);
      return await Promise.race([once(socket, 'open').then(() => 101), refused]);
    };
    expect(await opened('192.0.2.1')).toBe(101);
    expect(await opened('192.0.2.1')).toBe(429);
    expect(await opened('192.0.2.2')).toBe(101);
  });
});

describe('the bounded memory of the limits', () => {
  test('the bounded memory of the limits holds a maximum number of buckets and evicts the least recently used one', () => {
    const rule = { perSecond: 1, burst: 1 };
    const buckets = new Buckets(100);
    for (let n = 0; n < 10_000; n += 1) {
      buckets.take('busy', rule, 0);
      buckets.take(`once ${n}`, rule, 0);
    }
    expect(buckets.count).toBe(100);
    expect(buckets.waitMs('busy', rule, 0)).toBe(1_000);
    expect(buckets.waitMs('once 0', rule, 0)).toBeUndefined();
    expect(buckets.waitMs('once 9999', rule, 0)).toBe(1_000);
  });

  test('the bounded memory of the limits counts failures of the addresses of one IPv6 network together', () => {
    const gate = new FailureGate({ ...DEFAULT_LIMITS.address, failures: FAILURES });
    for (let n = 0; n < 3; n += 1) gate.failed({ from: `2001:db8::${n}`, keyId: 'any' }, 0);
    expect(gate.waitMs({ from: '2001:db8::ffff', keyId: 'any' }, 0)).toBe(1_000);
    expect(gate.waitMs({ from: '2001:db8:0:1::', keyId: 'any' }, 0)).toBeUndefined();
  });
});
