// What hostile addresses can occupy and use up, and what is reserved for clients with a key.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { FailureGate } from '../../src/gateway/auth/failure-gate.ts';
import { signedHeaders } from '../../src/gateway/auth/signed-stamp.ts';
import { DEFAULT_LIMITS, type GatewayLimits } from '../../src/gateway/limits/limits.ts';
import { until } from '../adapters/until.ts';
import { BOUND, GatewayUnderTest, PATH, TAKER } from './gateway-under-test.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo();
});

type Address = Partial<typeof DEFAULT_LIMITS.address>;

async function serve(limits: Partial<GatewayLimits> = {}, address: Address = {}) {
  const all = { ...limits, address: { ...DEFAULT_LIMITS.address, ...address } };
  const gateway = await GatewayUnderTest.start(all);
  cleanUp.push(() => gateway.close());
  return gateway;
}

const portOf = ({ url }: GatewayUnderTest): number => Number(new URL(url).port);

/** Opens idle connections from a local address. */
async function holding(gateway: GatewayUnderTest, localAddress: string, count: number) {
  const sockets = Array.from({ length: count }, () =>
    connect({ port: portOf(gateway), host: '127.0.0.1', localAddress }),
  );
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    cleanUp.push(() => socket.destroy());
  }
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

const cancel = (gateway: GatewayUnderTest) =>
  gateway.request(`${PATH}/cancel-all`, { body: { accountId: 10001 } });

const isOpen = (socket: Socket): boolean => !socket.destroyed && socket.readyState === 'open';

describe('an operator’s cancel', () => {
  test('an operator’s cancel is answered while two other addresses hold all connections', async () => {
    const gateway = await serve({ connectionsMax: 40 });
    const held = [
      ...(await holding(gateway, '127.0.0.2', 20)),
      ...(await holding(gateway, '127.0.0.3', 20)),
    ];
    expect((await cancel(gateway)).status).toBe(200);
    await until(() => held.some((socket) => !isOpen(socket)));
    expect(held.filter(isOpen).length).toBeGreaterThan(30);
  });

  test('an operator’s cancel continues on its own connection, however many unauthenticated clients connect later', async () => {
    const gateway = await serve({ connectionsMax: 10 });
    const at = {
      method: 'POST',
      target: `${PATH}/cancel-all`,
      body: Buffer.from('{"accountId":10001}'),
    };
    const socket = connect(portOf(gateway), '127.0.0.1');
    // The gateway may reset it when it is closed with something unread.
    socket.on('error', () => undefined);
    cleanUp.push(() => socket.destroy());
    let told = '';
    socket.on('data', (chunk) => {
      told += chunk;
    });
    const request = (): void => {
      const headers = {
        ...signedHeaders({ ...TAKER, keyId: TAKER.id }, gateway.nowMs, at),
        Host: 'localhost',
        'Content-Type': 'application/json',
        'Content-Length': String(at.body.length),
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`POST ${at.target} HTTP/1.1\r\n${lines.join('')}\r\n${at.body}`);
    };
    const answers = (): number => told.split('HTTP/1.1 200').length - 1;
    request();
    await until(() => answers() === 1);
    for (let n = 0; n < 3; n += 1) await holding(gateway, '127.0.0.2', 10);
    request();
    await until(() => answers() === 2);
  });

  test('an operator’s cancel is admitted while unauthenticated clients have their maximum of requests in flight', async () => {
    const gateway = await serve({ inFlightMax: 24 });
    const body = '{"accountId":10001}';
    const sockets = [
      ...(await holding(gateway, '127.0.0.2', 10)),
      ...(await holding(gateway, '127.0.0.3', 10)),
    ];
    // Their bodies never arrive: a key whose signature covers the body is checked only afterwards.
    for (const socket of sockets) {
      socket.write(
        `POST ${PATH}/submit HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n` +
          `Authorization: Bearer ${BOUND.id}\r\nService-API-Timestamp: ${gateway.nowMs}\r\n` +
          'Service-API-Nonce: n\r\nService-API-Signature: s\r\n\r\n',
      );
    }
    const refused = sockets.map((socket) => once(socket, 'data'));
    await Promise.race(refused);
    expect((await gateway.request(`${PATH}/cancel-all`, { raw: body })).status).toBe(200);
  });
});

describe('connections', () => {
  test('opened by one address are counted, and refused above the rate', async () => {
    const gateway = await serve({}, { opening: { perSecond: 1, burst: 5 } });
    for (let n = 0; n < 5; n += 1) {
      const [socket] = await holding(gateway, '127.0.0.2', 1);
      socket?.destroy();
    }
    const [sixth] = await holding(gateway, '127.0.0.2', 1);
    await until(() => sixth?.destroyed === true);
    expect((await cancel(gateway)).status).toBe(200);
  });

  test('connections of all addresses are counted together; an address with an authenticated key is not affected', async () => {
    const gateway = await serve({}, { openingOfAll: { perSecond: 1, burst: 4 } });
    expect((await cancel(gateway)).status).toBe(200);
    await holding(gateway, '127.0.0.2', 4);
    const [late] = await holding(gateway, '127.0.0.3', 1);
    await until(() => late?.destroyed === true);
    const [own] = await holding(gateway, '127.0.0.1', 1);
    own?.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String((await once(own as Socket, 'data'))[0])).toContain('200');
  });
});

describe('useless requests', () => {
  test.each([
    ['an unknown address', '/no/such', {}],
    ['an unknown address below a signed one', `${PATH}/nothing`, {}],
    ['a signed address with the wrong HTTP method', `${PATH}/submit`, {}],
    ['an unknown method', '/api/public/nothing', { body: {} }],
    ['a method with the wrong HTTP verb', '/api/public/get_time', {}],
  ])('useless requests to %s are counted by client address', async (_, path, asked) => {
    const gateway = await serve({}, { open: { perSecond: 0.01, burst: 3 } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await gateway.request(path, { by: null, ...asked })).status);
    }
    expect(statuses.slice(3)).toEqual([429, 429]);
    expect(statuses.slice(0, 3).every((status) => status === 404 || status === 405)).toBe(true);
  });

  test.each([
    ['invalid params', { body: { x: 1 } }],
    ['a body that is not JSON', { raw: '{' }],
    ['another media type', { raw: '{}', headers: { 'Content-Type': 'text/plain' } }],
    ['another method in the envelope', { body: { rid: 1, method: 'public/test', params: {} } }],
  ])('useless requests with %s are counted like any query without a key', async (_, asked) => {
    const query = { perSecond: 0.01, burst: 3 };
    const rates = { ...DEFAULT_LIMITS.rid.rates, query };
    const gateway = await serve({ rid: { ...DEFAULT_LIMITS.rid, rates } });
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await gateway.request('/api/public/get_time', { by: null, ...asked })).status);
    }
    expect(statuses.slice(3)).toEqual([429, 429]);
    expect(statuses.slice(0, 3)).not.toContain(429);
  });
});

describe('wrong signatures under a key that has authenticated before', () => {
  const failures = { perSecond: 1, burst: 3 };
  const gate = () => new FailureGate({ ...DEFAULT_LIMITS.address, failures });
  const attempt = { from: '192.0.2.1', keyId: 'desk' };

  test('wrong signatures under a key that has authenticated before are counted, and refused unchecked above the rate', () => {
    const failing = gate();
    failing.proved(attempt);
    for (let n = 0; n < 3; n += 1) {
      expect(failing.waitMs(attempt, 0)).toBeUndefined();
      failing.failed(attempt, 0);
    }
    expect(failing.waitMs(attempt, 0)).toBe(1_000);
    expect(failing.waitMs(attempt, 1_000)).toBeUndefined();
  });

  test('wrong signatures under a key that has authenticated before do not lock out the connection on which the key authenticated', () => {
    const failing = gate();
    const [own, another] = [{}, {}];
    failing.proved({ ...attempt, via: own });
    for (let n = 0; n < 9; n += 1) failing.failed({ ...attempt, via: another }, 0);
    expect(failing.waitMs({ ...attempt, via: own }, 0)).toBeUndefined();
    expect(failing.waitMs({ ...attempt, via: another }, 0)).toBe(1_000);
    failing.failed({ ...attempt, via: own }, 0);
    expect(failing.waitMs({ ...attempt, via: own }, 0)).toBe(1_000);
  });

  test('end in 429 over HTTP', async () => {
    const gateway = await serve({}, { failures });
    const page = `${PATH}/page?accountId=10001`;
    expect((await gateway.request(page)).status).toBe(200);
    const by = { ...TAKER, secret: Buffer.alloc(32, 7).toString('base64') };
    const statuses: number[] = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await gateway.request(page, { by })).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});
